import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Windows lacks the flag; 0 has no effect there. */
const { O_NONBLOCK = 0 } = constants as Readonly<Record<string, number | undefined>>

/** Opens a file for reading while `use` runs, without waiting for a pipe's writer. Rejects with the system's error. */
export async function withOpenFile<T>(
  path: string,
  use: (file: FileHandle, facts: Stats) => Promise<T>,
): Promise<T> {
  const file = await open(path, constants.O_RDONLY | O_NONBLOCK)
  try {
    return await use(file, await file.stat())
  } finally {
    await file.close()
  }
}

/** Reads a file; undefined if it has more than `maxBytes` bytes, whatever its reported size. Rejects with the system's error. */
export async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) return undefined
  }
  return Buffer.concat(chunks)
}
