import { join } from 'node:path'

import * as z from 'zod'

import { listedKey, ListedRef } from '../../../src-shared/domain/catalog/listed-ref'
import { readOwnJsonOr, unwritable, writeOwnJson } from '../storage/own-file'

const MAX_FAVORITES = 500
const MAX_VIEWED = 30
const MAX_BYTES = 1_000_000

const StoredFavorites = z.object({
  version: z.literal(1),
  favourites: z.array(ListedRef).max(MAX_FAVORITES),
  viewed: z.array(ListedRef).max(MAX_VIEWED),
})
type StoredFavorites = Readonly<z.infer<typeof StoredFavorites>>
const NONE: StoredFavorites = { version: 1, favourites: [], viewed: [] }

/**
 * The user's favorites and recently viewed servers, newest first: `catalog-marks.json` in the profile folder, apart from the catalog's
 * file, which may be replaced. An unreadable file counts as empty.
 */
export class Favorites {
  readonly #path: string
  #marks: StoredFavorites

  constructor(profileDir: string) {
    this.#path = join(profileDir, 'catalog-marks.json')
    this.#marks = readOwnJsonOr(this.#path, StoredFavorites, MAX_BYTES) ?? NONE
  }

  get favorites(): readonly ListedRef[] {
    return this.#marks.favourites
  }

  get viewed(): readonly ListedRef[] {
    return this.#marks.viewed
  }

  /** Throws SETTINGS_UNWRITABLE and changes nothing then. */
  setFavorite(ref: ListedRef, isFavorite: boolean): void {
    const others = without(this.favorites, ref)
    const favorites = isFavorite ? [refOf(ref), ...others].slice(0, MAX_FAVORITES) : others
    this.#write({ ...this.#marks, favourites: favorites })
  }

  /** Throws SETTINGS_UNWRITABLE and changes nothing then. */
  recordViewed(ref: ListedRef): void {
    const viewed = [refOf(ref), ...without(this.viewed, ref)].slice(0, MAX_VIEWED)
    this.#write({ ...this.#marks, viewed })
  }

  #write(marks: StoredFavorites): void {
    try {
      writeOwnJson(this.#path, marks, MAX_BYTES)
    } catch (cause) {
      throw unwritable(this.#path, cause)
    }
    this.#marks = marks
  }
}

function refOf({ sourceId, name }: ListedRef): ListedRef {
  return { sourceId, name }
}

function without(refs: readonly ListedRef[], ref: ListedRef): ListedRef[] {
  return refs.filter((one) => listedKey(one) !== listedKey(ref))
}
