import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type {
  OpenedView,
  ViewAnswer,
  ViewDomains,
} from '../../../../src-shared/domain/installation/view'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { call } from '../../../ipc/call'
import { showFailure } from '../../../ipc/show-failure'
import { readHistory, sentBy } from '../../../stores/tool-run-store'
import { isDark, watchTheme } from '../../../ui/layout/theme'
import { readAll, toolRunText } from '../../json/text-source'
import type { Decision, ViewAction } from './use-approvals'

/** A view that the user agreed to open. */
export type AgreedView = {
  readonly toolRun: ToolRun
  /** Domains that the user saw and approved. */
  readonly domains: ViewDomains
  /** Whether views of this server with these domains open without a prompt from now on. */
  readonly remembers: boolean
}

/** The screen's callbacks for a view. */
export type ViewScreen = {
  readonly onFrame: (state: FrameState) => void
  readonly onOpened: (viewId: string) => void
  readonly onStarted: () => void
  readonly onCloseWanted: () => void
  readonly onFailed: (thrown: unknown) => void
  readonly onHeight: (height: number) => void
  readonly onLog: (line: string) => void
  readonly approve: (action: ViewAction) => Promise<Decision>
}

/** Heights of a view, in px. */
export const HEIGHT = { least: 120, usual: 360, most: 800 } as const
const MAX_RESULT = 16 * 1024 * 1024
const MAX_LINE_LENGTH = 1_000
const TEARDOWN_MS = 1_000
const DENIED = 'The user denied this.'

export type ShownView = {
  /** Lets the view finish, then closes it. Never rejects. */
  close(): Promise<void>
}

/** Opens a view in a frame. Errors go to `screen`. */
export function showView(
  frame: HTMLIFrameElement,
  view: AgreedView,
  screen: ViewScreen,
): ShownView {
  let isClosed = false
  const open = async (): Promise<ShownView | undefined> => {
    const { toolRun, domains, remembers } = view
    const { installationId, request } = toolRun
    const name = String(request.params.name)
    const opened = await call('view.open', { installationId, name, domains, remembers })
    if (!isClosed) return connect(frame, opened, view, screen)
    await call('view.close', { viewId: opened.viewId })
    return undefined
  }
  const opening = open().catch((thrown: unknown) => {
    if (!isClosed) screen.onFailed(thrown)
    return undefined
  })
  const close = async (): Promise<void> => {
    isClosed = true
    await (await opening)?.close()
  }
  let closing: Promise<void> | undefined
  return { close: () => (closing ??= close()) }
}

/** Loads an opened view, sends it the run's arguments and result, and answers its requests. */
async function connect(
  frame: HTMLIFrameElement,
  { viewId, address }: OpenedView,
  { toolRun, domains }: AgreedView,
  screen: ViewScreen,
): Promise<ShownView> {
  const { connect: connectDomains, resource: resourceDomains, frame: frameDomains } = domains
  const csp = { connectDomains, resourceDomains, frameDomains }
  const bridge = new AppBridge(
    null,
    { name: 'Patchbay', version: '1' },
    { serverTools: {}, serverResources: {}, openLinks: {}, logging: {}, sandbox: { csp } },
    { hostContext: contextOf(frame) },
  )
  answerRequests(bridge, { viewId, installationId: toolRun.installationId }, screen)
  bridge.addEventListener('sizechange', ({ height = HEIGHT.usual }) =>
    screen.onHeight(Math.min(Math.max(height, HEIGHT.least), HEIGHT.most)),
  )
  bridge.addEventListener('loggingmessage', ({ data }) => screen.onLog(lineOf(data)))
  bridge.addEventListener('requestteardown', () => screen.onCloseWanted())
  const start = (): void => {
    bridge.removeEventListener('initialized', start)
    screen.onStarted()
    sendRun(bridge, toolRun).catch(showFailure)
  }
  bridge.addEventListener('initialized', start)
  const unwatch = watchTheme(() => bridge.setHostContext(contextOf(frame)))
  screen.onOpened(viewId)
  await bridge.connect(new FrameTransport(frame, address, screen.onFrame))
  return {
    close: async () => {
      unwatch()
      // A view that never started or is gone has nothing to finish.
      if (bridge.getAppVersion() && frame.isConnected)
        await bridge.teardownResource({}, { timeout: TEARDOWN_MS }).catch(() => undefined)
      await bridge.close()
      await call('view.close', { viewId }).catch(showFailure)
    },
  }
}

