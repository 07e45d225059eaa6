import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { ServerTools, ToolsState, ToolView } from '../../src-shared/domain/agents/tools'
import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { ToolChoice } from '../../src-shared/domain/tool-choice'
import { call, toErrorShape } from '../ipc/call'
import { appStore, useApp } from './app-store'

/** All known tools; `tools` stays from the last successful read. */
export type KnownTools = {
  /** Null until the first response. */
  readonly tools: readonly ToolView[] | null
  readonly problem: AppErrorShape | null
  readonly isReading: boolean
  /** State that the newest read belongs to. */
  readonly wanted: object | null
  /** Choices that are being sent to main, by installation. */
  readonly pending: Readonly<Record<string, ToolChoice>>
}

/** Every tool of every server, and whether agents see it. */
export const toolsStore = createStore<KnownTools>(() => ({
  tools: null,
  problem: null,
  isReading: false,
  wanted: null,
  pending: {},
}))

/** Reads until the result belongs to the latest state; changes in the meantime cause one more read. */
async function readAll(): Promise<void> {
  toolsStore.setState({ isReading: true })
  for (;;) {
    const { wanted } = toolsStore.getState()
    try {
      const { tools } = await call('tools.list', {})
      toolsStore.setState({ tools, problem: null })
    } catch (thrown) {
      toolsStore.setState({ problem: toErrorShape(thrown) })
    }
    if (toolsStore.getState().wanted === wanted) break
  }
  toolsStore.setState({ isReading: false })
}

/** Reads the tools unless they were already read for this state. */
export function ensureTools(state: object): void {
  const { wanted, isReading } = toolsStore.getState()
  if (wanted === state) return
  toolsStore.setState({ wanted: state })
  if (!isReading) void readAll()
}

/** Retries after a failure. */
export function retryTools(): void {
  ensureTools({})
}

/** All tools; read again while mounted when main reports a change. */
export function useTools(): KnownTools {
  const state = useApp(({ app }) => app?.tools)
  useEffect(() => {
    if (state) ensureTools(state)
  }, [state])
  return useStore(toolsStore)
}

function dropPending(installationId: string, choice: ToolChoice): void {
  toolsStore.setState(({ pending }) => {
    if (pending[installationId] !== choice) return {}
    const others = Object.entries(pending).filter(([id]) => id !== installationId)
    return { pending: Object.fromEntries(others) }
  })
}

/** Runs a function when main's state includes a choice, or is newer than now: the state follows the response. */
function onceSaved(installationId: string, choice: ToolChoice, run: () => void): void {
  const before = appStore.getState().app?.tools
  const saved = before?.servers.find((server) => server.installationId === installationId)?.choice
  if (JSON.stringify(saved) === JSON.stringify(choice)) {
    run()
    return
  }
  const stop = appStore.subscribe(({ app }) => {
    if (app?.tools === before) return
    stop()
    run()
  })
}

/** Sends a choice to main; it applies until main's state includes it. Throws an `AppError` if main rejects it. */
export async function chooseTools(installationId: string, choice: ToolChoice): Promise<void> {
  toolsStore.setState(({ pending }) => ({ pending: { ...pending, [installationId]: choice } }))
  const drop = (): void => dropPending(installationId, choice)
  try {
    await call('tools.choose', { installationId, choice })
  } catch (thrown) {
    drop()
    throw thrown
  }
  onceSaved(installationId, choice, drop)
}

/** Returns the user's latest choice for a server, saved or not. */
export function choiceOf(server: ServerTools, pending: KnownTools['pending']): ToolChoice {
  return pending[server.installationId] ?? server.choice
}

/** Numbers on all tools; undefined until the first snapshot. */
export function useToolsState(): ToolsState | undefined {
  return useApp(({ app }) => app?.tools)
}

/** Numbers on the tools of one server; undefined until main sent them. */
export function useServerTools(installationId: string): ServerTools | undefined {
  return useApp(({ app }) =>
    app?.tools.servers.find((server) => server.installationId === installationId),
  )
}
