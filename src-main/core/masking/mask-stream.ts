import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { beginningAtEnd, spansIn } from './secret-spans'

/**
 * Masks a text that arrives in parts and gives the same as for the whole text, wherever it is cut: the
 * end of each part, in which a secret may have begun, is held back until more of it is there.
 */
export class MaskStream {
  readonly #longest: number
  #held = ''
  /** How much of what is held, and of what follows, a mask stands for already. */
  #covered: number

  constructor(
    private readonly forms: readonly string[],
    beginsAnywhere: boolean,
  ) {
    this.#longest = Math.max(0, ...forms.map((form) => form.length))
    this.#covered = beginsAnywhere ? this.#longest : 0
  }

  /** The part of the masked text that is certain by now. */
  push(text: string): string {
    const all = this.#held + text
    // A secret that begins further on may not be there as a whole.
    return this.#take(all, Math.max(0, Math.min(all.length, all.length - this.#longest + 1)))
  }

  /** The rest. With `isCut` the text broke off, so that what may be the beginning of a secret is masked. */
  end(isCut: boolean): string {
    const all = this.#held
    const cut = isCut ? beginningAtEnd(all, this.forms) : 0
    const shown = this.#take(all, all.length - cut)
    return cut > 0 && this.#covered === 0 ? shown + SECRET_MASK : shown
  }

  /** Gives out the first `certain` characters and holds the others. */
  #take(all: string, certain: number): string {
    let shown = ''
    let at = this.#covered
    for (const { start, end } of spansIn(all, this.forms)) {
      if (start >= certain) break
      if (start >= at) shown += all.slice(at, start) + SECRET_MASK
      at = Math.max(at, end)
    }
    shown += all.slice(at, Math.max(at, certain))
    this.#held = all.slice(certain)
    this.#covered = Math.max(0, at - certain)
    return shown
  }
}
