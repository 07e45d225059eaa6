import { split } from 'shlex'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type {
  ServerChoice,
  TextProblem,
} from '../../../src-shared/domain/installation/configuration'
import type { Catalog } from '../catalog/catalog'
import { programName } from '../launch/environment/manager-variables'
import { findEntries } from './find-entries'
import { configurationOfLink, linkError } from './install-link'
import { readInputs } from './placeholders'
import {
  NOTHING_CHOSEN,
  type PastedServer,
  type ReadServer,
  readServer,
  withName,
} from './read-server'
import { valueOf } from './text/json-tree'
import { readJson } from './text/read-json'

/** Programs with which a user's shell runs a server. */
const RUNNERS =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|deno|node|nodejs|uvx?|pipx|python\d?(?:\.\d+)?|py|docker|podman|dotnet|dnx|go|java|ruby|cargo|cmd|env)$/iu
/** Apps whose command adds a server: `APP mcp add …`. */
const ADDERS =
  /^(?:claude|codex|gemini|qwen|amp|copilot|droid|kimi|grok|opencode|auggie|kiro-cli|q)$/iu
const ADDRESS = /^https?:\/\/\S+$/iu
/** Shell operators, which Patchbay never interprets. */
const OPERATORS = /^(?:\||\|\||&&|;|&|>|>>|<|2>&1)$/u
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/su
const LONGEST = 20_000

type Entry = Readonly<Record<string, unknown>>

/**
 * Returns the configuration of a command or an address as in READMEs: `claude mcp add …` and similar, `npx -y package`, `docker run …`,
 * `https://…/mcp`; undefined for any other text. Runs nothing. Throws INVALID_CONFIG for an unreadable command.
 */
