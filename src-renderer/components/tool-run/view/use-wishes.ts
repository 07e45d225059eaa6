import { useState } from 'react'

import type { ViewPermission, ViewWish } from './view-host'

/** Wishes of one view that wait for an answer. */
const MOST_WAITING = 10
/** After so many denials a view is no longer heard. */
const MOST_DENIALS = 3

type Waiting = { readonly wish: ViewWish; readonly decide: (permission: ViewPermission) => void }

/** What a view wants, one after the other. A view that is denied again and again is no longer heard. */
export class Wishes {
  #waiting: readonly Waiting[] = []
  #denials = 0

  constructor(private readonly onFirst: (first: ViewWish | undefined) => void) {}

  readonly ask = (wish: ViewWish): Promise<ViewPermission> => {
    if (this.#denials >= MOST_DENIALS || this.#waiting.length >= MOST_WAITING)
      return Promise.resolve('deny')
    const { promise, resolve } = Promise.withResolvers<ViewPermission>()
    this.#set([...this.#waiting, { wish, decide: resolve }])
    return promise
  }

  readonly decide = (permission: ViewPermission): void => {
    const [first, ...others] = this.#waiting
    if (permission === 'deny') this.#denials += 1
    first?.decide(permission)
    this.#set(others)
  }

  /** Denies all that wait. */
  readonly end = (): void => {
    for (const { decide } of this.#waiting) decide('deny')
    this.#denials = MOST_DENIALS
    this.#set([])
  }

  #set(waiting: readonly Waiting[]): void {
    this.#waiting = waiting
    this.onFirst(waiting[0]?.wish)
  }
}

/** The wishes of a view, and the one that the user decides now. */
export function useWishes(): { readonly wishes: Wishes; readonly wish: ViewWish | undefined } {
  const [wish, setWish] = useState<ViewWish>()
  const [wishes] = useState(() => new Wishes(setWish))
  return { wishes, wish }
}
