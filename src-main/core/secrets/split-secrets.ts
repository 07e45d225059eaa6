import { createHash } from 'node:crypto'

import type { Keychain } from '../ports'

/** UTF-8 bytes that Windows saves in one entry (CRED_MAX_CREDENTIAL_BLOB_SIZE). */
const MAX_BYTES = 2_560
/** In ASCII characters; also fits a keychain that uses two bytes for each. */
const CHUNK_LENGTH = 1_200
const MAX_CHUNKS = 1_000
const CHUNK_KEY = /^(.+)\/[ab]\d+$/su

/** The entry under the key of a split secret. */
type Head = {
  /** The one of two rows of chunks that holds the value. */
  readonly row: 'a' | 'b'
  readonly count: number
  /** SHA-256 of the value in hex. */
  readonly digest: string
}

/**
 * Stores secrets of any length in a keychain that limits entries: a long secret takes several entries. The chunks of a new value are
 * written before its head, and the old ones are deleted last. An interrupted write therefore leaves the old value or the new one. `keys`
 * lists no chunks, except those of an interrupted first write, which can be deleted by their own keys.
 */
export function splitSecrets(keychain: Keychain): Keychain {
  return {
    get: async (key) => {
      const text = await keychain.get(key)
      const head = readHead(text)
      return head ? readChunks(keychain, key, head) : text
    },
    set: async (key, value) => {
      const row = await write(keychain, key, value)
      for (const other of ['a', 'b'] as const)
        await deleteChunks(keychain, key, other, other === row.name ? row.count : 0)
    },
    delete: async (key) => {
      const wasThere = await keychain.delete(key)
      await deleteChunks(keychain, key, 'a', 0)
      await deleteChunks(keychain, key, 'b', 0)
      return wasThere
    },
    keys: async () => {
      const keys = new Set(await keychain.keys())
      return [...keys].filter((key) => !keys.has(CHUNK_KEY.exec(key)?.[1] ?? ''))
    },
  }
}

/** Writes a short value whole, unless it looks like a head. */
async function write(
  keychain: Keychain,
  key: string,
  value: string,
): Promise<{ readonly name?: Head['row']; readonly count: number }> {
  if (Buffer.byteLength(value) <= MAX_BYTES && !readHead(value)) {
    await keychain.set(key, value)
    return { count: 0 }
  }
  const name = readHead(await keychain.get(key))?.row === 'a' ? 'b' : 'a'
  // Base64 is ASCII: no character is split, and each takes one byte.
  const text = Buffer.from(value).toString('base64url')
  const count = Math.ceil(text.length / CHUNK_LENGTH)
  if (count > MAX_CHUNKS) throw new Error('The secret is too long')
  for (let at = 0; at < count; at += 1) {
    const chunk = text.slice(at * CHUNK_LENGTH, (at + 1) * CHUNK_LENGTH)
    await keychain.set(chunkKey(key, name, at), chunk)
  }
  const head: Head = { row: name, count, digest: digestOf(value) }
  await keychain.set(key, JSON.stringify(head))
  return { name, count }
}

/** Null if a chunk is missing or changed. */
async function readChunks(
  keychain: Keychain,
  key: string,
  { row, count, digest }: Head,
): Promise<string | null> {
  const chunks: string[] = []
  for (let at = 0; at < count; at += 1) {
    const chunk = await keychain.get(chunkKey(key, row, at))
    if (chunk === null) return null
    chunks.push(chunk)
  }
  const value = Buffer.from(chunks.join(''), 'base64url').toString('utf8')
  return digestOf(value) === digest ? value : null
}

/** Deletes chunks from the last one down: an interrupted run leaves a row without a gap, which the next run finds. */
async function deleteChunks(
  keychain: Keychain,
  key: string,
  row: Head['row'],
  from: number,
): Promise<void> {
  let end = from
  while ((await keychain.get(chunkKey(key, row, end))) !== null) end += 1
  for (let at = end - 1; at >= from; at -= 1) await keychain.delete(chunkKey(key, row, at))
}

function readHead(text: string | null): Head | undefined {
  const parts = /^\{"row":"([ab])","count":(\d{1,4}),"digest":"([0-9a-f]{64})"\}$/u.exec(text ?? '')
  const [, row, count, digest = ''] = parts ?? []
  if (row === undefined || Number(count) < 1 || Number(count) > MAX_CHUNKS) return undefined
  return { row: row === 'a' ? 'a' : 'b', count: Number(count), digest }
}

function chunkKey(key: string, row: Head['row'], at: number): string {
  return `${key}/${row}${String(at)}`
}

function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
