import type { JSX } from 'react'
import { createStore } from 'zustand/vanilla'

/** What the dialog of errors shows. */
export const helpStore = createStore<{ readonly topic: string | undefined }>(() => ({
  topic: undefined,
}))

/** Opens the section of docs/errors.md about an error code, failure cause or kind of protocol warning. */
export function showErrorHelp(topic: string): void {
  helpStore.setState({ topic })
}

export function closeErrorHelp(): void {
  helpStore.setState({ topic: undefined })
}

/** A button that explains an error, offline. */
export function LearnMore({ topic }: { readonly topic: string }): JSX.Element {
  return (
    <button
      type="button"
      className="text-button bare text-accent"
      aria-label={`Learn more about ${topic}`}
      onClick={() => showErrorHelp(topic)}
    >
      Learn more
    </button>
  )
}
