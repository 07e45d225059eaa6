import { join } from 'node:path'

import * as z from 'zod'

import { readOwnJsonOr, writeOwnJson } from '../core/storage/own-file'

const FILE = 'desktop.json'
const MAX_BYTES = 16_384

const memorySchema = z.object({
  version: z.literal(1),
  /** Whether the user knows that the app continues without its window. */
  hasExplainedBackground: z.boolean().default(false),
  /** The last picked folder. */
  pickedFolder: z.string().max(4_096).optional(),
})
type Memory = Omit<z.infer<typeof memorySchema>, 'version'>

/** What the desktop app remembers between runs; an unreadable or unwritable file is a small loss. */
export class DesktopMemory {
  readonly #path: string
  #memory: Memory

  constructor(profileDir: string) {
    this.#path = join(profileDir, FILE)
    this.#memory = readOwnJsonOr(this.#path, memorySchema, MAX_BYTES) ?? {
      hasExplainedBackground: false,
    }
  }

  get value(): Readonly<Memory> {
    return this.#memory
  }

  store(change: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...change }
    try {
      writeOwnJson(this.#path, { version: 1, ...this.#memory }, MAX_BYTES)
    } catch (error) {
      process.stderr.write(`${FILE} could not be written: ${String(error)}\n`)
    }
  }
}
