import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { OpenedView, ViewAnswer, ViewDomains } from '../../../../src-shared/domain/agents/view'
import { call } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'
import { readHistory, sentBy } from '../../../stores/tool-run-store'
import { partsOf, toolRunText } from '../../json/text/text-source'
import { isJsonObject } from '../../schema-form/reading/json-object'
import { type FrameState, FrameTransport } from './frame-transport'

type JsonObject = Record<string, unknown>
/** What the user answers to a view. */
export type ViewPermission = 'once' | 'view' | 'deny'
/** What a view wants that the user decides. */
export type ViewWish =
  | { readonly kind: 'call'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'link'; readonly url: URL }

/** What a view needs of the screen that shows it. */
export type ViewScreen = {
  readonly onFrame: (state: FrameState) => void
  readonly onStarted: () => void
  readonly onHeight: (height: number) => void
  readonly onLog: (line: string) => void
  readonly ask: (wish: ViewWish) => Promise<ViewPermission>
}

/** The heights that a view can have, in px. */
export const HEIGHT = { least: 120, usual: 360, most: 800 } as const
const MOST_RESULT = 16 * 1024 * 1024
const LONGEST_LINE = 1_000
const TEARDOWN_MS = 1_000
const DENIED = 'The user denied this.'

export type OpenView = {
  /** Lets the view end its work, then closes it; does not reject. */
  close(): Promise<void>
}

/** Shows an opened view in a frame, gives it what its tool got and returned, and answers it. */
export function openView(
  frame: HTMLIFrameElement,
  { viewId, address }: OpenedView,
  { toolRun, domains }: { readonly toolRun: ToolRun; readonly domains: ViewDomains },
  screen: ViewScreen,
): OpenView {
  const { connect, resource, frame: frames } = domains
  const csp = { connectDomains: connect, resourceDomains: resource, frameDomains: frames }
  const bridge = new AppBridge(
    null,
    { name: 'Patchbay', version: '1' },
    { serverTools: {}, serverResources: {}, openLinks: {}, logging: {}, sandbox: { csp } },
    { hostContext: contextOf(frame) },
  )
  const allowed = new Set<string>()
  const request = async (
    method: Method,
    params: JsonObject,
    isApproved = false,
  ): Promise<unknown> => {
    const answer = await call('view.request', { viewId, method, params, isApproved })
    if (answer.kind === 'approval') {
      await approve(screen, allowed, params)
      return request(method, params, true)
    }
    void readHistory({ installationId: toolRun.installationId })
    return resultOf(answer)
  }
  bridge.oncalltool = async ({ name, arguments: args = {} }) =>
    (await request('tools/call', { name, arguments: args })) as { content: [] }
  bridge.onreadresource = async ({ uri }) =>
    (await request('resources/read', { uri })) as { contents: [] }
  bridge.onopenlink = async ({ url }) => {
    const to = URL.parse(url)
    if (to?.protocol !== 'https:') return { isError: true }
    return (await screen.ask({ kind: 'link', url: to })) === 'deny' ? { isError: true } : {}
  }
  bridge.addEventListener('sizechange', ({ height = HEIGHT.usual }) =>
    screen.onHeight(Math.min(Math.max(height, HEIGHT.least), HEIGHT.most)),
  )
  bridge.addEventListener('loggingmessage', ({ data }) => screen.onLog(lineOf(data)))
  bridge.addEventListener('initialized', () => {
    screen.onStarted()
    sendRun(bridge, toolRun).catch(tellFailure)
  })
  const unwatch = watchTheme(() => bridge.setHostContext(contextOf(frame)))
  bridge.connect(new FrameTransport(frame, address, screen.onFrame)).catch(tellFailure)
  return {
    close: async () => {
      unwatch()
      const isOver = bridge.teardownResource({}, { timeout: TEARDOWN_MS }).catch(() => undefined)
      await isOver
      await bridge.close()
      await call('view.close', { viewId }).catch(tellFailure)
    },
  }
}

function lineOf(data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return text.slice(0, LONGEST_LINE)
}

type Method = 'tools/call' | 'resources/read'

async function approve(
  { ask }: ViewScreen,
  allowed: Set<string>,
  { name, arguments: args }: JsonObject,
): Promise<void> {
  const tool = String(name)
  if (allowed.has(tool)) return
  const permission = await ask({ kind: 'call', name: tool, args })
  if (permission === 'deny') throw new Error(DENIED)
  if (permission === 'view') allowed.add(tool)
}

function resultOf(answer: Exclude<ViewAnswer, { kind: 'approval' }>): unknown {
  if (answer.kind === 'error') throw new Error(answer.message)
  return JSON.parse(answer.text)
}

async function sendRun(bridge: AppBridge, toolRun: ToolRun): Promise<void> {
  const args = sentBy(toolRun).params.arguments
  await bridge.sendToolInput({ arguments: isJsonObject(args) ? args : {} })
  const source = toolRunText(toolRun)
  if (!source) return
  let text = ''
  for await (const part of partsOf(source, MOST_RESULT)) text += part.text
  const result: unknown = JSON.parse(text)
  if (isJsonObject(result)) await bridge.sendToolResult({ content: [], ...result })
}

const DARK = '(prefers-color-scheme: dark)'

function contextOf(frame: HTMLIFrameElement): McpUiHostContext {
  const chosen = document.documentElement.dataset.theme
  const isDark = chosen === undefined ? matchMedia(DARK).matches : chosen === 'dark'
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    theme: isDark ? 'dark' : 'light',
    ...{ locale, timeZone, displayMode: 'inline', availableDisplayModes: ['inline'] },
    containerDimensions: { width: frame.clientWidth, maxHeight: HEIGHT.most },
  }
}

function watchTheme(onChange: () => void): () => void {
  const watcher = new MutationObserver(onChange)
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const dark = matchMedia(DARK)
  dark.addEventListener('change', onChange)
  return () => {
    watcher.disconnect()
    dark.removeEventListener('change', onChange)
  }
}
