import { createStore } from 'zustand/vanilla'

import type { TreeMove, TreeSize } from './reading/json-calls'
import type { JsonRemote } from './reading/json-thread'
import type { JsonRow } from './reading/json-tree'

/** What of a search is known: where one is among what was found, from 0. */
export type FoundState = {
  readonly text: string
  readonly count: number
  readonly isWhole: boolean
  readonly at: number
}

/** How a tree stands; `edition` is another one whenever other rows stand at the same places. */
export type BrowserState = TreeSize & {
  readonly edition: number
  /** The row of the keyboard. */
  readonly row: number
  readonly found: FoundState | undefined
}

/** What a key does to the row that has the keyboard. */
export type TreeKey =
  | { readonly kind: 'to'; readonly row: number }
  | { readonly kind: 'by'; readonly rows: number }
  | { readonly kind: 'in' | 'out' | 'toggle' | 'beside' | 'last' }
  | { readonly kind: 'begins'; readonly text: string }

const numbers = { last: 0 }

/**
 * A tree on the thread as one page browses it. What is asked is done one after the other, so that keys which come
 * faster than answers do what they would have done slowly.
 */
export class JsonBrowser {
  readonly view = (numbers.last += 1)
  readonly store
  readonly #remote: JsonRemote
  readonly #onFailure: (thrown: unknown) => void
  #chain: Promise<void> = Promise.resolve()
  #wanted = ''
  #isClosed = false

  constructor(remote: JsonRemote, size: TreeSize, onFailure: (thrown: unknown) => void) {
    this.#remote = remote
    this.#onFailure = onFailure
    this.store = createStore<BrowserState>(() => ({
      ...size,
      edition: 0,
      row: 0,
      found: undefined,
    }))
  }

  /**
   * Opens the tree of the value at a pointer; undefined where nothing is there. `onFailure` hears of what could not be
   * done while the tree stands.
   */
  static async open(
    remote: JsonRemote,
    key: string,
    pointer: string,
    onFailure: (thrown: unknown) => void,
  ): Promise<JsonBrowser | undefined> {
    const browser = new JsonBrowser(remote, { count: 0, isCut: false }, onFailure)
    const size = await remote.openView(browser.view, key, pointer)
    if (!size) return undefined
    browser.store.setState(size)
    return browser
  }

  rows(from: number, to: number): Promise<JsonRow[]> {
    return this.#remote.rows(this.view, from, to)
  }

  /** Lets go of the tree; what was asked and is not begun is not done any more. */
  close(): void {
    this.#isClosed = true
    this.#remote.closeView(this.view).catch(() => {
      // The thread ended, and the tree with it.
    })
  }

  /** Does what a key says, after all that was asked before; resolves when it is done. */
  press(key: TreeKey): Promise<void> {
    return this.#next(() => this.#press(key))
  }

  /** Opens or closes a row, and gives it the keyboard. */
  toggle(row: number): Promise<void> {
    return this.#next(async () => {
      this.#goTo(row)
      await this.#toggle(row)
    })
  }

  /** Looks for a text and leads to the first place; one that came meanwhile is looked for in its stead. */
  find(text: string): Promise<void> {
    this.#wanted = text
    return this.#next(async () => {
      if (this.#wanted !== text || this.store.getState().found?.text === text) return
      if (text === '') {
        this.store.setState({ found: undefined })
        return
      }
      const found = await this.#remote.find(this.view, text)
      this.store.setState({ found: { text, ...found, at: 0 } })
      if (found.count > 0) await this.#reveal(0)
    })
  }

  /** Leads to the next place that was found, or the one before, and around. */
  step(by: 1 | -1): Promise<void> {
    return this.#next(async () => {
      const { found } = this.store.getState()
      if (!found || found.count === 0) return
      const at = (found.at + by + found.count) % found.count
      this.store.setState({ found: { ...found, at } })
      await this.#reveal(at)
    })
  }

  /** The value of the row that has the keyboard, at most `most` UTF-16 units of it, and its JSON pointer. */
  value(
    most: number,
    row = this.store.getState().row,
  ): Promise<{ text: string; pointer: string } | undefined> {
    return this.#remote.valueAt(this.view, row, most)
  }

  /** Does one thing after the other; does not reject, and goes on after what fails. */
  #next(work: () => void | Promise<void>): Promise<void> {
    this.#chain = this.#chain
      .then(() => (this.#isClosed ? undefined : work()))
      .catch((thrown: unknown) => {
        // With the tree goes what was on its way.
        if (!this.#isClosed) this.#onFailure(thrown)
      })
    return this.#chain
  }

  async #press(key: TreeKey): Promise<void> {
    const { row, count } = this.store.getState()
    switch (key.kind) {
      case 'to':
      case 'by':
      case 'last':
        this.#goTo(key.kind === 'to' ? key.row : key.kind === 'by' ? row + key.rows : count - 1)
        break
      case 'toggle':
        await this.#toggle(row)
        break
      case 'beside':
        this.#move(await this.#remote.openBeside(this.view, row))
        break
      case 'begins':
        this.#goTo((await this.#remote.rowThatBegins(this.view, key.text, row)) ?? row)
        break
      case 'in':
      case 'out':
        await this.#inOrOut(key.kind)
    }
  }

  async #inOrOut(kind: 'in' | 'out'): Promise<void> {
    const { row } = this.store.getState()
    const [at] = await this.rows(row, row + 1)
    if (!at) return
    const isHolder = at.count > 0
    if (isHolder && at.isOpen === (kind === 'out'))
      this.#move(await this.#remote.setOpen(this.view, row, kind === 'in'))
    else if (kind === 'out') this.#goTo((await this.#remote.holderRow(this.view, row)) ?? row)
    else if (isHolder) this.#goTo(row + 1)
  }

  async #toggle(row: number): Promise<void> {
    const [at] = await this.rows(row, row + 1)
    if (at && at.count > 0) this.#move(await this.#remote.setOpen(this.view, row, !at.isOpen))
  }

  async #reveal(place: number): Promise<void> {
    const move = await this.#remote.reveal(this.view, place)
    if (move) this.#move(move)
  }

  #goTo(row: number): void {
    const { count } = this.store.getState()
    this.store.setState({ row: Math.max(0, Math.min(row, count - 1)) })
  }

  #move({ row, ...size }: TreeMove): void {
    this.store.setState(({ edition }) => ({ ...size, row, edition: edition + 1 }))
  }
}
