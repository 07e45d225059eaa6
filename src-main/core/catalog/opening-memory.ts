import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import {
  CatalogPage,
  CatalogQuery,
  FacetCounts,
} from '../../../src-shared/domain/catalog/catalog-query'

const MAX_BYTES = 2_000_000
/** Pages that are remembered: of the question before it is known which runners there are, and of the one after. */
export const MOST_PAGES = 2

/** A question that windows open with, and its answer: the counts of what was updated lately for each day that it may be asked on. */
const OpeningPage = z.object({
  question: CatalogQuery,
  /** When it was asked, in epoch ms. */
  at: z.number(),
  page: CatalogPage,
  days: z.array(
    z.object({ recent: CatalogQuery.shape.recent, updated: FacetCounts.shape.updated }),
  ),
})
export type OpeningPage = Readonly<z.infer<typeof OpeningPage>>

const OpeningFile = z.object({
  version: z.literal(1),
  /** What the pages are made of. */
  about: z.string(),
  pages: z.array(OpeningPage).max(MOST_PAGES),
})
export type OpeningFile = Readonly<z.infer<typeof OpeningFile>>

/** Remembers the pages that windows open with: `opening.json` in the catalog's folder. What cannot be read counts as nothing. */
export class OpeningMemory {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  read(): OpeningFile | undefined {
    try {
      const text = readFileSync(this.#path, 'utf8')
      return text.length > MAX_BYTES ? undefined : OpeningFile.safeParse(JSON.parse(text)).data
    } catch {
      return undefined // not there yet, or nothing that this version can read
    }
  }

  /** Throws as the file system does. Pages that are too large are not kept. */
  write(about: string, pages: readonly OpeningPage[]): void {
    const file: OpeningFile = { version: 1, about, pages: [...pages] }
    const text = JSON.stringify(file)
    if (text.length > MAX_BYTES) return
    const fresh = `${this.#path}.new`
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, this.#path)
  }

  /** Throws as the file system does. */
  forget(): void {
    rmSync(this.#path, { force: true })
  }

  get #path(): string {
    return join(this.#folder, 'opening.json')
  }
}
