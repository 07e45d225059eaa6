import { open } from 'node:fs/promises'

const START = Buffer.from('MCPB_SIG_V1')
const END = Buffer.from('MCPB_SIG_END')
/** Signatures with their certificates are a few KB; the format pads them to 16. */
const MOST_BYTES = 64 * 1024

/**
 * Cuts the signature off that the publishers' tool appends behind the archive, which is no part of the zip
 * format. The signature itself is not judged: the hash is. Leaves every other file as it is.
 */
export async function cutSignature(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const tail = Buffer.alloc(Math.min(size, MOST_BYTES))
    await handle.read(tail, 0, tail.length, size - tail.length)
    if (!tail.subarray(-END.length).equals(END)) return
    const start = tail.lastIndexOf(START)
    // A newer tool counts it to the comment of the archive, where it may stay.
    if (start < 0 || !endsArchive(tail.subarray(0, start))) return
    await handle.truncate(size - tail.length + start)
  } finally {
    await handle.close()
  }
}

const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const END_RECORD_BYTES = 22

/** Whether these bytes end with a zip archive's last record and exactly its comment. */
function endsArchive(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(END_RECORD)
  if (at < 0 || at + END_RECORD_BYTES > bytes.length) return false
  return at + END_RECORD_BYTES + bytes.readUInt16LE(at + 20) === bytes.length
}
