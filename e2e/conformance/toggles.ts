import { Emitter } from '../../src-main/core/lifecycle/emitter'

type Kind = 'tools' | 'prompts'

/** Parts of the fixture server that come and go, for all connections. */
export class Toggles {
  readonly isThere = { tools: true, prompts: true }
  readonly #changed = new Emitter<Kind>()

  readonly onDidChange = this.#changed.event

  change(kind: Kind): void {
    this.isThere[kind] = !this.isThere[kind]
    this.#changed.emit(kind)
  }
}