export function configurationOfCommand(text: string): string | undefined {
  const line = text
    .trim()
    .replace(/^```\w*\n([\s\S]*)\n```$/u, '$1')
    .replaceAll(/(?:\\|\^|`)\r?\n\s*/gu, ' ')
    .trim()
    .replace(/^(?:\$|>|%)\s+/u, '')
  if (line === '' || line.length > LONGEST || /^[[{"]/u.test(line)) return undefined
  const url = line.replace(/^<|>$/gu, '')
  if (ADDRESS.test(url)) return named(undefined, { url })
  const [first = ''] = line.split(/\s/u)
  const isCommand =
    RUNNERS.test(programName(first)) || ADDERS.test(first) || /^(?:code|cursor)$/u.test(first)
  if (!isCommand && !ASSIGNMENT.test(first)) return undefined
  if (/\n/u.test(line)) throw commandError('it has several lines', 'Paste one command.')
  const words = partsOf(line)
  const operator = words.find((word) => OPERATORS.test(word))
  if (operator !== undefined)
    throw commandError(
      `“${operator}” is for a shell`,
      'Paste the command that starts the server alone.',
    )
  return ofWords(words)
}

function ofWords(words: readonly string[]): string | undefined {
  const [app = '', second = '', third = '', ...rest] = words
  if (ADDERS.test(app) && second === 'mcp') {
    if (third === 'add-json') {
      const values = rest.filter((word) => !word.startsWith('-'))
      return wrapped(values[0], values[1] ?? '')
    }
    if (third === 'add') return added(rest)
  }
  const at = words.indexOf('--add-mcp')
  if (at >= 0) return wrapped(undefined, words[at + 1] ?? '')
  const program = words.findIndex((word) => !ASSIGNMENT.test(word))
  if (program < 0 || !RUNNERS.test(programName(words[program] ?? ''))) return undefined
  return named(undefined, commandOf(words))
}

type Added = {
  readonly env: Record<string, string>
  readonly headers: Record<string, string>
  type?: string
  url?: string
}

/** Options of these commands, with the effect of their values. */
const OPTIONS: readonly (readonly [
  names: readonly string[],
  add: (added: Added, value: string) => void,
])[] = [
  [['-e', '--env'], ({ env }, value) => void Object.assign(env, pairOf(value, '='))],
  [['-H', '--header'], ({ headers }, value) => void Object.assign(headers, pairOf(value, ':'))],
  [['-t', '--transport', '--type'], (added, value) => void (added.type = value)],
  [['--url'], (added, value) => void (added.url = value)],
  [
    ['--bearer-token-env-var'],
    ({ headers }, value) => void (headers.Authorization = `Bearer \${${value}}`),
  ],
  // Options that are irrelevant for the server.
  [
    ['-s', '--scope', '--client-id', '--client-secret', '--callback-port', '--timeout'],
    () => undefined,
  ],
]

/** Reads the options and words of `APP mcp add`. */
function added(words: readonly string[]): string {
  const parsed: Added = { env: {}, headers: {} }
  const end = words.indexOf('--')
  const [name, ...others] = readOptions(end < 0 ? words : words.slice(0, end), parsed)
  const run = end < 0 ? others : words.slice(end + 1)
  const url = parsed.url ?? (ADDRESS.test(run[0] ?? '') ? run[0] : undefined)
  if (url === undefined && run.length === 0)
    throw commandError('it names no program and no address', 'Copy the whole command.')
  const { headers, env, type } = parsed
  if (url === undefined) {
    const command = commandOf(run)
    return named(name, { ...command, env: { ...command.env, ...env } })
  }
  const isTyped = type !== undefined && type !== 'stdio'
  return named(name, { url, ...(isTyped && { type }), headers })
}

/** Reads options into `parsed` and returns the other words. */
function readOptions(words: readonly string[], parsed: Added): string[] {
  const positional: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [option, inline] = optionOf(word)
    // Options after the program belong to it; an address has none.
    const isProgramThere = positional.length > 1 && !ADDRESS.test(positional[1] ?? '')
    if (isProgramThere || !word.startsWith('-')) {
      positional.push(word)
      continue
    }
    const add = OPTIONS.find(([names]) => names.includes(option))?.[1]
    if (!add) continue
    if (inline === undefined) at += 1
    add(parsed, inline ?? words[at] ?? '')
  }
  return positional
}

function commandOf(words: readonly string[]): {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
} {
  const program = words.findIndex((word) => !ASSIGNMENT.test(word))
  const env = Object.assign(
    {},
    ...words.slice(0, program).map((word) => pairOf(word, '=')),
  ) as Record<string, string>
  return { command: words[program] ?? '', args: words.slice(program + 1), env }
}

function named(name: string | undefined, entry: Entry): string {
  return JSON.stringify(name === undefined ? entry : { mcpServers: { [name]: entry } })
}

/** Wraps a configuration from a command under the name next to it. */
function wrapped(name: string | undefined, json: string): string {
  try {
    return named(name, JSON.parse(json) as Entry)
  } catch (cause) {
    throw commandError('its configuration isn’t valid JSON', 'Copy the whole command.', cause)
  }
}

function optionOf(word: string): [option: string, value?: string] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function pairOf(text: string, sign: ':' | '='): Record<string, string> {
  const at = text.indexOf(sign)
  return at < 0 ? { [text]: '' } : { [text.slice(0, at)]: text.slice(at + 1).trim() }
}

function partsOf(line: string): string[] {
  try {
    return split(line)
  } catch (cause) {
    throw commandError('a quote is not closed', 'Close the quote, then read it again.', cause)
  }
}

function commandError(what: string, hint: string, cause?: unknown): AppError {
  return new AppError('INVALID_CONFIG', `Can’t read this command: ${what}.`, { hint, cause })
}

/** Maximum displayed length of a parameter's name, in characters. */
const MAX_SHOWN = 40

/** Context for reading a configuration. */
export type ConfigurationContext = {
  readonly home: string
  /** Patchbay's own environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Names of installed servers. */
  readonly takenNames: readonly string[]
}

/** The result of reading a pasted text. */
export type PastedText =
  | { readonly kind: 'broken'; readonly problems: TextProblem[] }
  | { readonly kind: 'entry'; readonly entry: CatalogEntry }
  | { readonly kind: 'servers'; readonly servers: readonly PastedServer[] }

/**
 * Reads a configuration of any usual shape, an install link, or a server.json, which the catalog keeps. `choices` are the user's, per
 * server. Rejects with INVALID_CONFIG or INVALID_SERVER_JSON; problems of one server are reported with that server.
 */
export async function readConfiguration(
  pasted: string,
  choices: readonly ServerChoice[],
  context: ConfigurationContext,
  catalog: Pick<Catalog, 'paste'>,
): Promise<PastedText> {
  const link = configurationOfLink(pasted)
  const text = link?.text ?? configurationOfCommand(pasted) ?? pasted
  // The text isn't meant as JSON, so JSON errors wouldn't help.
  if (text.trim() !== '' && !/[{[]/u.test(text))
    throw new AppError(
      'INVALID_CONFIG',
      'This is no configuration, install link, command, or address of a server.',
      {
        hint: 'Paste one of them, such as {"mcpServers": {…}}, npx -y PACKAGE, or https://HOST/mcp.',
      },
    )
  const json = readJson(text)
  if (json.kind === 'broken') return json
  const found = findEntries(json.root)
  if (found.kind === 'serverJson') {
    // A link alone must not add an entry to the catalog.
    if (link !== undefined) throw linkError('the link contains a server.json, not a configuration')
    // Strict JSON is stored as pasted, so that the same text is the same entry.
    const strict = jsonIn(text) === undefined ? JSON.stringify(valueOf(json.root)) : text
    return { kind: 'entry', entry: catalog.paste(strict) }
  }
  const inputs = readInputs(found.inputs)
  const usedNames = new Set(context.takenNames.map((name) => name.toLowerCase()))
  const servers: PastedServer[] = []
  for (const [index, entry] of found.entries.entries()) {
    const choice = choices.find((one) => one.index === index)
    const server = await readServer(entry, {
      choice: choice ?? NOTHING_CHOSEN,
      home: context.home,
      inputs,
      environment: context.environment,
      bareNames: 'unknown',
    })
    servers.push(withName(withIgnored(server, link?.ignored ?? []), index, usedNames))
  }
  return { kind: 'servers', servers }
}

/** Adds a notice about the ignored parameters of a link. */
function withIgnored(server: ReadServer, ignored: readonly string[]): ReadServer {
  if (server.kind === 'unusable' || ignored.length === 0) return server
  const notices = ignored.map((name) => ({
    path: name.slice(0, MAX_SHOWN),
    message: 'Ignored: the link’s parameter says nothing about the server.',
  }))
  const { drafted } = server
  return { ...server, drafted: { ...drafted, notices: [...drafted.notices, ...notices] } }
}
