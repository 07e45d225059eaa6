import * as z from 'zod'

import type {
  CompletionRequest,
  TextPart,
  ToolRun,
  ToolRunProgress,
} from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import type { ParsedInput, RequestOutput } from '../../../src-shared/ipc/contract'
import { reasonOf } from '../failure/describe-failure'
import type { ProfileDocument } from '../installation/store/profile-document'
import { background } from '../lifecycle/background'
import { Throttle } from '../lifecycle/throttle'
import { CumulativeRedactor, NO_REDACTOR, type Redactor } from '../masking/redact'
import { invalidAnswer, RejectedRequestError } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'
import type { ResourceWatches } from '../servers/resource-watches'
import type { Server } from '../servers/server'
import type { Tools } from '../tools/tools'
import { PartReader } from './part-reader'
import { runTool } from './run-tool'
import { ToolRunHistory } from './tool-run-history'

type Completion = RequestOutput<'toolRun.complete'>

const METHOD = 'completion/complete'
const METHOD_NOT_FOUND = -32_601
/** Nobody waits longer while typing. */
const TIMEOUT_MS = 5_000
/** MCP, completion: a server returns no more. */
const MAX_VALUES = 100
const MAX_VALUE_LENGTH = 10_000

const Answer = z.object({
  completion: z.object({
    values: z.array(z.string()),
    total: z.number().optional().catch(undefined),
    hasMore: z.boolean().optional().catch(undefined),
  }),
})

const NOTHING: Completion = { values: [], hasMore: false }

/** Resolves to a server's completions of an argument; empty if it has none. Rejects as `ServerSession.request` does. */
async function completeArgument(
  session: ServerSession,
  { ref, argument, context }: CompletionRequest,
): Promise<Completion> {
  // Many servers know the method without declaring it. Asking undeclared ones would cost a rejection per keystroke.
  if (session.notifications.declared?.completions === undefined) return NOTHING
  const params = { ref, argument, ...(context && { context }) }
  try {
    return read(await session.request(METHOD, params, { timeoutMs: TIMEOUT_MS }))
  } catch (error) {
    const isUnknown =
      error instanceof RejectedRequestError && error.refusal.code === METHOD_NOT_FOUND
    if (isUnknown) return NOTHING
    throw error
  }
}

function read(answer: unknown): Completion {
  const { data } = Answer.safeParse(answer)
  if (!data) throw invalidAnswer(`The response to ${METHOD} has no list of values.`)
  const { values, total, hasMore } = data.completion
  const fitting = values.filter(({ length }) => length <= MAX_VALUE_LENGTH).slice(0, MAX_VALUES)
  const isCut = fitting.length < values.length
  return {
    values: fitting,
    ...(total !== undefined && { total }),
    hasMore: hasMore ?? isCut,
  }
}

export type ToolRunsParts = {
  readonly store: Pick<ProfileDocument, 'find' | 'read' | 'onDidChange'>
  readonly servers: {
    read(installationId: string): Pick<Server, 'ready'>
    find(installationId: string): Pick<Server, 'liveSession' | 'log'> | undefined
  }
  readonly tools: Pick<Tools, 'used'>
  readonly watches: Pick<ResourceWatches, 'add'>
  readonly onProgress: (progress: ToolRunProgress) => void
  readonly onUpdated: (resource: WatchedResource) => void
}

type Running = {
  readonly installationId: string
  readonly over: AbortController
  readonly secrets: CumulativeRedactor
}

/** The user's own requests to servers with their outcomes, stored until the app ends. Any tool may be run, also hidden ones. */
export class ToolRuns implements AsyncDisposable {
  readonly #runHistory: ToolRunHistory
  readonly #watches: ToolRunWatches
  readonly #running = new Map<string, Running>()
  /** Servers that may have stored data here. */
  readonly #servers = new Set<string>()
  readonly #following: Disposable
  readonly #reader = new PartReader()
  #isClosed = false

