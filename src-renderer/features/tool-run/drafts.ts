import { useState } from 'react'
import { createStore } from 'zustand/vanilla'

type DraftKey = readonly [string, 'tool' | 'prompt' | 'template', string]

const MOST = 30

const draftStore = createStore<{ readonly drafts: readonly (readonly [string, unknown])[] }>(
  () => ({ drafts: [] }),
)

/** What is filled in, which is there again when its page is, for as long as the window is open. */
export function readDraft(key: DraftKey): unknown {
  const text = JSON.stringify(key)
  return draftStore.getState().drafts.find(([one]) => one === text)?.[1]
}

/** Keeps what is filled in; each kind of thing has drafts of one type. */
export function keepDraft(key: DraftKey, draft: unknown): void {
  const text = JSON.stringify(key)
  draftStore.setState(({ drafts }) => ({
    drafts: [...drafts.filter(([one]) => one !== text), [text, draft] as const].slice(-MOST),
  }))
}

/** Texts by the names of what they are for. */
export type Texts = Readonly<Record<string, string>>

/** What is filled in for a prompt or a template. */
export function useTextDraft(...key: DraftKey): readonly [Texts, (texts: Texts) => void] {
  const [texts, setTexts] = useState(() => (readDraft(key) ?? {}) as Texts)
  const change = (next: Texts): void => {
    keepDraft(key, next)
    setTexts(next)
  }
  return [texts, change]
}
