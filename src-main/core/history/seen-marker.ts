import * as z from 'zod'

import { readOwnJson, writeOwnJson } from '../storage/own-file'

const MAX_BYTES = 1_000
const Looked = z.object({ version: z.literal(1), at: z.number() })

/** Until when the user has seen what recovered by itself, kept over restarts; a file that cannot be read counts as never. */
export class SeenMarker {
  #at: number

  constructor(private readonly file: string) {
    const found = readOwnJson(file, Looked, MAX_BYTES)
    this.#at = found.kind === 'there' ? found.value.at : 0
  }

  /** Epoch ms; 0 for never. */
  get at(): number {
    return this.#at
  }

  /** Holds for this run also where it cannot be written: then throws the system's error. */
  set(at: number): void {
    this.#at = at
    writeOwnJson(this.file, { version: 1, at }, MAX_BYTES)
  }
}
