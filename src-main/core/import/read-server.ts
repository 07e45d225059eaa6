import { basename } from 'node:path'

import { parse } from 'dotenv'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import type { ServerChoice } from '../../../src-shared/domain/installation/configuration'
import {
  CustomServer,
  openText,
  plainText,
} from '../../../src-shared/domain/installation/custom-server'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import { TypedClient } from '../../../src-shared/domain/running/sign-in'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { problemsOfCustomServer } from '../../../src-shared/form/custom-server-problems'
import { findSecrets, flagBefore } from '../../../src-shared/form/recognize-secrets'
import {
  type TerminalOption,
  terminalOption,
  withoutTerminal,
} from '../../../src-shared/form/terminal-option'
import { programName } from '../launch/environment/manager-variables'
import { isRemotePath } from '../launch/paths/check-path'
import { type DraftedServer, draftServer } from './draft-server'
import type { RawPair } from './entry-reading'
import type { FoundEntry } from './find-entries'
import type { ReadContext } from './interpolate-text'
import type { RawClient } from './read-client'
import { type RawServer, readEntry } from './read-entry'
import { readAtMost, withOpenFile } from './text/read-at-most'
import { type WrappedRemote, wrappedRemote } from './wrapped-remote'

/** Leaves room for a number within the 120 characters of a name. */
const MAX_NAME = 110

/** Names a server: by the configuration, or by its package, program or address. */
function serverName(proposed: string | undefined, { run }: RawServer): string {
  const name = cleanLine(proposed ?? '').slice(0, MAX_NAME)
  if (name !== '') return name
  const text = run.kind === 'address' ? hostOf(run.url) : programOf(run.command, run.args)
  return cleanLine(text).slice(0, MAX_NAME) || 'Server'
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^(www|mcp|api)\./, '') : ''
}

/** Returns the package that a runner gets, without scope and version; otherwise the program. */
function programOf(command: string, args: readonly string[]): string {
  const program = programName(command)
  const isRunner = /^(npx|bunx|pnpm|yarn|uvx|uv|dnx|docker|podman|node|python3?|deno|bun)$/i.test(
    program,
  )
  const word = isRunner ? args.map(descriptiveWord).find((text) => text !== undefined) : undefined
  if (word === undefined) return program
  const last = basename(word.replaceAll('\\', '/').replace(/[@:=][^/]*$/, ''))
  return last.replace(/\.(m?js|py|ts)$/i, '') || program
}

/** Returns the part of an argument that can extend a name: never a secret, a flag or a variable, and only the host of an address. */
function descriptiveWord(text: string, index: number, args: readonly string[]): string | undefined {
  if (/^-|^[\w.-]+=/.test(text)) return undefined
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const word = isAddress ? (URL.canParse(text) ? new URL(text).hostname : '') : text
  const context = { place: 'argument', name: flagBefore(args, index) } as const
  if (!/mcp|server/i.test(word) || findSecrets(word, context).length > 0) return undefined
  return isAddress ? hostOf(text) : word
}

/** Reserves a name, or the name with the first free number. */
function claimName(wanted: string, usedNames: Set<string>): string {
  let name = wanted
  for (let number = 2; usedNames.has(name.toLowerCase()); number += 1)
    name = `${wanted} ${String(number)}`
  usedNames.add(name.toLowerCase())
  return name
}

const MAX_BYTES = 1_000_000
const MAX_VARIABLES = 400

/** The variables of a file, or why there are none. */
type EnvFile =
  | { readonly kind: 'read'; readonly pairs: readonly RawPair[] }
  | { readonly kind: 'failed'; readonly problem: string }

