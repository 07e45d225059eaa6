import { isDeepStrictEqual } from 'node:util'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { HostList, HostValue } from '../apps/host-app'
import { brokenAt, type HostText } from './host-text'
import {
  type HostPath,
  type HostTree,
  isEmpty,
  isMap,
  nodeAt,
  pruned,
  treeOf,
  treeWith,
  treeWithout,
  valueOfTree,
} from './host-tree'
import { openJson } from './json-text'

/** One server in an app's file; the `name` member of a list's entry isn't part of the value. */
export type HostEntry = { readonly name: string; readonly value: HostValue }

/** The missing part of the path to a server list, which the first entry creates. */
type ListGap = {
  /** Number of missing keys on the path to the list. */
  readonly levels: number
  /** Spelling of the level that will hold them, or of the list, while empty; contains no user text. */
  readonly vacant?: string | undefined
}

/**
 * The text of an app's file. An edit returns a new document whose text differs only in that entry. Comments, order, indentation, line ends
 * and byte order mark stay, byte for byte. An edit that isn't safe throws HOST_FILE_BROKEN with line and column.
 */
export type HostDocument = {
  readonly text: string
  /** In file order. */
  readonly entries: readonly HostEntry[]
  /** The whole content. */
  readonly value: HostValue
  /** Syntax that the app may not support: comments, trailing commas. Edits keep it. */
  readonly extras: readonly string[]
  /** Writes an entry: appends a new one, or changes the members that differ. */
  with: (name: string, entry: Readonly<Record<string, HostValue>>) => HostDocument
  /** The missing part of the list. */
  readonly gap: ListGap
  /** Removes an entry. If that leaves the list empty, restores the state in `gap`; without `gap`, the empty list stays. */
  without: (name: string, gap?: ListGap) => HostDocument
  /** Sets one member of an entry, or removes it if `value` is undefined. Throws NOT_FOUND without the entry. */
  withMember: (name: string, key: string, value: HostValue | undefined) => HostDocument
}

/** In characters, because these parsers are slow; JSON is limited only by file size. */
const MAX_LENGTHS: Partial<Record<Syntax, number>> = { toml: 500_000, yaml: 250_000 }
/** In characters, for the spelling of an empty level. */
const MAX_VACANT = 200
const BYTE_ORDER_MARK = '\uFEFF'

/** Parses the text of an app's file (empty for a missing one) in a loaded syntax. Throws HOST_FILE_BROKEN with line and column. */
export function openHostDocument(text: string, list: HostList): HostDocument {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  return documentOf(mark, openText(text.slice(mark.length), list.syntax), list)
}

function documentOf(mark: string, opened: OpenText, list: HostList): HostDocument {
  const { body, text } = opened
  refuseShape(opened, list)
  const locations = locationsOf(text.tree, list)
  const edited = (...edits: readonly Edit[]): HostDocument => {
    const next = edits.reduce((done, edit) => walled(done, edit, list), opened)
    return next.body === body ? document : documentOf(mark, next, list)
  }
  const document: HostDocument = {
    text: mark + body,
    extras: text.extras ?? [],
    value: valueOfTree(text.tree),
    entries: [...locations].map(([name, { value }]) => ({ name, value: valueOfTree(value) })),
    with: (name, entry) => {
      const location = locations.get(name)
      return edited(
        ...(location ? changesOf(location, entry) : [additionOf(text.tree, list, name, entry)]),
      )
    },
    gap: gapOf(text, list.keys),
    without: (name, gap) => {
      const location = locations.get(name)
      return location ? edited(...removalOf(text.tree, list.keys, location, gap)) : document
    },
    withMember: (name, key, value) => {
      const location = locations.get(name)
      if (!location) throw new AppError('NOT_FOUND', `The file has no entry “${name}”.`)
      if (!isMap(location.value) && location.value !== null)
        throw brokenAt(body, text.offsetOf(location.path), `“${name}” isn’t an object.`)
      return edited(...memberChange(location, key, value))
    },
  }
  return document
}

/** A text without its byte order mark, and its parsed form. */
type OpenText = { readonly body: string; readonly text: HostText }

function openText(body: string, syntax: HostList['syntax']): OpenText {
  const maxLength = MAX_LENGTHS[syntax]
  if (maxLength !== undefined && body.length > maxLength)
    throw brokenAt(body, 0, `The file is larger than ${String(maxLength / 1_000_000)} MB.`)
  const open = openers.get(syntax)
  if (!open) throw new Error(`${syntax} is read before loadSyntax`)
  return { body, text: open(body) }
}

type Syntax = HostList['syntax']

const openers = new Map<Syntax, (body: string) => HostText>([
  ['json', (body) => openJson(body, { comments: false })],
  ['jsonc', (body) => openJson(body, { comments: true })],
])

/** Loads the parser of a syntax: TOML and YAML take 20 MB, and most computers have no such file. */
export async function loadSyntax(syntax: Syntax): Promise<void> {
  if (openers.has(syntax)) return
  if (syntax === 'toml') openers.set(syntax, (await import('./toml-text')).openToml)
  if (syntax === 'yaml') openers.set(syntax, (await import('./yaml-text')).openYaml)
}

