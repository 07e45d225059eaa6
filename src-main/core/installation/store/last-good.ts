import { dirname, join, parse } from 'node:path'

import { messageOf } from '../../failure/describe-failure'
import { readOwnText, writeOwnText } from '../../storage/own-file'

const MAX_BYTES = 256 * 1024 * 1024

/** Decodes a settings file by its byte order mark, which editors may add. */
export function decodeDocument(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

/** Returns why a text isn't a settings document, as a sentence; undefined if it is one. */
export function faultOf(text: string): string | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    // The parser's message quotes the file, which doesn't belong in a notice.
    return text.replaceAll('\0', '').trim() === ''
      ? 'The settings file is empty.'
      : 'The settings file isn’t valid JSON.'
  }
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return isObject ? undefined : 'The settings file isn’t a JSON object.'
}

/** Saves a readable settings text next to the file and flushes it. Never throws, because the file itself is already written. */
export function writeLastGood(file: string, text: string): void {
  const path = lastGoodOf(file)
  try {
    if (readLastGood(file) !== text) writeOwnText(path, text, true)
  } catch (error) {
    process.stderr.write(`patchbay: ${path} couldn’t be written (${messageOf(error)}).\n`)
  }
}

/** Returns the text saved last; undefined if there is no usable one. */
export function readLastGood(file: string): string | undefined {
  const found = readOwnText(lastGoodOf(file), MAX_BYTES)
  return found.kind === 'there' && faultOf(found.value) === undefined ? found.value : undefined
}

function lastGoodOf(file: string): string {
  return join(dirname(file), `${parse(file).name}.last-good.json`)
}
