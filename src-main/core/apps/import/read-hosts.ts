import { sep } from 'node:path'

import type {
  HostServerRef,
  ImportChoice,
  UnreadHost,
} from '../../../../src-shared/domain/agents/host'
import { readInputs } from '../../import/placeholders'
import {
  type EntryChoice,
  environmentOf,
  NOTHING_CHOSEN,
  type PastedServer,
  type ReadServer,
  readServer,
  withName,
} from '../../import/read-server'
import { treeOf } from '../../import/text/json-tree'
import type { HostPlace } from '../apps/host-app'
import type { FoundHostFile } from '../files/host-editor'
import { commonEntry } from './common-entry'
import { findServers, type FoundServer } from './found-servers'
import { type LaunchFingerprint, launchFingerprint } from './same-server'

/** A server of a host as it was read. */
export type HostRead = {
  readonly found: FoundServer
  /** With the choice of the user, and the name that it would get. */
  readonly server: PastedServer
  /** Undefined for one that cannot be added. */
  readonly fingerprint: LaunchFingerprint | undefined
  /** The same for all that run the same. It may hold secrets. */
  readonly group: string
  /** Several accounts of one server stand side by side: what it runs does not say which one it is. */
  readonly isOneOfSeveral: boolean
}

/** Everything that hosts have, in the order of their files. */
export type HostReading = {
  readonly servers: readonly HostRead[]
  readonly unread: readonly UnreadHost[]
  /** Undefined where it is gone. */
  readonly find: (ref: HostServerRef) => HostRead | undefined
}

/** What files are read with. */
export type ReadingPlace = Pick<HostPlace, 'home' | 'env'> & {
  readonly takenNames: readonly string[]
  /** True for an address of Patchbay itself. */
  readonly isOwn: (address: string) => boolean
}

/**
 * Reads the servers of hosts. Those of `choices` get their names first, in that order; each other one has the name
 * that it would get after them.
 */
export async function readHosts(
  files: readonly FoundHostFile[],
  choices: readonly ImportChoice[],
  place: ReadingPlace,
): Promise<HostReading> {
  const { servers: found, unread } = await findServers(files, place.isOwn)
  const byKey = new Map(found.map((one) => [keyOf(refOf(one)), one]))
  const taken = new Set(place.takenNames.map((name) => name.toLowerCase()))
  const chosen = new Map<FoundServer, PastedServer>()
  for (const choice of choices) {
    const one = byKey.get(keyOf(choice))
    if (one === undefined || chosen.has(one)) continue
    chosen.set(one, withName(await readFound(one, choice, place), found.indexOf(one), taken))
  }
  const drafts: Draft[] = []
  for (const [index, one] of found.entries()) {
    const plain = await readFound(one, NOTHING_CHOSEN, place)
    const server = chosen.get(one) ?? named(plain, index, taken)
    drafts.push({ found: one, server, fingerprint: readFingerprint(plain) })
  }
  const servers = grouped(drafts)
  const reads = new Map(servers.map((one) => [keyOf(refOf(one.found)), one]))
  return { servers, unread, find: (ref) => reads.get(keyOf(ref)) }
}

/** How requests call a server of a host. */
export function refOf({ file, entryName }: FoundServer): HostServerRef {
  return { fileId: file.fileId, entryName }
}

type Draft = Pick<HostRead, 'found' | 'server' | 'fingerprint'>

function keyOf({ fileId, entryName }: HostServerRef): string {
  return JSON.stringify([fileId, entryName])
}

function readFound(
  { file, listed, name, path, value }: FoundServer,
  choice: EntryChoice,
  { home, env }: ReadingPlace,
): Promise<ReadServer> {
  const { inputs, workspace } = listed
  const node = treeOf(commonEntry(file.app.hostId, value))
  return readServer(
    { name, path, node },
    {
      choice,
      home,
      separator: sep,
      inputs: readInputs(inputs === undefined ? undefined : treeOf(inputs)),
      environment: environmentOf(env),
      workspace,
      bareNames: file.app.expandsBareNames === true ? 'variable' : 'text',
    },
  )
}

/** The name is free again for the next one. */
function named(server: ReadServer, index: number, taken: Set<string>): PastedServer {
  const result = withName(server, index, taken)
  if (result.kind === 'usable') taken.delete(result.name.toLowerCase())
  return result
}

function readFingerprint(server: ReadServer): LaunchFingerprint | undefined {
  if (server.kind === 'unusable') return undefined
  return launchFingerprint(server.drafted)
}

/**
 * One server with several accounts is as many servers: which one is meant cannot be told from an entry that asks. The
 * same goes for entries that ask for several values.
 */
function grouped(drafts: readonly Draft[]): HostRead[] {
  const several = withSeveralAccounts(drafts.flatMap(({ fingerprint }) => fingerprint ?? []))
  return drafts.map((draft) => {
    const { fingerprint, found } = draft
    if (fingerprint === undefined)
      return { ...draft, group: JSON.stringify(refOf(found)), isOneOfSeveral: false }
    const { server, account } = fingerprint
    const isOneOfSeveral = several.has(server)
    const group = JSON.stringify(isOneOfSeveral ? [server, account] : [server])
    return { ...draft, group, isOneOfSeveral }
  })
}

function withSeveralAccounts(all: readonly LaunchFingerprint[]): ReadonlySet<string> {
  const several = new Set<string>()
  for (const [server, same] of Map.groupBy(all, (one) => one.server)) {
    for (const some of Map.groupBy(same, ({ asksOnly }) => asksOnly).values())
      if (new Set(some.map(({ account }) => account)).size > 1) several.add(server)
  }
  return several
}
