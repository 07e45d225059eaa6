import type { Node } from 'jsonc-parser'
import { split } from 'shlex'

import { AppError } from '../../../src-shared/domain/app-error'
import type { ConfigurationNotice } from '../../../src-shared/domain/configuration'
import { wrongShape } from './find-entries'
import { elementsOf, joinPath, membersOf, repeatedNames, textOf } from './json-tree'

/** As many inputs as a package of the registry may have. */
const MAX_ROWS = 400

/** A name with its text, as the configuration writes it. */
export type RawPair = { readonly name: string; readonly text: string }

/** One server as its entry writes it: placeholders are not filled in, secrets not told apart. */
export type RawServer = {
  readonly path: string
  readonly run:
    | {
        readonly kind: 'command'
        readonly command: string
        readonly args: readonly string[]
        readonly env: readonly RawPair[]
        readonly cwd: string | undefined
        readonly envFile: string | undefined
      }
    | {
        readonly kind: 'address'
        readonly type: 'streamable-http' | 'sse'
        readonly url: string
        readonly headers: readonly RawPair[]
      }
  readonly notices: readonly ConfigurationNotice[]
}

const COMMAND_KEYS = ['command', 'cmd', 'args', 'arguments']
const ENV_KEYS = ['env', 'environment', 'envs']
const CWD_KEYS = ['cwd', 'workingDirectory']
const ADDRESS_KEYS = ['url', 'serverUrl', 'httpUrl']
const HEADER_KEYS = ['headers', 'http_headers', 'requestInit']
const TYPE_KEYS = ['type', 'transport', 'transportType']
/** What says nothing about how a server runs; nothing is started by adding it. */
const SILENT_KEYS = [
  'name',
  'id',
  'description',
  'title',
  'disabled',
  'enabled',
  '$schema',
  'inputs',
]

/** One entry under reading: its members, and what is to be said of them. */
type Reading = {
  readonly path: string
  readonly members: ReadonlyMap<string, Node>
  readonly used: Set<string>
  readonly notices: ConfigurationNotice[]
}

/** Reads one entry of a configuration; `command` and `cmd` win over an address. Throws INVALID_CONFIG, naming the path. */
export function readEntry(node: Node, path: string): RawServer {
  const where = path === '' ? 'the entry' : path
  if (node.type !== 'object') throw wrongShape(where, 'an object')
  const reading: Reading = {
    path,
    members: membersOf(node),
    used: new Set(SILENT_KEYS),
    notices: repeatedNames(node).map((name) => ({
      path: joinPath(path, name),
      message: 'It is given more than once; the last one counts.',
    })),
  }
  const hasCommand = reading.members.has('command') || reading.members.has('cmd')
  if (!hasCommand && !ADDRESS_KEYS.some((key) => reading.members.has(key)))
    throw wrongShape(where, '"command", "cmd" or "url"')
  const run = hasCommand ? readCommand(reading) : readAddress(reading)
  noteRest(reading)
  return { path, run, notices: reading.notices.slice(0, 100) }
}

function take(reading: Reading, keys: readonly string[]): { key: string; node: Node } | undefined {
  for (const key of keys) reading.used.add(key)
  for (const key of keys) {
    const node = reading.members.get(key)
    if (node && node.type !== 'null') return { key, node }
  }
  return undefined
}

function at({ path }: Reading, key: string): string {
  return joinPath(path, key)
}

function readCommand(reading: Reading): RawServer['run'] {
  const [command = '', ...first] = commandParts(reading)
  if (command.trim() === '') throw wrongShape(at(reading, 'command'), 'the program to run')
  // Zed once kept arguments and variables inside of the command.
  const inner = membersOf(reading.members.get('command'))
  const args = [...first, ...readArguments(reading), ...elementTexts(inner.get('args'), reading)]
  const innerEnv = inner.get('env')
  const env = [
    ...readPairs(reading, take(reading, ENV_KEYS)),
    ...readPairs(reading, innerEnv && { key: 'env', node: innerEnv }),
  ]
  if (args.length > MAX_ROWS || env.length > MAX_ROWS)
    throw wrongShape(at(reading, 'args'), `at most ${String(MAX_ROWS)} arguments and variables`)
  const cwd = textAt(reading, CWD_KEYS)
  const envFile = textAt(reading, ['envFile', 'env_file'])
  noteTransport(reading)
  for (const key of [...ADDRESS_KEYS, ...HEADER_KEYS]) {
    reading.used.add(key)
    if (reading.members.has(key))
      note(reading, key, 'Set aside: the entry has a command, and that counts.')
  }
  return { kind: 'command', command, args, env, cwd, envFile }
}

/** The program with the arguments that stand beside it: `command` before `cmd`. */
function commandParts(reading: Reading): string[] {
  const found = take(reading, COMMAND_KEYS.slice(0, 2))
  if (found === undefined) return []
  const { key, node } = found
  const path = at(reading, key)
  if (node.type === 'array') return elementTexts(node, reading, path)
  if (node.type === 'object') return [textOf(membersOf(node).get('path')) ?? '']
  const text = textOf(node) ?? ''
  if (key === 'cmd') return splitLine(reading, key, text)
  if (/\s/.test(text.trim()) && !reading.members.has('args'))
    note(reading, key, 'It holds a space and is run as the name of one program, as it is written.')
  return [text]
}

