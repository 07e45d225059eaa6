import { join } from 'node:path'

import type { HostValue } from '../apps/host-app'
import { isList, membersOf } from '../files/bridge-entry'
import type { FoundHostFile } from '../files/host-editor'
import { folderOf, type ListedEntries } from '../files/host-lists'
import { readHostFile } from '../files/read-host-file'
import { openHostDocument } from '../formats/host-document'

/** Whether an app starts a server, and the projects in which it does not although it does in others. */
type AppSwitch = { readonly isOn: boolean; readonly offIn: readonly string[] }

/** Tells how a server stands in its app. */
export type AppSwitches = (listed: ListedEntries, name: string, value: HostValue) => AppSwitch

const ON: AppSwitch = { isOn: true, offIn: [] }
const OFF: AppSwitch = { isOn: false, offIn: [] }

/** How the servers of a file are switched; `files` are those of all apps. Never rejects. */
export async function switchesOf(
  file: FoundHostFile,
  files: readonly FoundHostFile[],
): Promise<AppSwitches> {
  const { switches } = file.app
  if (switches === 'projects') return projectSwitches(file, files)
  if (switches === 'none') return () => ON
  if (switches === 'lists') return listSwitches(file)
  if (switches === 'names') return nameSwitches(file)
  return (_, __, value) => (hasFlag(file, value) ? OFF : ON)
}

function hasFlag({ app: { off } }: FoundHostFile, value: HostValue): boolean {
  const members = membersOf(value)
  if (off) return members[off.key] === off.value
  const { autoStart } = membersOf(members.anythingllm)
  return members.disabled === true || members.enabled === false || autoStart === false
}

/** Oh My Pi keeps two lists of names, which win over the entries. */
function nameSwitches(file: FoundHostFile): AppSwitches {
  const { disabledServers, enabledServers } = membersOf(file.document?.value)
  const out = new Set(textsOf(disabledServers))
  const kept = new Set(textsOf(enabledServers))
  return (_, name, value) => (out.has(name) || (!kept.has(name) && hasFlag(file, value)) ? OFF : ON)
}

/** Gemini CLI and those made from it start what `mcp.allowed` names, where there is one, but for what `mcp.excluded` names. */
function listSwitches({ document }: FoundHostFile): AppSwitches {
  const { allowed, excluded } = membersOf(membersOf(document?.value).mcp)
  const out = new Set(textsOf(excluded))
  const only = isList(allowed) ? new Set(textsOf(allowed)) : undefined
  return (_, name) => (out.has(name) || only?.has(name) === false ? OFF : ON)
}

/** Claude Code names in each project what is off there, and knows no flag of an entry. */
async function projectSwitches(
  file: FoundHostFile,
  files: readonly FoundHostFile[],
): Promise<AppSwitches> {
  const own = files.filter(({ app }) => app.hostId === file.app.hostId)
  const projects = own
    .filter(({ scope }) => scope === 'user')
    .flatMap(({ document }) => Object.entries(membersOf(membersOf(document?.value).projects)))
  const offIn = new Map<string, Set<string>>()
  for (const [folder, project] of projects)
    offIn.set(folder, new Set(textsOf(membersOf(project).disabledMcpServers)))
  for (const one of own) {
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

/** The settings that a project has next to its servers. */
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

function disabledIn(bytes: Buffer): HostValue | undefined {
  try {
    const list = { syntax: 'jsonc', keys: [], layout: 'map' } as const
    return membersOf(openHostDocument(bytes.toString(), list).value).disabledMcpjsonServers
  } catch {
    // What its app cannot read turns nothing off.
    return undefined
  }
}

function textsOf(value: HostValue | undefined): string[] {
  return isList(value) ? value.filter((one) => typeof one === 'string') : []
}
