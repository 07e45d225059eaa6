import { join } from 'node:path'

import * as z from 'zod'

import { SourceStatus } from '../../../src-shared/domain/catalog/catalog-query'
import { SourceState } from '../../../src-shared/domain/catalog/catalog-sync'
import { recallOwnJson, writeOwnText } from '../storage/own-file'

const MAX_BYTES = 5_000_000

/** How the catalog stood when it was last looked into; the texts say what that was about. */
const Remembered = z.object({
  version: z.literal(1),
  sources: z.string(),
  starters: z.string(),
  installed: z.string(),
  states: z.array(SourceState),
  statuses: z.array(SourceStatus),
})
export type Remembered = Readonly<z.infer<typeof Remembered>>

/**
 * Remembers how the catalog stands, so that a start with nothing to do need not open it: `known.json` in its folder.
 * What cannot be read counts as nothing.
 */
export class CatalogMemory {
  readonly #path: string
  #written = ''

  constructor(folder: string) {
    this.#path = join(folder, 'known.json')
  }

  read(): Remembered | undefined {
    return recallOwnJson(this.#path, Remembered, MAX_BYTES)
  }

  /** Throws as the file system does. */
  write(remembered: Remembered): void {
    const text = JSON.stringify(remembered)
    if (text === this.#written) return
    writeOwnText(this.#path, text)
    this.#written = text
  }
}
