import { joinWholePath } from '../../import/text/json-tree'
import type { HostList, HostValue } from '../apps/host-app'
import { type HostDocument, openHostDocument } from '../formats/host-document'
import { membersOf } from './bridge-entry'
import type { FoundFile } from './found-file'

/** Servers in one list of a file, and their project. */
export type ListedEntries = {
  readonly list: HostList
  /** Absolute path; undefined for the user's servers. */
  readonly workspace: string | undefined
  readonly entries: HostDocument['entries']
  /** Inputs that the servers may request, as VS Code stores them next to its servers. */
  readonly inputs: HostValue | undefined
  /** Distinguishes entries of the same name in one file; empty for the file's main list. */
  readonly prefix: string
}

const CLAUDE_CODE = 'claude-code'

/** Returns the lists of a file: its main list, and the lists that Claude Code keeps per project. */
export function listsOf(file: FoundFile, document: HostDocument): ListedEntries[] {
  const { list } = file
  const main: ListedEntries = {
    list,
    workspace: folderOf(file),
    entries: document.entries,
    inputs: membersOf(valueAt(document.value, list.keys.slice(0, -1))).inputs,
    prefix: '',
  }
  return [main, ...projectLists(file, document)]
}

/** Returns the lists that a change affects as JSON: the main list, and those of the named entries. */
export function listedOf(
  file: FoundFile,
  document: HostDocument | undefined,
  entryNames: readonly string[],
): string {
  if (!document) return JSON.stringify([null])
  const lists = listsOf(file, document)
    .filter(({ prefix }) => prefix === '' || entryNames.some((name) => name.startsWith(prefix)))
    .map(({ list: { keys } }) => valueAt(document.value, keys) ?? null)
  return JSON.stringify(lists)
}

/** Edits the entries of one list, and nothing else in the file. */
export function editList(
  document: HostDocument,
  main: HostList,
  list: HostList,
  edit: (document: HostDocument) => HostDocument,
): HostDocument {
  if (list === main) return edit(document)
  return openHostDocument(edit(openHostDocument(document.text, list)).text, main)
}

function projectLists({ app, scope }: FoundFile, { value }: HostDocument): ListedEntries[] {
  if (app.hostId !== CLAUDE_CODE || scope !== 'user') return []
  return Object.entries(membersOf(membersOf(value).projects)).flatMap(([workspace, project]) => {
    const keys = ['projects', workspace, 'mcpServers']
    const entries = Object.entries(membersOf(membersOf(project).mcpServers)).flatMap(
      ([name, entry]) => (entry === undefined ? [] : [{ name, value: entry }]),
    )
    const list = { syntax: 'json', keys, layout: 'map' } as const
    const prefix = `${keys.reduce(joinWholePath, '')}.`
    return entries.length === 0 ? [] : [{ list, workspace, entries, inputs: undefined, prefix }]
  })
}

/** Returns the folder of a project's file. */
export function folderOf({ app, scope, path }: FoundFile): string | undefined {
  const file = app.folder?.file
  if (scope !== 'folder' || file === undefined) return undefined
  return path.slice(0, -(file.length + 1))
}

function valueAt(root: HostValue, keys: readonly string[]): HostValue | undefined {
  return keys.reduce<HostValue | undefined>((value, key) => {
    const members = membersOf(value)
    return Object.hasOwn(members, key) ? members[key] : undefined
  }, root)
}
