import { randomUUID } from 'node:crypto'

import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import {
  type OpenedView,
  uiOf,
  type ViewAnswer,
  type ViewDomains,
  type ViewInfo,
  viewUriOf,
} from '../../../src-shared/domain/installation/view'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import { isSameJson } from '../../../src-shared/json-schema/same-json'
import { keepNewest } from '../lifecycle/keep-newest'
import type { ServerSession } from '../mcp/session'
import type { Server } from '../servers/server'
import type { ToolRuns } from '../tool-runs/tool-runs'
import { type DeclaredDomains, readDomains, type ViewListener } from './view-listener'

/** Maximum length of a page, in characters. */
const MAX_PAGE_LENGTH = 10_000_000
/** Maximum number of open views; requests of older ones are rejected. */
const MAX_OPEN = 50
const MAX_IN_FLIGHT = 10
/** Maximum number of blocked hosts listed per view. */
const MAX_BLOCKED = 20
const MAX_PER_MINUTE = 300
const MINUTE_MS = 60_000
const PAGE_TYPE = 'text/html;profile=mcp-app'

const Contents = z.object({
  contents: z.array(
    z.looseObject({
      mimeType: z.string().optional().catch(undefined),
      text: z.string().optional().catch(undefined),
      blob: z.string().optional().catch(undefined),
    }),
  ),
})

export type ViewsOptions = {
  readonly listener: Pick<ViewListener, 'issue' | 'close'>
  readonly servers: { read(installationId: string): Pick<Server, 'ready'> }
  /** Records what a view does, like the user's own runs. */
  readonly runs: Pick<ToolRuns, 'run' | 'wholeText'>
  /** Domains with which a server's views are shown without asking; undefined if each view needs approval. */
  readonly allowed: {
    readonly of: (installationId: string) => ViewDomains | undefined
    readonly set: (installationId: string, domains: ViewDomains) => void
  }
  readonly now: () => number
}

type Page = DeclaredDomains & { readonly html: string }
type OpenView = {
  readonly installationId: string
  /** Requested hosts that it didn't declare. */
  readonly blocked: Set<string>
  inFlight: number
  readonly requestedAt: number[]
}

/** Interactive pages of servers for their tools (MCP Apps), shown in Try it, each in its own origin. */
export class Views {
  readonly #open = new Map<string, OpenView>()

  constructor(private readonly options: ViewsOptions) {}

  /**
   * Resolves to what a tool's view would load, for the user's decision. Rejects with NOT_FOUND if the tool has none, and as its server
   * does.
   */
  async read({ installationId, name }: ParsedInput<'view.read'>): Promise<ViewInfo> {
    const { domains, ignored } = await this.#page(installationId, name)
    const allowed = this.options.allowed.of(installationId)
    return { domains, ignored: [...ignored], isAllowed: covers(allowed, domains) }
  }