  constructor(private readonly parts: ToolRunsParts) {
    this.#runHistory = new ToolRunHistory({
      redactorOf: (id) => this.#redactorOf(id) ?? NO_REDACTOR,
    })
    this.#watches = new ToolRunWatches(parts.watches, parts.onUpdated)
    this.#following = parts.store.onDidChange(() => {
      for (const id of this.#servers) if (!parts.store.find(id)) this.#forget(id)
    })
  }

  /** Returns what masks a server's currently known secrets; undefined if the server is gone. */
  #redactorOf(installationId: string): Redactor | undefined {
    return this.parts.servers.find(installationId)?.log.redactor
  }

  async run(
    input: ParsedInput<'toolRun.start'>,
    origin: Pick<ToolRun, 'isOfView'> = {},
  ): Promise<ToolRun> {
    const { toolRunId, installationId } = input
    this.#mustExist(installationId)
    this.#runHistory.start(input, origin)
    const over = new AbortController()
    if (this.#isClosed) over.abort()
    const { servers, tools, onProgress } = this.parts
    const secrets = new CumulativeRedactor(() => this.#redactorOf(installationId))
    this.#running.set(toolRunId, { installationId, over, secrets })
    const from = performance.now()
    const end = await runTool(input, {
      ...{ servers, tools, signal: over.signal },
      redactor: () => secrets.refresh(),
      onProgress: (step) => onProgress({ toolRunId, ...step }),
    })
    this.#running.delete(toolRunId)
    return this.#runHistory.end(input, performance.now() - from, end, secrets.refresh())
  }

  cancel(toolRunId: string): void {
    this.#running.get(toolRunId)?.over.abort()
  }

  history(input: ParsedInput<'toolRun.history'>): ToolRun[] {
    return this.#runHistory.history(input)
  }

  clear(installationId: string): void {
    this.#reader.clear()
    this.#runHistory.clear(installationId)
  }

  async text({ toolRunId, ...range }: ParsedInput<'toolRun.text'>): Promise<TextPart> {
    return this.#reader.part(this.#runHistory.textOf(toolRunId), range)
  }

  /** Resolves to the whole result or error data as JSON text with known secrets masked. Rejects with NOT_FOUND. */
  async wholeText(toolRunId: string): Promise<string> {
    return this.#runHistory.textOf(toolRunId).read()
  }

  /** See `toolRun.complete`; a server that isn't running isn't started for it, and completes nothing. */
  async complete({
    installationId,
    request,
  }: ParsedInput<'toolRun.complete'>): Promise<RequestOutput<'toolRun.complete'>> {
    this.#mustExist(installationId)
    const session = this.parts.servers.find(installationId)?.liveSession
    if (!session) return NOTHING
    const completion = await completeArgument(session, request)
    const mask = this.#redactorOf(installationId) ?? NO_REDACTOR
    return { ...completion, values: completion.values.map((value) => mask(value)) }
  }

  async watch({ isWanted, ...resource }: ParsedInput<'toolRun.watch'>): Promise<void> {
    if (!isWanted) {
      this.#watches.unwatch(resource)
      return
    }
    this.#mustExist(resource.installationId)
    await this.#watches.watch(resource)
  }

  /** Cancels everything that is running; settles when nothing runs anymore. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#following[Symbol.dispose]()
    this.#watches[Symbol.dispose]()
    this.#reader.clear()
    for (const { over } of this.#running.values()) over.abort()
    return Promise.resolve()
  }

  #forget(installationId: string): void {
    this.#servers.delete(installationId)
    this.#reader.clear()
    this.#watches.forget(installationId)
    this.#runHistory.forget(installationId)
    for (const one of this.#running.values()) {
      if (one.installationId !== installationId) continue
      // Reads the secrets once more before the server is gone, so that the end of the run is masked.
      one.secrets.refresh()
      one.over.abort()
    }
  }

  #mustExist(installationId: string): void {
    this.parts.store.read(installationId)
    this.#servers.add(installationId)
  }
}

type WatchedResource = { readonly installationId: string; readonly uri: string }

type WatchRequest = WatchedResource & { readonly watcherId: string }

type Watch = WatchedResource & {
  /** Watchers in the order of their arrival. */
  readonly watchers: Set<string>
  readonly throttle: Throttle
  /** Settles when the server has subscribed. */
  readonly subscribed: Promise<Disposable>
}

/** Minimum interval of reports about one resource, in ms. */
const NOTIFY_EVERY_MS = 250
const MAX_WATCHES = 200
/** Maximum watchers per resource; the oldest are forgotten, because windows may disappear silently. */
const MAX_WATCHERS = 20

/** Resources that the user watches, until all watchers have left or the server is removed. */
export class ToolRunWatches implements Disposable {
  readonly #watches = new Map<string, Watch>()

  constructor(
    private readonly shared: Pick<ResourceWatches, 'add'>,
    private readonly onUpdated: (resource: WatchedResource) => void,
  ) {}

  /** Watches a resource; a stopped server gets the subscription when it runs. Rejects with NOT_AVAILABLE_HERE, or as the server does. */
  async watch({ watcherId, ...resource }: WatchRequest): Promise<void> {
    const watch = this.#watches.get(keyOf(resource)) ?? this.#startWatch(resource)
    watch.watchers.add(watcherId)
    const [oldest] = watch.watchers
    if (watch.watchers.size > MAX_WATCHERS && oldest !== undefined) watch.watchers.delete(oldest)
    try {
      await watch.subscribed
    } catch (error) {
      this.#drop(watch)
      throw error instanceof AppError ? error : rejectedError(error)
    }
  }

  unwatch({ watcherId, ...resource }: WatchRequest): void {
    const watch = this.#watches.get(keyOf(resource))
    watch?.watchers.delete(watcherId)
    if (watch?.watchers.size === 0) this.#drop(watch)
  }

  /** Ends all watches of a server. */
  forget(installationId: string): void {
    for (const watch of [...this.#watches.values()])
      if (watch.installationId === installationId) this.#drop(watch)
  }

  [Symbol.dispose](): void {
    for (const watch of [...this.#watches.values()]) this.#drop(watch)
  }

  #startWatch({ installationId, uri }: WatchedResource): Watch {
    if (this.#watches.size >= MAX_WATCHES)
      throw new AppError('INVALID_REQUEST', `At most ${MAX_WATCHES} resources can be followed.`, {
        hint: 'Stop following another resource first.',
      })
    const throttle = new Throttle(NOTIFY_EVERY_MS, () => this.onUpdated({ installationId, uri }))
    // A lost subscription is restored when its server reconnects; changes meanwhile are unknown.
    const updated = (): void => throttle.call()
    const subscribed = this.shared.add(installationId, uri, { updated, lost: updated })
    const watch: Watch = { installationId, uri, watchers: new Set(), throttle, subscribed }
    this.#watches.set(keyOf(watch), watch)
    return watch
  }

  #drop(watch: Watch): void {
    if (this.#watches.get(keyOf(watch)) !== watch) return
    this.#watches.delete(keyOf(watch))
    watch.throttle[Symbol.dispose]()
    // A failed start is reported to those who wait for it.
    background(
      watch.subscribed.then(
        (shared) => shared[Symbol.dispose](),
        () => undefined,
      ),
      'watching a resource',
    )
  }
}

function keyOf({ installationId, uri }: WatchedResource): string {
  return `${installationId} ${uri}`
}

function rejectedError(cause: unknown): AppError {
  return new AppError(
    'REQUEST_REFUSED',
    `The server can’t send updates of this resource: ${reasonOf(cause)}.`,
    {
      cause,
    },
  )
}
