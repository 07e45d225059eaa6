import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

import type { Node } from 'jsonc-parser'

import type { ConfigurationNotice } from '../../../src-shared/domain/installation/configuration'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import {
  addNotice,
  at,
  consume,
  elementTexts,
  MAX_ROWS,
  type RawPair,
  type Reading,
  readPairs,
  splitLine,
  textAt,
} from './entry-reading'
import { ADDRESS_KEYS, wrongShape } from './find-entries'
import { type RawClient, readClient } from './read-client'
import { joinPath, membersOf, repeatedNames, textOf, valueOf } from './text/json-tree'
import { readTools } from './tool-list'

/** One server as its entry writes it: placeholders not filled in, secrets not recognized. */
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
  /** The tools that are available to agents. */
  readonly tools: SavedToolChoice
  /** Client at its authorization server; a command has none. */
  readonly oauth: RawClient | undefined
  readonly notices: readonly ConfigurationNotice[]
}

const COMMAND_KEYS = ['command', 'cmd', 'args', 'arguments']
const ENV_KEYS = ['env', 'environment', 'envs']
const CWD_KEYS = ['cwd', 'workingDirectory']
const HEADER_KEYS = ['headers', 'http_headers', 'requestInit']
const TYPE_KEYS = ['type', 'transport', 'transportType']
/** Members that don't affect how a server runs; adding a server starts nothing. */
const SILENT_KEYS = [
  ...['name', 'id', 'description', 'title', 'disabled', 'enabled', '$schema', 'inputs'],
  // Members that apps write for themselves.
  ...['displayName', 'display_name', 'bundled', 'source', 'gallery', 'version', 'faviconUrl'],
  ...['active', 'official'],
]
/** Programs whose first argument is a script. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|tsx|python\d?(?:\.\d+)?|py|ruby|php)(?:\.exe)?$/iu
const SCRIPT = /^[^-].*\.(?:[cm]?[jt]s|py|rb|php)$/iu
/** Ignored keys with an explanation. */
const KNOWN_KEYS = [
  { pattern: /time_?out/i, message: 'Ignored: set time limits in the server’s settings.' },
  {
    pattern: /^(auto_?approve|always_?allow|trust)$/i,
    message: 'Ignored: set approvals for each agent in Patchbay.',
  },
] as const

/** Parses one entry of a configuration; `command` and `cmd` override an address. Throws INVALID_CONFIG, naming the path. */
export function readEntry(node: Node, path: string): RawServer {
  const where = path === '' ? 'the entry' : path
  if (node.type !== 'object') throw wrongShape(where, 'an object')
  const reading: Reading = {
    path,
    members: membersOf(node),
    used: new Set(SILENT_KEYS),
    notices: repeatedNames(node).map((name) => ({
      path: joinPath(path, name),
      message: 'Duplicate key; the last value is used.',
    })),
  }
  const hasCommand = reading.members.has('command') || reading.members.has('cmd')
  if (!hasCommand && !ADDRESS_KEYS.some((key) => reading.members.has(key)))
    throw wrongShape(where, '"command", "cmd" or "url"')
  const run = hasCommand ? readCommand(reading) : readAddress(reading)
  const tools = readTools(reading)
  const oauth = run.kind === 'address' ? readClient(reading) : undefined
  addUnknownNotices(reading)
  return { path, run, tools, oauth, notices: reading.notices.slice(0, 100) }
}

function readCommand(reading: Reading): RawServer['run'] {
  const [written = '', ...first] = commandParts(reading)
  if (written.trim() === '') throw wrongShape(at(reading, 'command'), 'the program to run')
  // An older Zed format nested arguments and variables in the command.
  const inner = membersOf(reading.members.get('command'))
  const allArguments = [
    ...first,
    ...readArguments(reading),
    ...elementTexts(inner.get('args'), reading),
  ]
  const [command = '', ...args] = adaptWindowsCommand(reading, [written, ...allArguments])
  const innerEnv = inner.get('env')
  const env = [
    ...readPairs(reading, consume(reading, ENV_KEYS)),
    ...readPairs(reading, innerEnv && { key: 'env', node: innerEnv }),
  ]
  if (args.length > MAX_ROWS || env.length > MAX_ROWS)
    throw wrongShape(at(reading, 'args'), `at most ${String(MAX_ROWS)} arguments and variables`)
  const cwd = textAt(reading, CWD_KEYS)
  const envFile = textAt(reading, ['envFile', 'env_file'])
  addTransportNotice(reading)
  if (cwd === undefined) warnRelativePath(reading, command, args)
  for (const key of [...ADDRESS_KEYS, ...HEADER_KEYS]) {
    reading.used.add(key)
    if (reading.members.has(key))
      addNotice(reading, key, 'Ignored because the entry has a command.')
  }
  return { kind: 'command', command, args, env, cwd, envFile }
}