/** Reads a file of `NAME=value` lines, at most 1 MB; `path` is absolute. Accesses no other computer. Never rejects. */
export async function readEnvFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<EnvFile> {
  if (isRemotePath(path, platform))
    return failed(`${path} is on another computer and can’t be read from there.`)
  try {
    const bytes = await withOpenFile(path, async (file, facts) => {
      if (!facts.isFile()) return `${path} isn’t a file.`
      const read = facts.size > MAX_BYTES ? undefined : await readAtMost(file, MAX_BYTES)
      return read ?? `${path} is larger than 1 MB.`
    })
    if (typeof bytes === 'string') return failed(bytes)
    const pairs = Object.entries(parse(bytes.toString('utf8')))
    if (pairs.length > MAX_VARIABLES)
      return failed(`${path} has more than ${String(MAX_VARIABLES)} variables.`)
    return { kind: 'read', pairs: pairs.map(([name, text]) => ({ name, text })) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return failed(`${path} was not found.`)
    return failed(`${path} couldn’t be read${code === '' ? '' : ` (${code})`}.`)
  }
}

function failed(problem: string): EnvFile {
  return { kind: 'failed', problem }
}

/** The user's choice for a server, without its position. */
export type EntryChoice = Omit<ServerChoice, 'index'>

/** The choice for a server that the user hasn't seen yet. */
export const NOTHING_CHOSEN: EntryChoice = {
  open: [],
  environment: [],
  passed: [],
  asWritten: [],
  envFile: false,
  withoutTerminal: false,
  asRemote: false,
}

/** Context for reading an entry. */
export type ReadFacts = ReadContext & { readonly choice: EntryChoice }

/** A parsed server, ready for display and adding, or with an obstacle. */
export type ReadServer = {
  readonly path: string
  /** The preferred name. */
  readonly wanted: string
} & (
  | { readonly kind: 'unusable'; readonly obstacle: string }
  | {
      readonly kind: 'usable'
      readonly drafted: DraftedServer
      readonly fileRead: EnvFile | undefined
      readonly choice: EntryChoice
      readonly tools: SavedToolChoice
      readonly oauth: RawClient | undefined
      /** The proxy program around a remote server, unless the server was read as that remote. */
      readonly wrapper: string | undefined
    }
)

/** One of several parsed servers, with its final name. */
export type PastedServer = ReadServer & {
  readonly index: number
  readonly name: string
  /** Name in the configuration, if that is taken. */
  readonly takenName: string | undefined
}

/** Parses one entry, with its problems as part of the result. Reads the file of variables only if the user allows it. */
export async function readServer(
  { name: proposedName, path, node }: FoundEntry,
  facts: ReadFacts,
): Promise<ReadServer> {
  const unusable = (obstacle: string): ReadServer => {
    const wanted = cleanLine(proposedName ?? '').slice(0, MAX_NAME) || 'Server'
    return { path, wanted, kind: 'unusable', obstacle }
  }
  try {
    const written = readEntry(node, path)
    const { choice } = facts
    const raw = choice.asRemote ? asRemote(written) : written
    const { drafted: whole, fileRead } = await draftWithFile(raw, facts)
    const drafted = choice.withoutTerminal ? { ...whole, made: removeTerminal(whole.made) } : whole
    const obstacle = obstacleOf(drafted.made)
    if (obstacle !== undefined) return unusable(obstacle)
    const { tools, oauth } = raw
    const wanted = serverName(proposedName, raw)
    return {
      ...{ path, wanted, kind: 'usable', drafted, fileRead, choice, tools, oauth },
      // The program that only proxies a remote server.
      wrapper: wrappedIn(raw)?.wrapper,
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return unusable(error.message)
  }
}

/** Gives the server a free name and reserves it; a server that can't be added reserves none. */
export function withName(server: ReadServer, index: number, usedNames: Set<string>): PastedServer {
  const { kind, wanted } = server
  const name = kind === 'usable' ? claimName(wanted, usedNames) : wanted
  return { ...server, index, name, takenName: name === wanted ? undefined : wanted }
}

async function draftWithFile(
  raw: RawServer,
  facts: ReadFacts,
): Promise<{ drafted: DraftedServer; fileRead: EnvFile | undefined }> {
  const drafted = draftServer(raw, facts, [])
  if (drafted.envFile === undefined || !facts.choice.envFile)
    return { drafted, fileRead: undefined }
  const fileRead = await readEnvFile(drafted.envFile)
  const pairs = fileRead.kind === 'read' ? fileRead.pairs : []
  return { drafted: draftServer(raw, facts, pairs), fileRead }
}

/** Returns a command's first option that needs a terminal. */
export function terminalIn(made: CustomServer): TerminalOption | undefined {
  if (made.kind !== 'command') return undefined
  return terminalOption(
    made.command,
    made.args.map((text) => plainText(text, SECRET_MASK)),
  )
}

function removeTerminal(made: CustomServer): CustomServer {
  let remaining = made
  for (let option = terminalIn(remaining); option !== undefined; option = terminalIn(remaining)) {
    if (remaining.kind !== 'command') break
    remaining = { ...remaining, args: withoutTerminal(remaining.args, option, openText) }
  }
  return remaining
}

function obstacleOf(made: CustomServer): string | undefined {
  const [problem] = problemsOfCustomServer(made)
  if (problem) return `${problem.label}: ${problem.message}`
  const parsed = CustomServer.safeParse(made)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  return `${issue?.path.join('.') ?? ''} is too long or has too many items.`
}

/** Returns the remote server that a command wraps, with its headers and client; any other server unchanged. */
function asRemote(raw: RawServer): RawServer {
  const wrapped = wrappedIn(raw)
  if (!wrapped) return raw
  const { type, url, headers, oauth } = wrapped
  return { ...raw, run: { kind: 'address', type, url, headers }, oauth: oauth && clientOf(oauth) }
}

function wrappedIn({ run }: RawServer): WrappedRemote | undefined {
  return run.kind === 'command' ? wrappedRemote([run.command, ...run.args], run.env) : undefined
}

/** Reads a client from JSON in an argument; a client in a file isn't read. */
function clientOf({
  clientInfo,
  redirectUrl,
}: NonNullable<WrappedRemote['oauth']>): RawClient | undefined {
  const info = jsonIn(clientInfo)
  if (!isJsonObject(info)) return undefined // `@FILE`: the sign-in requests the client
  const { client_id: clientId, client_secret: clientSecret } = info
  const client = TypedClient.safeParse({ clientId, clientSecret, redirectUrl })
  return client.success ? { client: client.data, scopes: undefined } : undefined
}
