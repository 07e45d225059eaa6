import { randomUUID } from 'node:crypto'

import type { OpenedLink } from '../../../src-shared/domain/state/opened-link'
import { Emitter } from '../lifecycle/emitter'
import { MOST_LINK_CHARACTERS } from './install-link'

/** The link that the app was opened with and that its user has not looked through yet: the newest one. It is only kept. */
export class OpenedLinks {
  readonly #changed = new Emitter<undefined>()
  #link: OpenedLink | null = null

  readonly onDidChange = this.#changed.event

  get link(): OpenedLink | null {
    return this.#link
  }

  /** What is beyond the longest link is cut off: it is rejected by who reads it. */
  open({ kind, text }: Pick<OpenedLink, 'kind' | 'text'>): void {
    this.#link = { linkId: randomUUID(), kind, text: text.slice(0, MOST_LINK_CHARACTERS + 1) }
    this.#changed.emit(undefined)
  }

  /** Forgets a link; one that came since stays. */
  drop(linkId: string): void {
    if (this.#link?.linkId !== linkId) return
    this.#link = null
    this.#changed.emit(undefined)
  }
}
