import type { UnreadHost } from '../../../../src-shared/domain/agents/host'
import { joinPath } from '../../import/text/json-tree'
import type { HostValue } from '../apps/host-app'
import { bridgeOf, membersOf } from '../files/bridge-entry'
import type { FoundHostFile } from '../files/host-editor'
import { type ListedEntries, listsOf } from '../files/host-lists'
import { isPartOfHost } from './common-entry'
import { type AppSwitches, switchesOf } from './off-in-app'

/** Far more than any user runs. */
const MAX_SERVERS = 200
/** As long as the name of an entry may be that is asked for. */
const MAX_NAME = 2_000

/** A server as it stands in the file of a host. */
export type FoundServer = {
  readonly file: FoundHostFile
  readonly listed: ListedEntries
  /** As its list calls it. */
  readonly name: string
  /** As requests call it: no two of a file are the same. */
  readonly entryName: string
  /** Where it stands, for the user. */
  readonly path: string
  readonly value: HostValue
  readonly isOn: boolean
  /** Projects in which its app has it off, although it is on in others. */
  readonly offIn: readonly string[]
}

/** The servers of hosts, and the files that nothing can be imported from. */
export type FoundServers = {
  readonly servers: readonly FoundServer[]
  readonly unread: readonly UnreadHost[]
}

/** Finds the servers of all files but those that lead to Patchbay itself; `isOwn` knows its addresses. */
export async function findServers(
  files: readonly FoundHostFile[],
  isOwn: (address: string) => boolean,
): Promise<FoundServers> {
  const servers: FoundServer[] = []
  const unread: UnreadHost[] = []
  for (const file of files) {
    const switches = await switchesOf(file, files)
    const found = serversOf(file, switches).filter(({ value }) => !leadsHere(value, isOwn))
    const problem = file.problem ?? problemOf(found)
    if (problem === undefined) servers.push(...found)
    else unread.push({ hostName: file.app.name, path: file.path, problem })
  }
  return { servers, unread }
}

function serversOf(file: FoundHostFile, switches: AppSwitches): FoundServer[] {
  const { app, document } = file
  if (document === undefined) return []
  const seen = new Set<string>()
  return listsOf(file, document).flatMap((listed) =>
    listed.entries.flatMap(({ name, value }) => {
      const entryName = `${listed.prefix}${name}`
      // Of two with one name nobody can say which is meant.
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

function leadsHere(value: HostValue, isOwn: (address: string) => boolean): boolean {
  if (bridgeOf(value)) return true
  const { url, serverUrl, httpUrl, uri } = membersOf(value)
  return [url, serverUrl, httpUrl, uri].some((text) => typeof text === 'string' && isOwn(text))
}