function splitLine(reading: Reading, key: string, line: string): string[] {
  try {
    const parts = split(line)
    note(reading, key, `One line of text, split into ${String(parts.length)} parts. Check them.`)
    return parts
  } catch (cause) {
    throw new AppError('INVALID_CONFIG', `${at(reading, key)}: the line has an open quote.`, {
      cause,
      hint: 'Close it in the text, then read it again.',
    })
  }
}

function readArguments(reading: Reading): string[] {
  const found = take(reading, COMMAND_KEYS.slice(2))
  if (found === undefined) return []
  if (found.node.type === 'array') return elementTexts(found.node, reading, at(reading, found.key))
  const line = textOf(found.node)
  if (line === undefined) throw wrongShape(at(reading, found.key), 'a list of texts')
  return splitLine(reading, found.key, line)
}

function elementTexts(
  node: Node | undefined,
  reading: Reading,
  path = at(reading, 'args'),
): string[] {
  return elementsOf(node).map((element, index) => {
    const text = textOf(element)
    if (text === undefined) throw wrongShape(`${path}[${String(index)}]`, 'a text')
    return text
  })
}

function textAt(reading: Reading, keys: readonly string[]): string | undefined {
  const found = take(reading, keys)
  if (found === undefined) return undefined
  const text = textOf(found.node)
  if (text === undefined) throw wrongShape(at(reading, found.key), 'a text')
  return text === '' ? undefined : text
}

/** A map from name to text, or a list of `NAME=text`. */
function readPairs(
  reading: Reading,
  found: { readonly key: string; readonly node: Node } | undefined,
): RawPair[] {
  if (found === undefined) return []
  const path = at(reading, found.key)
  if (found.node.type === 'array') return elementTexts(found.node, reading, path).map(pairOfLine)
  if (found.node.type !== 'object') throw wrongShape(path, 'a map from name to text')
  const pairs = [...membersOf(found.node)].filter(([, node]) => node.type !== 'null')
  if (pairs.length > MAX_ROWS) throw wrongShape(path, `at most ${String(MAX_ROWS)} names`)
  return pairs.map(([name, node]) => {
    const text = textOf(node)
    if (text === undefined) throw wrongShape(joinPath(path, name), 'a text')
    return { name, text }
  })
}

function pairOfLine(line: string): RawPair {
  const end = line.indexOf('=')
  return end === -1
    ? { name: line, text: '' }
    : { name: line.slice(0, end), text: line.slice(end + 1) }
}

const STREAMABLE = /^(https?|streamable[-_]?https?|remote)$/i

function readAddress(reading: Reading): RawServer['run'] {
  const found = take(reading, ADDRESS_KEYS)
  const url = textOf(found?.node)
  if (found === undefined || url === undefined)
    throw wrongShape(at(reading, found?.key ?? 'url'), 'an address')
  const looksSse = found.key !== 'httpUrl' && /\/sse\/?(\?|$)/.test(url)
  return { kind: 'address', type: readType(reading, looksSse), url, headers: readHeaders(reading) }
}

/** What the entry says of its transport; where it says nothing, what its address looks like. */
function readType(reading: Reading, looksSse: boolean): 'streamable-http' | 'sse' {
  const said = textAt(reading, TYPE_KEYS)
  if (said === undefined || /^stdio$/i.test(said)) return looksSse ? 'sse' : 'streamable-http'
  if (/^sse$/i.test(said)) return 'sse'
  if (STREAMABLE.test(said)) return 'streamable-http'
  throw wrongShape(at(reading, 'type'), `"http" or "sse", not "${said.slice(0, 40)}"`)
}

function readHeaders(reading: Reading): RawPair[] {
  const inner = membersOf(reading.members.get('requestInit')).get('headers')
  const own = take(reading, HEADER_KEYS.slice(0, 2))
  reading.used.add('requestInit')
  return readPairs(reading, own ?? (inner && { key: 'requestInit', node: inner }))
}

function noteTransport(reading: Reading): void {
  const found = take(reading, TYPE_KEYS)
  const said = textOf(found?.node)
  if (found && said !== undefined && !/^(stdio|local)$/i.test(said))
    note(reading, found.key, 'Set aside: a server that has a command speaks over stdio.')
}

function noteRest(reading: Reading): void {
  for (const key of reading.members.keys()) {
    if (reading.used.has(key)) continue
    const isTools = key === 'tools'
    note(
      reading,
      key,
      isTools
        ? 'Set aside: for now a server offers all of its tools.'
        : 'Set aside: Patchbay has no such setting.',
    )
  }
}

function note(reading: Reading, key: string, message: string): void {
  reading.notices.push({ path: at(reading, key), message })
}