/** Throws if the path to the servers has a value of the wrong shape; a missing value is valid. */
function refuseShape({ body, text }: OpenText, { keys, layout }: HostList): void {
  for (let length = 0; length <= keys.length; length += 1) {
    const path = keys.slice(0, length)
    const node = nodeAt(text.tree, path) ?? null
    const isList = length === keys.length && layout === 'list'
    if (node === null || (isList ? Array.isArray(node) : isMap(node))) continue
    const what = path.length === 0 ? 'The file' : `“${path.join('.')}”`
    const wanted = isList ? 'an array of entries' : 'an object of entries'
    throw brokenAt(
      body,
      text.offsetOf(path),
      `${what} is ${kindOf(node)}, but ${wanted} is expected.`,
    )
  }
}

function kindOf(node: HostTree): string {
  if (isMap(node)) return 'an object'
  return Array.isArray(node) ? 'an array' : 'a single value'
}

type EntryLocation = { readonly path: HostPath; readonly value: HostTree }

/** Finds entries by name; the last of several entries with the same name counts. */
function locationsOf(
  tree: HostTree,
  { keys, layout }: HostList,
): ReadonlyMap<string, EntryLocation> {
  const node = nodeAt(tree, keys)
  const locations = new Map<string, EntryLocation>()
  if (layout === 'map' && isMap(node))
    for (const [name, value] of node) locations.set(name, { path: [...keys, name], value })
  if (layout === 'list' && Array.isArray(node))
    for (const [index, element] of (node as readonly HostTree[]).entries()) {
      const name = nodeAt(element, ['name'])
      if (typeof name !== 'string') continue
      locations.set(name, { path: [...keys, index], value: treeWithout(element, ['name']) })
    }
  return locations
}

/** The new value at a path; undefined removes it, and `vacant` spells the level that becomes empty. */
type Edit = {
  readonly path: HostPath
  readonly value: HostValue | undefined
  readonly vacant?: string | undefined
}

function additionOf(
  tree: HostTree,
  { keys, layout }: HostList,
  name: string,
  entry: Readonly<Record<string, HostValue>>,
): Edit {
  if (layout === 'map') return { path: [...keys, name], value: entry }
  const node = nodeAt(tree, keys)
  const index = Array.isArray(node) ? node.length : 0
  return { path: [...keys, index], value: { name, ...entry } }
}

function changesOf(
  { path, value }: EntryLocation,
  entry: Readonly<Record<string, HostValue>>,
): Edit[] {
  if (!isMap(value)) return [{ path, value: entry }]
  const removedKeys = [...value.keys()].filter((key) => !Object.hasOwn(entry, key))
  return [
    ...Object.entries(entry).flatMap(([key, member]) => memberChange({ path, value }, key, member)),
    ...removedKeys.map((key) => ({ path: [...path, key], value: undefined })),
  ]
}

function memberChange(
  { path, value }: EntryLocation,
  key: string,
  member: HostValue | undefined,
): Edit[] {
  const old = nodeAt(value, [key])
  if (isDeepStrictEqual(old, member === undefined ? undefined : treeOf(member))) return []
  return [{ path: [...path, key], value: member }]
}

function gapOf({ tree, vacant }: HostText, keys: readonly string[]): ListGap {
  let depth = keys.length
  while (depth > 0 && nodeAt(tree, keys.slice(0, depth)) === undefined) depth -= 1
  const levels = keys.length - depth
  const text = vacant(keys.slice(0, depth))
  return text === undefined || text.length > MAX_VACANT ? { levels } : { levels, vacant: text }
}

/**
 * Returns the removal of an entry and of the levels that become empty; the last removal restores the spelling of the level that existed
 * before.
 */
function removalOf(
  tree: HostTree,
  keys: readonly string[],
  { path }: EntryLocation,
  { levels, vacant }: ListGap = { levels: 0 },
): Edit[] {
  const made = emptyLevels(treeWithout(tree, path), keys, levels)
  return [path, ...made].map((gone, index) => ({
    ...{ path: gone, value: undefined },
    vacant: index === made.length ? vacant : undefined,
  }))
}

function emptyLevels(tree: HostTree, keys: readonly string[], levels: number): HostPath[] {
  const node = nodeAt(tree, keys)
  if (levels <= 0 || keys.length === 0 || (node !== undefined && !isEmpty(node))) return []
  return [keys, ...emptyLevels(treeWithout(tree, keys), keys.slice(0, -1), levels - 1)]
}

/** Makes an edit and verifies it: everything except the edited value must be unchanged. */
function walled(before: OpenText, edit: Edit, list: HostList): OpenText {
  const { path, value, vacant } = edit
  const { text } = before
  const next = value === undefined ? text.remove(path, vacant) : text.set(path, value)
  const wanted =
    value === undefined ? treeWithout(text.tree, path) : treeWith(text.tree, path, treeOf(value))
  try {
    return checked(next, wanted, list)
  } catch (error) {
    // The level was rewritten since: leave it empty in the default spelling.
    if (vacant !== undefined) return walled(before, { path, value }, list)
    throw error
  }
}

function checked(body: string, wanted: HostTree, { syntax, keys }: HostList): OpenText {
  const held = (tree: HostTree): HostTree => pruned(tree ?? new Map(), keys)
  try {
    const next = openText(body, syntax)
    if (isDeepStrictEqual(held(next.text.tree), held(wanted))) return next
  } catch (cause) {
    throw unsafe(cause)
  }
  throw unsafe()
}

function unsafe(cause?: unknown): AppError {
  return new AppError('HOST_FILE_BROKEN', 'Patchbay can’t safely edit this file’s format.', {
    cause,
    hint: 'Edit the entry in an editor. Nothing was written.',
  })
}
