import { createHash } from 'node:crypto'

import * as z from 'zod'

import type { SecretBackend } from '../ports'

/** In characters: Windows takes 2,560 bytes an entry, two of them for each character. */
const CHUNK_LENGTH = 1_200

const Head = z.object({
  /** Which of two rows of chunks holds the value. */
  row: z.enum(['a', 'b']),
  count: z.int().min(1).max(1_000),
  /** SHA-256 of the value, as hexadecimal digits. */
  digest: z.string(),
})

/**
 * A secret of any length in a place that limits an entry. A value is written beside the one before and its head last,
 * so whoever ends in between leaves the old value whole. Every call rejects as the backend does.
 */
export class ChunkedSecret {
  constructor(
    private readonly backend: SecretBackend,
    private readonly key: string,
  ) {}

  /** Undefined where there is none, or where a part of it is missing or is another. */
  async read(): Promise<string | undefined> {
    const head = await this.#readHead()
    if (!head) return undefined
    const chunks: string[] = []
    for (let at = 0; at < head.count; at += 1) {
      const chunk = await this.backend.get(this.#chunkKey(head.row, at))
      if (chunk === null) return undefined
      chunks.push(chunk)
    }
    const value = Buffer.from(chunks.join(''), 'base64url').toString('utf8')
    return digestOf(value) === head.digest ? value : undefined
  }

  async write(value: string): Promise<void> {
    const before = await this.#readHead()
    const row = before?.row === 'a' ? 'b' : 'a'
    // As ASCII: no character is cut in two, and none takes more bytes than it is long.
    const text = Buffer.from(value, 'utf8').toString('base64url')
    const count = Math.max(Math.ceil(text.length / CHUNK_LENGTH), 1)
    for (let at = 0; at < count; at += 1) {
      const chunk = text.slice(at * CHUNK_LENGTH, (at + 1) * CHUNK_LENGTH)
      await this.backend.set(this.#chunkKey(row, at), chunk)
    }
    await this.backend.set(this.key, JSON.stringify({ row, count, digest: digestOf(value) }))
    await this.#deleteChunks(row, count)
    await this.#deleteChunks(row === 'a' ? 'b' : 'a', 0)
  }

  async delete(): Promise<void> {
    await this.backend.delete(this.key)
    await this.#deleteChunks('a', 0)
    await this.#deleteChunks('b', 0)
  }

  async #readHead(): Promise<z.infer<typeof Head> | undefined> {
    const text = await this.backend.get(this.key)
    if (text === null) return undefined
    try {
      return Head.safeParse(JSON.parse(text)).data
    } catch {
      return undefined // what somebody else wrote there is no head
    }
  }

  /** From the last one down, so that what an interrupted run leaves is a row without a gap, found the next time. */
  async #deleteChunks(row: 'a' | 'b', from: number): Promise<void> {
    let end = from
    while ((await this.backend.get(this.#chunkKey(row, end))) !== null) end += 1
    for (let at = end - 1; at >= from; at -= 1) await this.backend.delete(this.#chunkKey(row, at))
  }

  #chunkKey(row: 'a' | 'b', at: number): string {
    return `${this.key}/${row}${String(at)}`
  }
}

function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
