import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { StoredSecret } from '../../../../src-shared/domain/installation/stored-secret'

/** An installation that was removed and can still be taken back. */
export type RemovedInstallation = {
  readonly installation: Installation
  /** How many stood before it in the list. */
  readonly place: number
}

/** The lists of the settings file, as far as they could be read. */
export type ReadParts = {
  readonly installations: readonly Installation[]
  readonly secrets: readonly StoredSecret[]
  readonly removed: readonly RemovedInstallation[]
  /** Those of each installation, the last one first. */
  readonly earlier: readonly EarlierVersion[]
}

type JsonObject = Readonly<Record<string, unknown>>
type Part = keyof ReadParts

/** Members that earlier versions wrote and that are read into others. */
const EARLIER = new Set(['packageIndex', 'secretKeys', 'sharedSecrets', 'keptSecrets'])

/** Members of entries that this version of Patchbay doesn't know, such as those of a later one: written back with their entries. */
export class OtherMembers {
  readonly #members = new Map<string, JsonObject>()

  /** Notes what an entry of the file has besides what was read of it. */
  note<P extends Part>(part: P, raw: unknown, read: ReadParts[P][number]): void {
    this.#noteOf(nameOf(part, read), raw, read)
    if ('installation' in read && isObject(raw))
      this.#noteOf(nameOf('installations', read.installation), raw.installation, read.installation)
  }

  /** The entries as they are written. */
  beside<P extends Part>(part: P, entries: ReadParts[P]): readonly unknown[] {
    if (this.#members.size === 0) return entries
    return entries.map((entry) => {
      const whole = this.#with(nameOf(part, entry), entry)
      if (!('installation' in entry)) return whole
      const name = nameOf('installations', entry.installation)
      return { ...whole, installation: this.#with(name, entry.installation) }
    })
  }

  #noteOf(name: string, raw: unknown, read: object): void {
    if (!isObject(raw)) return
    const others = Object.entries(raw).filter(
      ([key]) => !Object.hasOwn(read, key) && !EARLIER.has(key),
    )
    if (others.length > 0) this.#members.set(name, Object.fromEntries(others))
  }

  #with(name: string, entry: object): object {
    const others = this.#members.get(name)
    return others === undefined ? entry : { ...others, ...entry }
  }
}

function nameOf<P extends Part>(part: P, entry: ReadParts[P][number]): string {
  if ('installation' in entry) return `${part} ${entry.installation.installationId}`
  if ('secretId' in entry) return `${part} ${entry.secretId}`
  const version = 'versionKey' in entry ? ` ${entry.versionKey}` : ''
  return `${part} ${entry.installationId}${version}`
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
