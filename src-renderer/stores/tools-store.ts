import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { ServerTools, ToolsState, ToolView } from '../../src-shared/domain/agents/tools'
import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { ToolChoice } from '../../src-shared/domain/tool-choice'
import { call, toErrorShape } from '../ipc/call'
import { appStore, useApp } from './app-store'

/** What is known of all tools; `tools` stays from the last good reading. */
export type KnownTools = {
  /** Null until the first answer. */
  readonly tools: readonly ToolView[] | null
  readonly problem: AppErrorShape | null
  readonly isReading: boolean
  /** What the newest reading is, or will be, of. */
  readonly wanted: object | null
  /** Choices on their way to main, by installation. */
  readonly pending: Readonly<Record<string, ToolChoice>>
}

/** Every tool of every server, as agents are or are not shown it. */
export const toolsStore = createStore<KnownTools>(() => ({
  tools: null,
  problem: null,
  isReading: false,
  wanted: null,
  pending: {},
}))

/** Reads until what was read is what was wanted last; what changes meanwhile asks for one more reading, not for many. */
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

/** Reads the tools when they were not read for this state yet. */
export function ensureTools(state: object): void {
  const { wanted, isReading } = toolsStore.getState()
  if (wanted === state) return
  toolsStore.setState({ wanted: state })
  if (!isReading) void readAll()
}

/** Asks again after a failure. */
export function readToolsAgain(): void {
  ensureTools({})
}

/** All tools; read again while the caller stands whenever main says that they changed. */
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

/** Calls once main's state has a choice, or anything newer than what stands now: main tells what changed after it answers. */
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

/** Sends a choice to main; until its state tells of it the choice counts as made. Throws an `AppError` when main rejects. */
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

/** The choice of a server as its user made it last, answered or not. */
export function choiceOf(server: ServerTools, pending: KnownTools['pending']): ToolChoice {
  return pending[server.installationId] ?? server.choice
}

/** The tools in numbers; undefined until the first snapshot. */
export function useToolsState(): ToolsState | undefined {
  return useApp(({ app }) => app?.tools)
}

/** The tools of one server in numbers; undefined until main sent it. */
export function useServerTools(installationId: string): ServerTools | undefined {
  return useApp(({ app }) =>
    app?.tools.servers.find((server) => server.installationId === installationId),
  )
}
