import type { CacheEntry } from './cache-entry'

/** Who runs from a copy that a runner keeps. */
export type CopyUser = { readonly installationId: string; readonly name: string }

/** Which servers run from which copy, or are about to: a copy in use is not taken away. */
export class CopyUses {
  readonly #users = new Map<string, Set<CopyUser>>()

  /** Notes a user until it is disposed of. */
  begin(entry: CacheEntry, user: CopyUser): Disposable {
    const key = JSON.stringify(entry)
    const users = this.#users.get(key) ?? new Set()
    const own = { ...user }
    users.add(own)
    this.#users.set(key, users)
    return {
      [Symbol.dispose]: () => {
        users.delete(own)
        if (users.size === 0 && this.#users.get(key) === users) this.#users.delete(key)
      },
    }
  }

  /** The names of other servers that use it. */
  others(entry: CacheEntry, installationId: string): string[] {
    const users = [...(this.#users.get(JSON.stringify(entry)) ?? [])]
    return users.filter((one) => one.installationId !== installationId).map(({ name }) => name)
  }
}
