import type { TreeKey } from './json-browser'

/** A key as an event has it. */
type Pressed = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const STEPS: Readonly<Record<string, TreeKey>> = {
  ArrowDown: { kind: 'by', rows: 1 },
  ArrowUp: { kind: 'by', rows: -1 },
  ArrowRight: { kind: 'in' },
  ArrowLeft: { kind: 'out' },
  Home: { kind: 'to', row: 0 },
  End: { kind: 'last' },
  Enter: { kind: 'toggle' },
  ' ': { kind: 'toggle' },
  '*': { kind: 'beside' },
}

/** How soon a letter belongs to the one before it, in ms. */
const TYPING_MS = 700

/** What the keys of a tree do (ARIA, tree view); letters that follow each other quickly are one beginning. */
export class TreeKeys {
  #typed = ''
  #typedAt = 0

  /** What a key asks for, undefined where it is none of the tree's; `page` is how many rows are in view, `at` in ms. */
  keyOf(pressed: Pressed, page: number, at: number): TreeKey | undefined {
    const { key, ctrlKey, metaKey, altKey } = pressed
    if (ctrlKey || metaKey || altKey) return undefined
    if (key === 'PageDown') return { kind: 'by', rows: page }
    if (key === 'PageUp') return { kind: 'by', rows: -page }
    // A space within a word that is typed is a part of it.
    const isTyping = this.#typed !== '' && at - this.#typedAt < TYPING_MS
    if (!(isTyping && key === ' ')) {
      const step = STEPS[key]
      if (step) return step
    }
    if (!/^.$/u.test(key)) return undefined
    this.#typed = isTyping ? this.#typed + key : key
    this.#typedAt = at
    return { kind: 'begins', text: this.#typed }
  }
}
