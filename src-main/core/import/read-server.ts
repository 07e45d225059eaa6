import { AppError } from '../../../src-shared/domain/app-error'
import type { ServerChoice } from '../../../src-shared/domain/installation/configuration'
import {
  CustomServer,
  openText,
  plainText,
} from '../../../src-shared/domain/installation/custom-server'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { problemsOfCustomServer } from '../../../src-shared/form/custom-server-problems'
import {
  type TerminalOption,
  terminalOption,
  withoutTerminal,
} from '../../../src-shared/form/terminal-option'
import { type DraftedServer, draftServer } from './draft-server'
import type { FoundEntry } from './find-entries'
import type { ReadContext } from './interpolate-text'
import type { RawClient } from './read-client'
import { type RawServer, readEntry } from './read-entry'
import { type EnvFile, readEnvFile } from './read-env-file'
import { claimName, serverName } from './server-names'
import { asRemote, wrapperOf } from './unwrap-remote'

/** What the person chose for a server, wherever it stands. */
export type EntryChoice = Omit<ServerChoice, 'index'>

/** A choice of one who has not seen the server yet. */
export const NOTHING_CHOSEN: EntryChoice = {
  open: [],
  environment: [],
  passed: [],
  asWritten: [],
  envFile: false,
  withoutTerminal: false,
  asRemote: false,
}

/** What an entry is read with. */
export type ReadFacts = ReadContext & { readonly choice: EntryChoice }

/** A server as its entry has it, ready to be shown and added, or with what stands in the way. */
export type ReadServer = {
  readonly path: string
  /** The name that it should have. */
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
      /** The program that only passes a remote server on, unless that is what was read. */
      readonly wrapper: string | undefined
    }
)

/** One of several servers that were read, with the name that it gets. */
export type PastedServer = ReadServer & {
  readonly index: number
  readonly name: string
  /** What the configuration calls it, where that name is taken. */
  readonly takenName: string | undefined
}

/** Reads one entry; what is wrong with it is said of it. The file of variables is read only where the person said so. */
export async function readServer(
  { name: given, path, node }: FoundEntry,
  facts: ReadFacts,
): Promise<ReadServer> {
  const unusable = (obstacle: string): ReadServer => {
    const wanted = cleanLine(given ?? '').slice(0, 110) || 'Server'
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
    const wanted = serverName(given, raw)
    return {
      path,
      wanted,
      kind: 'usable',
      drafted,
      fileRead,
      choice,
      tools,
      oauth,
      wrapper: wrapperOf(raw),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return unusable(error.message)
  }
}

/** The server with a free name, which counts as taken from then on; one that cannot be added takes none. */
export function withName(server: ReadServer, index: number, taken: Set<string>): PastedServer {
  const { kind, wanted } = server
  const name = kind === 'usable' ? claimName(wanted, taken) : wanted
  return { ...server, index, name, takenName: name === wanted ? undefined : wanted }
}

/** Reads an environment by name, and nothing that every object has. */
export function environmentOf(
  environment: Readonly<Record<string, string | undefined>>,
): ReadContext['environment'] {
  return (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined)
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

/** The first option of a command that needs a terminal. */
export function terminalIn(made: CustomServer): TerminalOption | undefined {
  if (made.kind !== 'command') return undefined
  return terminalOption(
    made.command,
    made.args.map((text) => plainText(text, SECRET_MASK)),
  )
}

function removeTerminal(made: CustomServer): CustomServer {
  let left = made
  for (let option = terminalIn(left); option !== undefined; option = terminalIn(left)) {
    if (left.kind !== 'command') break
    left = { ...left, args: withoutTerminal(left.args, option, openText) }
  }
  return left
}

function obstacleOf(made: CustomServer): string | undefined {
  const [problem] = problemsOfCustomServer(made)
  if (problem) return `${problem.label}: ${problem.message}`
  const parsed = CustomServer.safeParse(made)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  return `${issue?.path.join('.') ?? ''} is too long or has too many items.`
}
