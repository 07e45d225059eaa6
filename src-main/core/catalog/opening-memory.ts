import { rmSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import {
  CatalogPage,
  CatalogQuery,
  FacetCounts,
} from '../../../src-shared/domain/catalog/catalog-query'
import { recallOwnJson, writeOwnText } from '../storage/own-file'

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
  readonly #path: string

  constructor(folder: string) {
    this.#path = join(folder, 'opening.json')
  }

  read(): OpeningFile | undefined {
    return recallOwnJson(this.#path, OpeningFile, MAX_BYTES)
  }

  /** Throws as the file system does. Pages that are too large are not kept. */
  write(about: string, pages: readonly OpeningPage[]): void {
    const file: OpeningFile = { version: 1, about, pages: [...pages] }
    const text = JSON.stringify(file)
    if (Buffer.byteLength(text) <= MAX_BYTES) writeOwnText(this.#path, text)
  }

  /** Throws as the file system does. */
  forget(): void {
    rmSync(this.#path, { force: true })
  }
}
