import { useState } from 'react'
import { createStore } from 'zustand/vanilla'

type DraftKey = readonly [string, 'tool' | 'prompt' | 'template', string]

const MOST = 30

const draftStore = createStore<{ readonly drafts: readonly (readonly [string, unknown])[] }>(
  () => ({ drafts: [] }),
)

/** Returns the input of a page, kept while the window is open. */
export function readDraft(key: DraftKey): unknown {
  const text = JSON.stringify(key)
  return draftStore.getState().drafts.find(([one]) => one === text)?.[1]
}

/** Stores the input of a page; each kind of page has its own draft type. */
export function storeDraft(key: DraftKey, draft: unknown): void {
  const text = JSON.stringify(key)
  draftStore.setState(({ drafts }) => ({
    drafts: [...drafts.filter(([one]) => one !== text), [text, draft] as const].slice(-MOST),
  }))
}

/** Texts by argument name. */
export type Texts = Readonly<Record<string, string>>

/** Returns the input for a prompt or a template, and its setter. */
export function useTextDraft(...key: DraftKey): readonly [Texts, (texts: Texts) => void] {
  const [texts, setTexts] = useState(() => (readDraft(key) ?? {}) as Texts)
  const change = (next: Texts): void => {
    storeDraft(key, next)
    setTexts(next)
  }
  return [texts, change]
}
