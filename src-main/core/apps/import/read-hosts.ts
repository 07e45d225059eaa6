import { join } from 'node:path'

import type {
  HostServerRef,
  ImportChoice,
  UnreadHost,
} from '../../../../src-shared/domain/agents/host'
import { attempt } from '../../../../src-shared/domain/attempt'
import { readInputs } from '../../import/placeholders'
import {
  type EntryChoice,
  NOTHING_CHOSEN,
  type PastedServer,
  type ReadServer,
  readServer,
  withName,
} from '../../import/read-server'
import { joinPath, treeOf } from '../../import/text/json-tree'
import { type HostValue, isList, type PathContext } from '../apps/host-app'
import { bridgeOf, membersOf } from '../files/bridge-entry'
import type { FoundFile } from '../files/found-file'
import { folderOf, type ListedEntries, listsOf } from '../files/host-lists'
import { readHostFile } from '../files/read-host-file'
import { openHostDocument } from '../formats/host-document'
import { commonEntry, isPartOfHost } from './common-entry'
import { type LaunchFingerprint, launchFingerprint } from './same-server'

/** A server in an app's file. */
export type HostRead = {
  readonly found: FoundServer
  /** The server with the user's choice, and the name that it would get. */
  readonly server: PastedServer
  /** Undefined if it can't be added. */
  readonly fingerprint: LaunchFingerprint | undefined
  /** Equal for all servers that run the same. May contain secrets. */
  readonly group: string
  /** Whether its server has several accounts, so that the launch alone doesn't identify it. */
  readonly isOneOfSeveral: boolean
}

/** All servers of apps, in the order of their files. */
export type HostReading = {
  readonly servers: readonly HostRead[]
  readonly unread: readonly UnreadHost[]
  /** Undefined if the server is gone. */
  readonly find: (ref: HostServerRef) => HostRead | undefined
}

/** Context for reading files. */
export type HostReadContext = Pick<PathContext, 'home' | 'env'> & {
  readonly takenNames: readonly string[]
  /** Whether an address is Patchbay itself. */
  readonly isOwn: (address: string) => boolean
}

/**
 * Reads the servers of apps. Those of `choices` get their names first, in order; each other one shows the name that it would get after
 * them.
 */
export async function readHosts(
  files: readonly FoundFile[],
  choices: readonly ImportChoice[],
  context: HostReadContext,
): Promise<HostReading> {
  const { servers: found, unread } = await findServers(files, context.isOwn)
  const byKey = new Map(found.map((one) => [keyOf(refOf(one)), one]))
  const usedNames = new Set(context.takenNames.map((name) => name.toLowerCase()))
  const chosen = new Map<FoundServer, PastedServer>()
  for (const choice of choices) {
    const one = byKey.get(keyOf(choice))
    if (one === undefined || chosen.has(one)) continue
    chosen.set(one, withName(await readFound(one, choice, context), found.indexOf(one), usedNames))
  }
  const drafts: Draft[] = []
  for (const [index, one] of found.entries()) {
    const unchosen = await readFound(one, NOTHING_CHOSEN, context)
    const server = chosen.get(one) ?? named(unchosen, index, usedNames)
    const fingerprint =
      unchosen.kind === 'unusable' ? undefined : launchFingerprint(unchosen.drafted)
    drafts.push({ found: one, server, fingerprint })
  }
  const servers = grouped(drafts)
  const reads = new Map(servers.map((one) => [keyOf(refOf(one.found)), one]))
  return { servers, unread, find: (ref) => reads.get(keyOf(ref)) }
}

/** Returns the reference that requests use for a server. */
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
  { home, env }: HostReadContext,
): Promise<ReadServer> {
  const { inputs, workspace } = listed
  const node = treeOf(commonEntry(file.app.hostId, value))
  return readServer(
    { name, path, node },
    {
      choice,
      home,
      inputs: readInputs(inputs === undefined ? undefined : treeOf(inputs)),
      environment: env,
      workspace,
      bareNames: file.app.expandsBareNames === true ? 'variable' : 'text',
    },
  )
}

