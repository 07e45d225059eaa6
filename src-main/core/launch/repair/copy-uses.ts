import type { CacheEntry } from './cache-entry'

/** A server that runs from a runner's cached copy. */
export type CopyUser = { readonly installationId: string; readonly name: string }

/** Tracks which servers run, or are about to run, from which copy: a copy in use isn't deleted. */
export class CopyUses {
  readonly #uses = new Set<CopyUser & { readonly copy: string }>()

  /** Records a user until disposed. */
  begin(entry: CacheEntry, user: CopyUser): Disposable {
    const use = { ...user, copy: JSON.stringify(entry) }
    this.#uses.add(use)
    return { [Symbol.dispose]: () => void this.#uses.delete(use) }
  }

  /** Returns the names of other servers that use the copy. */
  otherUsers(entry: CacheEntry, installationId: string): string[] {
    const copy = JSON.stringify(entry)
    return [...this.#uses]
      .filter((use) => use.copy === copy && use.installationId !== installationId)
      .map(({ name }) => name)
  }
}
