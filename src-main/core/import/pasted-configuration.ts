import { sep } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type {
  ServerChoice,
  TextProblem,
} from '../../../src-shared/domain/installation/configuration'
import type { Catalog } from '../catalog/catalog'
import { findEntries } from './find-entries'
import { configurationOfLink, linkError } from './install-link'
import { configurationOfCommand } from './pasted-command'
import { readInputs } from './placeholders'
import {
  environmentOf,
  NOTHING_CHOSEN,
  type PastedServer,
  type ReadServer,
  readServer,
  withName,
} from './read-server'
import { valueOf } from './text/json-tree'
import { readJson } from './text/read-json'

/** Of the name of a parameter, in characters. */
const MOST_SHOWN = 40

/** What a configuration is read with. */
export type ConfigurationPlace = {
  readonly home: string
  /** Patchbay's own environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Names of the servers that are there already. */
  readonly takenNames: readonly string[]
}

/** What a pasted text is. */
export type PastedText =
  | { readonly kind: 'broken'; readonly problems: TextProblem[] }
  | { readonly kind: 'entry'; readonly entry: CatalogEntry }
  | { readonly kind: 'servers'; readonly servers: readonly PastedServer[] }

/**
 * Reads a configuration of any usual shape, an install link, or a server.json, which the catalog keeps. `choices`
 * say what the person wants of each server. Rejects with INVALID_CONFIG or INVALID_SERVER_JSON; what is wrong with
 * one server is said of that one.
 */
export async function readConfiguration(
  pasted: string,
  choices: readonly ServerChoice[],
  place: ConfigurationPlace,
  catalog: Pick<Catalog, 'paste'>,
): Promise<PastedText> {
  const link = configurationOfLink(pasted)
  const text = link?.text ?? configurationOfCommand(pasted) ?? pasted
  // Nobody meant it as JSON, whose faults would be no help.
  if (text.trim() !== '' && !/[{[]/u.test(text)) throw noConfiguration()
  const json = readJson(text)
  if (json.kind === 'broken') return json
  const found = findEntries(json.root)
  if (found.kind === 'serverJson') {
    // It would be kept among the catalog's entries, by a link alone.
    if (link !== undefined) throw linkError('the link contains a server.json, not a configuration')
    return { kind: 'entry', entry: catalog.paste(plainJson(text, valueOf(json.root))) }
  }
  const inputs = readInputs(found.inputs)
  const taken = new Set(place.takenNames.map((name) => name.toLowerCase()))
  const servers: PastedServer[] = []
  for (const [index, entry] of found.entries.entries()) {
    const choice = choices.find((one) => one.index === index)
    const server = await readServer(entry, {
      choice: choice ?? NOTHING_CHOSEN,
      home: place.home,
      separator: sep,
      inputs,
      environment: environmentOf(place.environment),
      bareNames: 'unknown',
    })
    servers.push(withName(withIgnored(server, link?.ignored ?? []), index, taken))
  }
  return { kind: 'servers', servers }
}

/** Says which parameters of a link say nothing. */
function withIgnored(server: ReadServer, ignored: readonly string[]): ReadServer {
  if (server.kind === 'unusable' || ignored.length === 0) return server
  const notices = ignored.map((name) => ({
    path: name.slice(0, MOST_SHOWN),
    message: 'Ignored: the link’s parameter says nothing about the server.',
  }))
  const { drafted } = server
  return { ...server, drafted: { ...drafted, notices: [...drafted.notices, ...notices] } }
}

function noConfiguration(): AppError {
  return new AppError(
    'INVALID_CONFIG',
    'This is no configuration, install link, command, or address of a server.',
    {
      hint: 'Paste one of them, such as {"mcpServers": {…}}, npx -y PACKAGE, or https://HOST/mcp.',
    },
  )
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