/** Names a server without reserving the name. */
function named(server: ReadServer, index: number, usedNames: Set<string>): PastedServer {
  const result = withName(server, index, usedNames)
  if (result.kind === 'usable') usedNames.delete(result.name.toLowerCase())
  return result
}

/**
 * Groups equal servers. A server with several accounts counts once per account: an entry that requests its secret doesn't show which
 * account it means. The same applies to entries that request several values.
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
    for (const some of Map.groupBy(same, ({ isAccountRequested }) => isAccountRequested).values())
      if (new Set(some.map(({ account }) => account)).size > 1) several.add(server)
  }
  return several
}

/** Far more than any user runs. */
const MAX_SERVERS = 200
/** Maximum length of an entry name in requests. */
const MAX_NAME = 2_000

type FoundServer = {
  readonly file: FoundFile
  readonly listed: ListedEntries
  /** Name in the list. */
  readonly name: string
  /** Name in requests, unique in the file. */
  readonly entryName: string
  /** Location for display. */
  readonly path: string
  readonly value: HostValue
  readonly isOn: boolean
  /** Projects in which the app has it off while it is on in others. */
  readonly offIn: readonly string[]
}

/** Finds the servers in all files, except those that lead to Patchbay itself; `isOwn` recognizes its addresses. */
async function findServers(
  files: readonly FoundFile[],
  isOwn: (address: string) => boolean,
): Promise<{ servers: FoundServer[]; unread: UnreadHost[] }> {
  const servers: FoundServer[] = []
  const unread: UnreadHost[] = []
  for (const file of files) {
    const switches = await switchesOf(file, files)
    const found = serversOf(file, switches).filter(({ value }) => !leadsToPatchbay(value, isOwn))
    const problem = file.problem ?? problemOf(found)
    if (problem === undefined) servers.push(...found)
    else unread.push({ hostName: file.app.name, path: file.path, problem })
  }
  return { servers, unread }
}

function serversOf(file: FoundFile, switches: AppSwitches): FoundServer[] {
  const { app, document } = file
  if (document === undefined) return []
  const seen = new Set<string>()
  return listsOf(file, document).flatMap((listed) =>
    listed.entries.flatMap(({ name, value }) => {
      const entryName = `${listed.prefix}${name}`
      // The first of two entries with the same name counts: the other one can't be addressed.
      if (seen.has(entryName) || isPartOfHost(app.hostId, value)) return []
      seen.add(entryName)
      const path = joinPath(listed.list.keys.reduce(joinPath, ''), name)
      return [{ file, listed, name, entryName, path, value, ...switches(listed, name, value) }]
    }),
  )
}

function problemOf(found: readonly FoundServer[]): string | undefined {
  if (found.length > MAX_SERVERS) {
    const [count, most] = [String(found.length), String(MAX_SERVERS)]
    return `The file lists ${count} servers, but Patchbay reads at most ${most} per file.`
  }
  if (found.some(({ entryName }) => entryName.length > MAX_NAME))
    return `A server name has more than ${String(MAX_NAME)} characters.`
  return undefined
}

function leadsToPatchbay(value: HostValue, isOwn: (address: string) => boolean): boolean {
  if (bridgeOf(value)) return true
  const { url, serverUrl, httpUrl, uri } = membersOf(value)
  return [url, serverUrl, httpUrl, uri].some((text) => typeof text === 'string' && isOwn(text))
}

/** Whether an app starts a server, and the projects in which it doesn't, although it does in others. */
type AppSwitch = { readonly isOn: boolean; readonly offIn: readonly string[] }

/** Returns a server's state in its app. */
type AppSwitches = (listed: ListedEntries, name: string, value: HostValue) => AppSwitch

const ON: AppSwitch = { isOn: true, offIn: [] }
const OFF: AppSwitch = { isOn: false, offIn: [] }

