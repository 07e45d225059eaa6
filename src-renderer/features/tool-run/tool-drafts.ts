import { createStore } from 'zustand/vanilla'

/** What is filled in for a tool and was not left behind on purpose: it is there again when its page is. */
export type ToolDraft = {
  readonly tab: 'form' | 'json'
  /** As the form holds them. */
  readonly values: unknown
  /** As it was typed; undefined until somebody did. */
  readonly text: string | undefined
  /** Whether it was changed since it was sent last. */
  readonly isUnsent: boolean
}

/** Most drafts that a window keeps. */
const MOST = 30

const draftStore = createStore<{ readonly drafts: readonly (readonly [string, ToolDraft])[] }>(
  () => ({ drafts: [] }),
)

function keyOf(installationId: string, name: string): string {
  return JSON.stringify([installationId, name])
}

/** What was filled in for a tool in this window. */
export function readDraft(installationId: string, name: string): ToolDraft | undefined {
  const key = keyOf(installationId, name)
  return draftStore.getState().drafts.find(([one]) => one === key)?.[1]
}

/** Keeps what is filled in for a tool, for as long as the window is open. */
export function keepDraft(installationId: string, name: string, draft: ToolDraft): void {
  const key = keyOf(installationId, name)
  draftStore.setState(({ drafts }) => ({
    drafts: [...drafts.filter(([one]) => one !== key), [key, draft] as const].slice(-MOST),
  }))
}
