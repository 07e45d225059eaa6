import type { CacheEntry } from './cache-entry'

/** A server that runs from a runner's cached copy. */
export type CopyUser = { readonly installationId: string; readonly name: string }

/** Tracks which servers run, or are about to run, from which copy: a copy in use isn't deleted. */
export class CopyUses {
  readonly #users = new Map<string, Set<CopyUser>>()

  /** Records a user until disposed. */
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

  /** Returns the names of other servers that use the copy. */
  others(entry: CacheEntry, installationId: string): string[] {
    const users = [...(this.#users.get(JSON.stringify(entry)) ?? [])]
    return users.filter((one) => one.installationId !== installationId).map(({ name }) => name)
  }
}