/** Returns how a file's servers are turned on and off; `files` are those of all apps. Never rejects. */
async function switchesOf(file: FoundFile, files: readonly FoundFile[]): Promise<AppSwitches> {
  const { switches } = file.app
  if (switches === 'projects') return projectSwitches(file, files)
  if (switches === 'none') return () => ON
  if (switches === 'lists') return listSwitches(file)
  if (switches === 'names') return nameSwitches(file)
  return (_, __, value) => (hasFlag(file, value) ? OFF : ON)
}

function hasFlag({ app: { off } }: FoundFile, value: HostValue): boolean {
  const members = membersOf(value)
  if (off) return members[off.key] === off.value
  const { autoStart } = membersOf(members.anythingllm)
  return members.disabled === true || members.enabled === false || autoStart === false
}

/** Oh My Pi has two lists of names, which override the entries. */
function nameSwitches(file: FoundFile): AppSwitches {
  const { disabledServers, enabledServers } = membersOf(file.document?.value)
  const out = new Set(textsOf(disabledServers))
  const enabled = new Set(textsOf(enabledServers))
  return (_, name, value) =>
    out.has(name) || (!enabled.has(name) && hasFlag(file, value)) ? OFF : ON
}

/** Gemini CLI and its forks start the names in `mcp.allowed` (all if absent), except those in `mcp.excluded`. */
function listSwitches({ document }: FoundFile): AppSwitches {
  const { allowed, excluded } = membersOf(membersOf(document?.value).mcp)
  const out = new Set(textsOf(excluded))
  const only = isList(allowed) ? new Set(textsOf(allowed)) : undefined
  return (_, name) => (out.has(name) || only?.has(name) === false ? OFF : ON)
}

/** Claude Code lists turned-off servers per project, and ignores members of an entry. */
async function projectSwitches(file: FoundFile, files: readonly FoundFile[]): Promise<AppSwitches> {
  const appFiles = files.filter(({ app }) => app.hostId === file.app.hostId)
  const projects = appFiles
    .filter(({ scope }) => scope === 'user')
    .flatMap(({ document }) => Object.entries(membersOf(membersOf(document?.value).projects)))
  const offIn = new Map<string, Set<string>>()
  for (const [folder, project] of projects)
    offIn.set(folder, new Set(textsOf(membersOf(project).disabledMcpServers)))
  for (const one of appFiles) {
    const folder = folderOf(one)
    if (folder !== undefined && !offIn.has(folder)) offIn.set(folder, new Set())
  }
  const folder = folderOf(file)
  if (folder !== undefined) {
    const known = membersOf(Object.fromEntries(projects)[folder])
    const off = new Set([
      ...textsOf(known.disabledMcpjsonServers),
      ...(offIn.get(folder) ?? []),
      ...(await offInSettings(folder)),
    ])
    return (_, name) => (off.has(name) ? OFF : ON)
  }
  return ({ workspace }, name) => {
    if (workspace !== undefined) return offIn.get(workspace)?.has(name) === true ? OFF : ON
    const some = [...offIn].flatMap(([project, names]) => (names.has(name) ? [project] : []))
    return some.length > 0 && some.length === offIn.size ? OFF : { isOn: true, offIn: some }
  }
}

/** Reads the turned-off servers in a project's settings. */
async function offInSettings(folder: string): Promise<string[]> {
  const names = ['settings.json', 'settings.local.json']
  const read = await Promise.all(
    names.map(async (name) => {
      const found = await readHostFile(join(folder, '.claude', name))
      return found.kind === 'there' ? textsOf(disabledIn(found.bytes)) : []
    }),
  )
  return read.flat()
}

/** A file that the app can't parse turns nothing off. */
function disabledIn(bytes: Buffer): HostValue | undefined {
  const list = { syntax: 'jsonc', keys: [], layout: 'map' } as const
  const read = attempt(() => membersOf(openHostDocument(bytes.toString(), list).value))
  return read?.disabledMcpjsonServers
}

function textsOf(value: HostValue | undefined): string[] {
  return isList(value) ? value.filter((one) => typeof one === 'string') : []
}
