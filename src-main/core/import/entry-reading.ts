import type { Node } from 'jsonc-parser'
import { split } from 'shlex'

import { AppError } from '../../../src-shared/domain/app-error'
import type { ConfigurationNotice } from '../../../src-shared/domain/installation/configuration'
import { wrongShape } from './find-entries'
import { elementsOf, joinPath, membersOf, textOf } from './text/json-tree'

/** The limit of inputs that a registry's package has. */
export const MAX_ROWS = 400

/** A name with its text as in the configuration. */
export type RawPair = { readonly name: string; readonly text: string }

/** An entry being parsed: its members and its notices. */
export type Reading = {
  readonly path: string
  readonly members: ReadonlyMap<string, Node>
  readonly used: Set<string>
  readonly notices: ConfigurationNotice[]
}

/** Returns the first of some keys with a value, and marks all of them as read. */
export function consume(
  reading: Reading,
  keys: readonly string[],
): { key: string; node: Node } | undefined {
  for (const key of keys) reading.used.add(key)
  for (const key of keys) {
    const node = reading.members.get(key)
    if (node && node.type !== 'null') return { key, node }
  }
  return undefined
}

/** Returns a member's path for display. */
export function at({ path }: Reading, key: string): string {
  return joinPath(path, key)
}

/** Splits a command line. Throws INVALID_CONFIG for an open quote. */
export function splitLine(reading: Reading, key: string, line: string): string[] {
  try {
    const parts = split(line)
    addNotice(
      reading,
      key,
      `One line of text, split into ${String(parts.length)} parts. Check them.`,
    )
    return parts
  } catch (cause) {
    throw new AppError('INVALID_CONFIG', `${at(reading, key)}: a quote is not closed.`, {
      cause,
      hint: 'Close the quote in the text, then read it again.',
    })
  }
}

/** Returns the texts of a list. Throws INVALID_CONFIG, naming the path. */
export function elementTexts(
  node: Node | undefined,
  reading: Reading,
  path = at(reading, 'args'),
): string[] {
  return elementsOf(node).map((element, index) => {
    const text = textOf(element)
    if (text === undefined) throw wrongShape(`${path}[${String(index)}]`, 'a string')
    return text
  })
}

/** Returns the text of the first of some keys; undefined if missing or empty. Throws INVALID_CONFIG. */
export function textAt(reading: Reading, keys: readonly string[]): string | undefined {
  const found = consume(reading, keys)
  if (found === undefined) return undefined
  const text = textOf(found.node)
  if (text === undefined) throw wrongShape(at(reading, found.key), 'a string')
  return text === '' ? undefined : text
}

/** Reads a map from name to text, or a list of `NAME=text`; null counts as missing at any depth. */
export function readPairs(
  reading: Reading,
  found: { readonly key: string; readonly node: Node } | undefined,
): RawPair[] {
  if (found === undefined || found.node.type === 'null') return []
  const path = at(reading, found.key)
  if (found.node.type === 'array')
    return elementTexts(found.node, reading, path).map((line) => pairOf(line, '='))
  if (found.node.type !== 'object') throw wrongShape(path, 'an object of strings')
  const pairs = [...membersOf(found.node)].filter(([, node]) => node.type !== 'null')
  if (pairs.length > MAX_ROWS) throw wrongShape(path, `at most ${String(MAX_ROWS)} names`)
  return pairs.map(([name, node]) => {
    const text = textOf(node)
    if (text !== undefined) return { name, text }
    throw ENTRY_KEYS.has(name)
      ? new AppError(
          'INVALID_CONFIG',
          `${joinPath(path, name)} belongs one level up, at ${at(reading, name)}.`,
          {
            hint: 'Move it in the file, then read it again.',
          },
        )
      : wrongShape(joinPath(path, name), 'a string')
  })
}

/** Members of an entry that people put into the map of variables or headers by mistake. */
const ENTRY_KEYS: ReadonlySet<string> = new Set([
  ...['args', 'arguments', 'command', 'env', 'env_vars', 'environment', 'headers', 'http_headers'],
  ...['env_http_headers', 'tools', 'enabled_tools', 'disabled_tools', 'autoApprove', 'alwaysAllow'],
])

/** Splits a name and its text at a separator; a bare name has no text. */
export function pairOf(line: string, sign: ':' | '='): RawPair {
  const end = line.indexOf(sign)
  if (end < 0) return { name: line, text: '' }
  const text = line.slice(end + 1)
  return { name: line.slice(0, end), text: sign === ':' ? text.trim() : text }
}

/** Adds a notice about a member. */
export function addNotice(reading: Reading, key: string, message: string): void {
  reading.notices.push({ path: at(reading, key), message })
}
