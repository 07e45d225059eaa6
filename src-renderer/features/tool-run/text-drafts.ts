import { useState } from 'react'
import { createStore } from 'zustand/vanilla'

/** Texts by the names of what they are for. */
export type Texts = Readonly<Record<string, string>>

/** Most drafts that a window keeps. */
const MOST = 30

const draftStore = createStore<{ readonly drafts: readonly (readonly [string, Texts])[] }>(() => ({
  drafts: [],
}))

function keep(key: string, texts: Texts): void {
  draftStore.setState(({ drafts }) => ({
    drafts: [...drafts.filter(([one]) => one !== key), [key, texts] as const].slice(-MOST),
  }))
}

/** What is filled in for a prompt or a template; it is there again when its page is, for as long as the window is open. */
export function useTextDraft(
  installationId: string,
  kind: 'prompt' | 'template',
  name: string,
): readonly [Texts, (texts: Texts) => void] {
  const key = JSON.stringify([installationId, kind, name])
  const [texts, setTexts] = useState<Texts>(
    () => draftStore.getState().drafts.find(([one]) => one === key)?.[1] ?? {},
  )
  const change = (next: Texts): void => {
    keep(key, next)
    setTexts(next)
  }
  return [texts, change]
}