/** Warns of a script with a relative path that isn't in the home folder, where servers run by default. */
function warnRelativePath(reading: Reading, command: string, args: readonly string[]): void {
  const isInterpreter = INTERPRETER.test(command.split(/[/\\]/u).at(-1) ?? '')
  const script = isInterpreter
    ? args.find((word) => SCRIPT.test(word) || word === '-m')
    : /^\.{0,2}[\w.-]*[/\\]/u.exec(command)?.input
  if (script === undefined || /^[-~$%{]/u.test(script) || isAbsolute(script)) return
  if (existsSync(join(homedir(), script))) return
  addNotice(
    reading,
    isInterpreter ? 'args' : 'command',
    `“${script.slice(0, 200)}” isn’t in your home folder. Set its folder as the working folder.`,
  )
}

/** Returns the program with adjacent arguments: `command` before `cmd`. */
function commandParts(reading: Reading): string[] {
  const found = consume(reading, COMMAND_KEYS.slice(0, 2))
  if (found === undefined) return []
  const { key, node } = found
  const path = at(reading, key)
  if (node.type === 'array') return elementTexts(node, reading, path)
  if (node.type === 'object') return [textOf(membersOf(node).get('path')) ?? '']
  const text = textOf(node) ?? ''
  if (key === 'cmd') return splitLine(reading, key, text)
  if (!/\s/u.test(text.trim())) return [text]
  if (isCommandLine(text)) return splitLine(reading, key, text)
  if (!/^[A-Za-z]:\\/u.test(text))
    addNotice(reading, key, 'The name contains a space and is run as one program name.')
  return [text]
}

/** Adapts a command that was written for Windows to other systems. */
function adaptWindowsCommand(reading: Reading, words: readonly string[]): readonly string[] {
  const [command = '', ...args] = words
  if (process.platform === 'win32' || existsSync(command)) return words
  const name = command.split(/[/\\]/u).at(-1) ?? ''
  const bareName = name.replace(/\.(?:cmd|bat|exe)$/iu, '')
  if (bareName.toLowerCase() === 'cmd' && /^\/c$/iu.test(args[0] ?? '') && args.length > 1) {
    addNotice(reading, 'command', '“cmd /c” is for Windows and is left out.')
    return adaptWindowsCommand(reading, args.slice(1))
  }
  if (bareName === name || bareName === '') return words
  addNotice(
    reading,
    'command',
    `“${command.slice(0, 200)}” is for Windows. Here it is “${bareName}”.`,
  )
  return [bareName, ...args]
}

/** Whether a text is a program with arguments: it isn't a file, and starts with the bare name of a program or a file. */
function isCommandLine(text: string): boolean {
  const line = text.trim()
  if (existsSync(line) || /^[A-Za-z]:\\/u.test(line)) return false
  const [first = ''] = line.split(/\s/u)
  return /^[\w.+@-]+$/u.test(first) || /^["']/u.test(first) || existsSync(first)
}

function readArguments(reading: Reading): string[] {
  const found = consume(reading, COMMAND_KEYS.slice(2))
  if (found === undefined) return []
  if (found.node.type === 'array') return elementTexts(found.node, reading, at(reading, found.key))
  const line = textOf(found.node)
  if (line === undefined) throw wrongShape(at(reading, found.key), 'an array of strings')
  return splitLine(reading, found.key, line)
}

const STREAMABLE = /^(https?|streamable(?:[-_]?https?)?|remote)$/i

function readAddress(reading: Reading): RawServer['run'] {
  const found = consume(reading, ADDRESS_KEYS)
  const url = textOf(found?.node)
  if (found === undefined || url === undefined)
    throw wrongShape(at(reading, found?.key ?? 'url'), 'a URL')
  const looksSse = found.key !== 'httpUrl' && /\/sse\/?(\?|$)/.test(url)
  return { kind: 'address', type: readType(reading, looksSse), url, headers: readHeaders(reading) }
}

/** Returns the entry's transport, or the one that its address suggests. */
function readType(reading: Reading, looksSse: boolean): 'streamable-http' | 'sse' {
  const declared = textAt(reading, TYPE_KEYS)
  if (declared === undefined || /^stdio$/i.test(declared))
    return looksSse ? 'sse' : 'streamable-http'
  if (/^sse$/i.test(declared)) return 'sse'
  if (STREAMABLE.test(declared)) return 'streamable-http'
  throw wrongShape(at(reading, 'type'), `"http" or "sse", not "${declared.slice(0, 40)}"`)
}

function readHeaders(reading: Reading): RawPair[] {
  const inner = membersOf(reading.members.get('requestInit')).get('headers')
  const declared = consume(reading, HEADER_KEYS.slice(0, 2))
  reading.used.add('requestInit')
  return readPairs(reading, declared ?? (inner && { key: 'requestInit', node: inner }))
}

function addTransportNotice(reading: Reading): void {
  const found = consume(reading, TYPE_KEYS)
  const declared = textOf(found?.node)
  if (found && declared !== undefined && !/^(stdio|local)$/i.test(declared))
    addNotice(reading, found.key, 'Ignored: a server with a command uses stdio.')
}

function addUnknownNotices(reading: Reading): void {
  for (const [key, node] of reading.members) {
    if (reading.used.has(key) || isEmptyValue(node)) continue
    const known = KNOWN_KEYS.find(({ pattern }) => pattern.test(key))
    addNotice(reading, key, known?.message ?? 'Ignored: Patchbay has no such setting.')
  }
}

/** Whether a value is empty: apps write out unset members. */
function isEmptyValue(node: Node): boolean {
  if (node.type === 'object' || node.type === 'array') return (node.children ?? []).length === 0
  return ['', false, null].some((empty) => empty === valueOf(node))
}
