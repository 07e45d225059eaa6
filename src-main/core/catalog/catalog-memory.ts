import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import { ListedStanding } from '../../../src-shared/domain/catalog/catalog-query'
import { SourceState } from '../../../src-shared/domain/catalog/catalog-sync'

const MAX_BYTES = 5_000_000

/** How the catalog stood when it was last looked into; the texts say what that was about. */
const Remembered = z.object({
  version: z.literal(1),
  sources: z.string(),
  starters: z.string(),
  installed: z.string(),
  states: z.array(SourceState),
  standings: z.array(ListedStanding),
})
export type Remembered = Readonly<z.infer<typeof Remembered>>

/**
 * Remembers how the catalog stands, so that a start with nothing to do need not open it: `known.json` in its folder.
 * What cannot be read counts as nothing.
 */
export class CatalogMemory {
  readonly #folder: string
  #written = ''

  constructor(folder: string) {
    this.#folder = folder
  }

  read(): Remembered | undefined {
    try {
      const text = readFileSync(this.#path, 'utf8')
      return text.length > MAX_BYTES ? undefined : Remembered.safeParse(JSON.parse(text)).data
    } catch {
      return undefined // not there yet, or nothing that this version can read
    }
  }

  /** Throws as the file system does. */
  write(remembered: Remembered): void {
    const text = JSON.stringify(remembered)
    if (text === this.#written) return
    const fresh = `${this.#path}.new`
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, this.#path)
    this.#written = text
  }

  get #path(): string {
    return join(this.#folder, 'known.json')
  }
}