function lineOf(data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return text.slice(0, MAX_LINE_LENGTH)
}

function answerRequests(
  bridge: AppBridge,
  { viewId, installationId }: { readonly viewId: string; readonly installationId: string },
  { approve }: ViewScreen,
): void {
  /** Tools that the user allowed while the view is open. */
  const allowed = new Set<string>()
  const mustApprove = async ({ name, arguments: args }: JsonObject): Promise<void> => {
    const tool = String(name)
    if (allowed.has(tool)) return
    const decision = await approve({ kind: 'call', name: tool, args })
    if (decision === 'deny') throw new Error(DENIED)
    if (decision === 'view') allowed.add(tool)
  }
  const send = async (
    method: 'tools/call' | 'resources/read',
    params: JsonObject,
  ): Promise<unknown> => {
    const request = { viewId, method, params }
    let answer = await call('view.request', { ...request, isApproved: false })
    if (answer.kind === 'approval') {
      await mustApprove(params)
      answer = await call('view.request', { ...request, isApproved: true })
    }
    void readHistory({ installationId })
    return resultOf(answer)
  }
  bridge.oncalltool = async ({ name, arguments: args = {} }) =>
    (await send('tools/call', { name, arguments: args })) as { content: [] }
  bridge.onreadresource = async ({ uri }) =>
    (await send('resources/read', { uri })) as { contents: [] }
  bridge.onopenlink = async ({ url }) => {
    const link = URL.parse(url)
    if (link?.protocol !== 'https:') return { isError: true }
    return (await approve({ kind: 'link', url: link })) === 'deny' ? { isError: true } : {}
  }
}

function resultOf(answer: ViewAnswer): unknown {
  if (answer.kind === 'result') return JSON.parse(answer.text)
  throw new Error(answer.kind === 'error' ? answer.message : DENIED)
}

async function sendRun(bridge: AppBridge, toolRun: ToolRun): Promise<void> {
  const args = sentBy(toolRun).params.arguments
  await bridge.sendToolInput({ arguments: isJsonObject(args) ? args : {} })
  const source = toolRunText(toolRun)
  if (!source) return
  const result: unknown = JSON.parse(await readAll(source, MAX_RESULT))
  if (isJsonObject(result)) await bridge.sendToolResult({ content: [], ...result })
}

function contextOf(frame: HTMLIFrameElement): McpUiHostContext {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    theme: isDark() ? 'dark' : 'light',
    ...{ locale, timeZone, displayMode: 'inline', availableDisplayModes: ['inline'] },
    containerDimensions: { width: frame.clientWidth, maxHeight: HEIGHT.most },
  }
}

/** States that the frame around a view reports: loaded, tried to open another page, sent too many messages. */
const FRAME_STATES = ['ready', 'left', 'flooded'] as const
type FrameState = (typeof FRAME_STATES)[number]

/** JSON-RPC with a view through the frame around it. Ignores messages of other windows and origins. */
class FrameTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #origin: string

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly address: string,
    private readonly onFrame: (state: FrameState) => void,
  ) {
    this.#origin = new URL(address).origin
  }

  start(): Promise<void> {
    window.addEventListener('message', this.#receive)
    this.frame.src = this.address
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.frame.contentWindow?.postMessage(message, this.#origin)
    return Promise.resolve()
  }

  close(): Promise<void> {
    window.removeEventListener('message', this.#receive)
    this.onclose?.()
    return Promise.resolve()
  }

  readonly #receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== this.frame.contentWindow || origin !== this.#origin) return
    if (typeof data !== 'object' || data === null) return
    const state = 'patchbay' in data && FRAME_STATES.find((one) => one === data.patchbay)
    if (state) this.onFrame(state)
    else if ('jsonrpc' in data && data.jsonrpc === '2.0') this.onmessage?.(data as JSONRPCMessage)
  }
}
