import { randomUUID } from 'node:crypto'

import type { OpenedLink } from '../../../src-shared/domain/state/opened-link'
import { Emitter } from '../lifecycle/emitter'
import { MAX_LINK_CHARACTERS } from './install-link'

/** Stores the newest link that opened the app until the user has handled it. */
export class OpenedLinks {
  readonly #changed = new Emitter<undefined>()
  #link: OpenedLink | null = null

  readonly onDidChange = this.#changed.event

  get link(): OpenedLink | null {
    return this.#link
  }

  /** Stores a link, truncated just above the length limit, so that its parser rejects it. */
  open({ kind, text }: Pick<OpenedLink, 'kind' | 'text'>): void {
    this.#link = { linkId: randomUUID(), kind, text: text.slice(0, MAX_LINK_CHARACTERS + 1) }
    this.#changed.emit(undefined)
  }

  /** Drops a link; a newer one stays. */
  drop(linkId: string): void {
    if (this.#link?.linkId !== linkId) return
    this.#link = null
    this.#changed.emit(undefined)
  }
}
