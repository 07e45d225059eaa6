import { sep } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import { HandMade } from '../../../src-shared/domain/by-hand'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { ServerChoice, TextProblem } from '../../../src-shared/domain/configuration'
import { problemsOfHand } from '../../../src-shared/form/by-hand-problems'
import type { Catalog } from '../catalog/catalog'
import { type DraftedServer, draftServer } from './draft-server'
import { findEntries, type FoundEntry } from './find-entries'
import { valueOf } from './json-tree'
import { readInputs } from './placeholders'
import { type RawServer, readEntry } from './read-entry'
import { type EnvFile, readEnvFile } from './read-env-file'
import { readJson } from './read-json'
import { claimName, serverName } from './server-names'

/** What a configuration is read with. */
export type ConfigurationPlace = {
  readonly home: string
  /** Patchbay's own environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Names of the servers that are there already. */
  readonly takenNames: readonly string[]
}

/** One server of a configuration: ready to be shown and added, or with what stands in the way. */
export type PastedServer = {
  readonly index: number
  readonly path: string
  readonly name: string
  /** What the configuration calls it, where that name is taken. */
  readonly takenName: string | undefined
} & (
  | { readonly kind: 'unusable'; readonly obstacle: string }
  | {
      readonly kind: 'usable'
      readonly drafted: DraftedServer
      readonly fileRead: EnvFile | undefined
      readonly choice: ServerChoice
    }
)

/** What a pasted text is. */
export type PastedText =
  | { readonly kind: 'broken'; readonly problems: TextProblem[] }
  | { readonly kind: 'entry'; readonly entry: CatalogEntry }
  | { readonly kind: 'servers'; readonly servers: readonly PastedServer[] }

/**
 * Reads a configuration of any usual shape, or a server.json, which the catalog keeps. `choices` say what the
 * person wants of each server. Rejects with INVALID_CONFIG or INVALID_SERVER_JSON; what is wrong with one
 * server is said of that one.
 */
export async function readConfiguration(
  text: string,
  choices: readonly ServerChoice[],
  place: ConfigurationPlace,
  catalog: Pick<Catalog, 'paste'>,
): Promise<PastedText> {
  const json = readJson(text)
  if (json.kind === 'broken') return json
  const found = findEntries(json.root)
  if (found.kind === 'serverJson')
    return { kind: 'entry', entry: catalog.paste(plainJson(text, valueOf(json.root))) }
  const inputs = readInputs(found.inputs)
  const taken = new Set(place.takenNames.map((name) => name.toLowerCase()))
  const servers: PastedServer[] = []
  for (const [index, entry] of found.entries.entries()) {
    const choice = choices.find((one) => one.index === index)
    servers.push(
      await readServer(entry, taken, {
        choice: choice ?? { index, open: [], environment: [], envFile: false },
        home: place.home,
        separator: sep,
        inputs,
        environment: (name) =>
          Object.hasOwn(place.environment, name) ? place.environment[name] : undefined,
      }),
    )
  }
  return { kind: 'servers', servers }
}

/** The text itself where it is strict JSON, so that the same paste is the same entry. */
function plainJson(text: string, value: unknown): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    // It has comments or trailing commas, which the tree has lost.
    return JSON.stringify(value)
  }
}

type ReadFacts = Parameters<typeof draftServer>[1] & { readonly choice: ServerChoice }

async function readServer(
  { name: given, path, node }: FoundEntry,
  taken: Set<string>,
  facts: ReadFacts,
): Promise<PastedServer> {
  const { index } = facts.choice
  const about = (raw?: RawServer): Pick<PastedServer, 'index' | 'path' | 'name' | 'takenName'> => {
    const wanted = raw ? serverName(given, raw) : (given ?? '').slice(0, 110) || 'Server'
    const name = raw ? claimName(wanted, taken) : wanted
    return { index, path, name, takenName: name === wanted ? undefined : wanted }
  }
  try {
    const raw = readEntry(node, path)
    const { drafted, fileRead } = await draftWithFile(raw, facts)
    const obstacle = obstacleOf(drafted.made)
    if (obstacle !== undefined) return { ...about(), kind: 'unusable', obstacle }
    return { ...about(raw), kind: 'usable', drafted, fileRead, choice: facts.choice }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...about(), kind: 'unusable', obstacle: error.message }
  }
}

/** The file of variables is read only where the person said so. */
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

function obstacleOf(made: HandMade): string | undefined {
  const [problem] = problemsOfHand(made)
  if (problem) return `${problem.label}: ${problem.message}`
  const parsed = HandMade.safeParse(made)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  return `${issue?.path.join('.') ?? ''}: longer or more than a server can take.`
}