  /** Prepares a view for one load if it still declares the domains that the user saw; otherwise rejects with CHANGED_MEANWHILE. */
  async open({
    installationId,
    name,
    domains,
    remembers,
  }: ParsedInput<'view.open'>): Promise<OpenedView> {
    const page = await this.#page(installationId, name)
    if (!isSameJson(page.domains, domains))
      throw new AppError('CHANGED_MEANWHILE', 'The view now loads from other addresses.', {
        hint: 'Check them, then show the view again.',
      })
    if (remembers) {
      const before = this.options.allowed.of(installationId)
      this.options.allowed.set(installationId, before ? union(before, domains) : domains)
    }
    const blocked = new Set<string>()
    const address = await this.options.listener.issue(page.html, page.domains, (one) => {
      const host = hostOf(one)
      if (host !== undefined && blocked.size < MAX_BLOCKED) blocked.add(host)
    })
    const viewId = randomUUID()
    const view = { installationId, blocked, inFlight: 0, requestedAt: [] }
    keepNewest(this.#open, viewId, view, MAX_OPEN)
    return { viewId, address }
  }

  /** Forwards a request of a view to its own server. */
  async request(request: ParsedInput<'view.request'>): Promise<ViewAnswer> {
    const view = this.#open.get(request.viewId)
    if (!view) return { kind: 'error', message: 'This view is closed.' }
    const refusal = this.#limit(view)
    if (refusal !== undefined) return { kind: 'error', message: refusal }
    view.inFlight += 1
    try {
      return await this.#answer(view.installationId, request)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { kind: 'error', message: error.message }
    } finally {
      view.inFlight -= 1
    }
  }

  /** Returns the undeclared hosts that a view requested, in the order of its requests. */
  blocked(viewId: string): string[] {
    return [...(this.#open.get(viewId)?.blocked ?? [])]
  }

  close(viewId: string): void {
    this.#open.delete(viewId)
  }

  #limit(view: OpenView): string | undefined {
    const now = this.options.now()
    const { requestedAt } = view
    while ((requestedAt[0] ?? now) < now - MINUTE_MS) requestedAt.shift()
    if (view.inFlight >= MAX_IN_FLIGHT)
      return `A view can have ${MAX_IN_FLIGHT} requests in progress.`
    if (requestedAt.length >= MAX_PER_MINUTE)
      return `A view can send ${MAX_PER_MINUTE} requests a minute.`
    requestedAt.push(now)
    return undefined
  }

  async #answer(
    installationId: string,
    { method, params, isApproved }: ParsedInput<'view.request'>,
  ): Promise<ViewAnswer> {
    if (method === 'tools/call') {
      const tool = toolOf(await this.#session(installationId), params.name)
      if (!tool || !isForViews(tool))
        return { kind: 'error', message: 'This tool is not available to views.' }
      const isReadOnly = isJsonObject(tool.annotations) && tool.annotations.readOnlyHint === true
      if (!isReadOnly && !isApproved) return { kind: 'approval' }
    }
    const toolRunId = randomUUID()
    // Other members, such as a progress token, are useless for a view.
    const { name, arguments: args, uri } = params
    const sent = method === 'tools/call' ? { name, arguments: args ?? {} } : { uri }
    const request = { method, params: sent }
    const { outcome } = await this.options.runs.run(
      { toolRunId, installationId, request },
      { isOfView: true },
    )
    if (outcome?.kind === 'result')
      return { kind: 'result', text: await this.options.runs.wholeText(toolRunId) }
    if (outcome?.kind === 'refused') return { kind: 'error', message: outcome.message }
    return { kind: 'error', message: outcome?.error.message ?? 'The server did not answer.' }
  }

  async #page(installationId: string, name: string): Promise<Page> {
    const session = await this.#session(installationId)
    const uri = viewUriOf(toolOf(session, name))
    if (uri === undefined)
      throw new AppError('NOT_FOUND', 'This tool has no view.', { hint: 'Refresh the page.' })
    const { data } = Contents.safeParse(await session.request('resources/read', { uri }))
    const found = data?.contents.find(({ mimeType }) => mimeType?.replaceAll(' ', '') === PAGE_TYPE)
    const { text, blob } = found ?? {}
    const html = text ?? (blob === undefined ? undefined : Buffer.from(blob, 'base64').toString())
    if (html === undefined || html.length > MAX_PAGE_LENGTH)
      throw new AppError(
        'INVALID_ANSWER',
        html === undefined
          ? `The server sent no page of type ${PAGE_TYPE} for ${uri}.`
          : `The page of the view is larger than ${MAX_PAGE_LENGTH / 1_000_000} MB.`,
        { hint: 'Result shows the same data as text. Report the fault to the server’s authors.' },
      )
    const listed = session.capabilities.resources.find((one) => one.uri === uri)
    return { html, ...readDomains(uiOf(found).csp ?? uiOf(listed).csp) }
  }

  #session(installationId: string): Promise<ServerSession> {
    return this.options.servers
      .read(installationId)
      .ready({ method: 'resources/read', waitMs: MINUTE_MS })
  }
}

/** Returns the host of a blocked address; undefined for others, such as inline code. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^(?:https?|wss?):$/u.test(url.protocol) ? url.host.slice(0, 253) : undefined
}

const KINDS = ['connect', 'resource', 'frame'] as const

function covers(allowed: ViewDomains | undefined, domains: ViewDomains): boolean {
  if (!allowed) return false
  return KINDS.every((kind) => domains[kind].every((one) => allowed[kind].includes(one)))
}

function union(one: ViewDomains, other: ViewDomains): ViewDomains {
  const both = (kind: keyof ViewDomains): string[] =>
    [...new Set([...one[kind], ...other[kind]])].toSorted()
  return { connect: both('connect'), resource: both('resource'), frame: both('frame') }
}

function toolOf({ capabilities }: ServerSession, name: unknown): JsonObject | undefined {
  return capabilities.tools.find((tool) => tool.name === name)
}

/** Whether a view may call a tool (MCP Apps, `visibility`; both by default). */
function isForViews(tool: JsonObject): boolean {
  const { visibility } = uiOf(tool)
  return !Array.isArray(visibility) || visibility.includes('app')
}
