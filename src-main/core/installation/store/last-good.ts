import { dirname, join, parse } from 'node:path'

import { messageOf } from '../../failure/describe-failure'
import { readOwnText, writeOwnText } from '../../storage/own-file'

const MAX_BYTES = 256 * 1024 * 1024

/** A settings file as text: a byte order mark, which editors add, says only how the bytes are to be read. */
export function decodeDocument(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

/** Why a text is no settings document, as a sentence; undefined where it is one. */
export function faultOf(text: string): string | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    // The parser's own message quotes the file, which is not for a notice.
    return text.replaceAll('\0', '').trim() === ''
      ? 'The settings file is empty.'
      : 'The settings file isn’t valid JSON.'
  }
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return isObject ? undefined : 'The settings file isn’t a JSON object.'
}

/** Keeps the text of a settings file that can be read, beside it and on the disk; never throws, as the file itself is written. */
export function writeLastGood(file: string, text: string): void {
  const path = lastGoodOf(file)
  try {
    if (readLastGood(file) !== text) writeOwnText(path, text, true)
  } catch (error) {
    process.stderr.write(`patchbay: ${path} couldn’t be written (${messageOf(error)}).\n`)
  }
}

/** The text that was kept last; undefined where there is none that can be used. */
export function readLastGood(file: string): string | undefined {
  const found = readOwnText(lastGoodOf(file), MAX_BYTES)
  return found.kind === 'there' && faultOf(found.value) === undefined ? found.value : undefined
}

function lastGoodOf(file: string): string {
  return join(dirname(file), `${parse(file).name}.last-good.json`)
}
