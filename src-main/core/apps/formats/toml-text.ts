import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'

import { MAX_DEPTH } from '../../import/text/read-json'
import { type HostValue, isList, isTable } from '../apps/host-app'
import { type Brackets, childInsertion, childRemoval, HASH } from './bracket-splices'
import {
  brokenAt,
  contentEnd,
  type HostText,
  indentAt,
  isBlank,
  lineEndOf,
  linesCut,
  lineStop,
  type Splice,
  spliced,
} from './host-text'
import {
  type HostPath,
  type HostTree,
  nodeAt,
  numberTree,
  OtherScalar,
  startsWith,
  wrappedValue,
} from './host-tree'

/** Parses TOML. Throws HOST_FILE_BROKEN. */
export function openToml(text: string): HostText {
  const { tree, parts } = readToml(text)
  const remove = (path: HostPath, vacant?: string): string => {
    const inside = locateInside(text, parts, path)
    if (inside?.rest.length === 0 && inside.container) {
      const brackets = bracketsOf(inside.container)
      const empty = vacant === undefined ? undefined : { ...brackets, put: vacant }
      return spliced(text, childRemoval(text, brackets, HASH, inside.index, empty))
    }
    const rest = spliced(text, cutsOf(text, parts, path))
    return vacant !== undefined && isBlank(rest + vacant, 0) ? vacant : rest
  }
  return {
    tree,
    offsetOf: (path) => {
      const isOn = (part: TomlPart): boolean =>
        startsWith(part.path, path) || startsWith(path, part.path)
      return parts.find((part) => isOn(part))?.node.range[0] ?? 0
    },
    vacant: (path) => {
      if (path.length === 0) return isBlank(text, 0) ? text : undefined
      const inside = locateInside(text, parts, path)
      return inside?.rest.length === 0 ? vacantText(text, inside.node) : undefined
    },
    remove,
    set: (path, value) => {
      const inside = locateInside(text, parts, path)
      if (inside) return spliced(text, changeInside(text, inside, value))
      if (nodeAt(tree, path) !== undefined) return openToml(remove(path)).set(path, value)
      return spliced(text, tomlAddition(text, parts, path, value))
    },
  }
}

/** The node of a path within a line's value. */
type Inside = {
  readonly node: AST.TOMLContentNode
  /** The container of `node`; undefined if `node` is the line's value itself. */
  readonly container: AST.TOMLInlineTable | AST.TOMLArray | undefined
  readonly index: number
  /** The missing steps. */
  readonly rest: HostPath
}

function locateInside(
  text: string,
  parts: readonly TomlPart[],
  path: HostPath,
): Inside | undefined {
  for (const part of parts) {
    if (part.kind === 'line' && startsWith(path, part.path)) {
      const rest = path.slice(part.path.length)
      return within(text, { node: part.node.value, container: undefined, index: 0, rest })
    }
  }
  return undefined
}

function within(text: string, inside: Inside): Inside {
  const { node: container, rest } = inside
  const [step] = rest
  if (step === undefined) return inside
  if (container.type === 'TOMLArray') {
    const index = Number(step)
    const node = container.elements[index]
    return node ? within(text, { node, container, index, rest: rest.slice(1) }) : inside
  }
  if (container.type !== 'TOMLInlineTable') return inside
  for (const [index, line] of container.body.entries()) {
    const names = namesOf(line.key)
    if (startsWith(rest, names))
      return within(text, { node: line.value, container, index, rest: rest.slice(names.length) })
    if (names[0] === step)
      throw brokenAt(text, line.range[0], 'Dotted keys in inline tables can’t be edited.')
  }
  return inside
}

function changeInside(text: string, { node, rest }: Inside, value: HostValue): readonly Splice[] {
  const [step, ...below] = rest
  if (step === undefined) return [{ from: node.range[0], to: node.range[1], put: tomlValue(value) }]
  if (node.type !== 'TOMLArray' && node.type !== 'TOMLInlineTable') return []
  const written = tomlValue(wrappedValue(below, value))
  const child = typeof step === 'string' ? `${tomlKey([step])} = ${written}` : written
  const pad = node.type === 'TOMLInlineTable' ? ' ' : ''
  return childInsertion(text, bracketsOf(node), HASH, { child, pad })
}

function vacantText(
  text: string,
  { type, range: [from, to] }: AST.TOMLContentNode,
): string | undefined {
  const isContainer = type === 'TOMLArray' || type === 'TOMLInlineTable'
  return isContainer && isBlank(text, from + 1, to - 1) ? text.slice(from, to) : undefined
}

function bracketsOf(node: AST.TOMLArray | AST.TOMLInlineTable): Brackets {
  const children = node.type === 'TOMLArray' ? node.elements : node.body
  const rangeOf = ({ range: [from, to] }: { range: AST.Range }): { from: number; to: number } => ({
    from,
    to,
  })
  return { ...rangeOf(node), children: children.map(rangeOf) }
}

/** Removes all tables and lines that write to a path or below it. */
function cutsOf(text: string, parts: readonly TomlPart[], path: HostPath): Splice[] {
  const removedParts = parts.filter((part) => startsWith(part.path, path))
  const tables = removedParts.filter(({ kind }) => kind === 'table')
  const isOfTable = ({ node }: TomlPart): boolean =>
    tables.some((table) => table.node !== node && node.parent === table.node)
  return removedParts
    .filter((part) => !isOfTable(part))
    .map(({ kind, node: { range } }) => {
      const cut = linesCut(text, ...range)
      return kind === 'table' ? { ...cut, from: beforeBlankLine(text, cut.from) } : cut
    })
}

/** Returns the offset before the blank line that precedes a table. */
function beforeBlankLine(text: string, offset: number): number {
  const blank = /(?:\r\n|\n|\r)[ \t]*$/u.exec(text.slice(Math.max(0, offset - 200), offset))
  return blank ? offset - blank[0].length : offset
}

/** Adds a value: an object as its own table, anything else as a line next to its neighbors. */
function tomlAddition(
  text: string,
  parts: readonly TomlPart[],
  path: HostPath,
  value: HostValue,
): Splice[] {
  if (isTable(value)) return [newTable(text, parts, path, value)]
  const above = path.slice(0, -1)
  const key = path.slice(-1)
  const neighbour = parts.findLast(
    (part) => isHeaderOf(part, above) || (part.kind === 'line' && startsWith(part.path, above)),
  )
  const header = parts.find((part) => isHeaderOf(part, above))
  if (header) return [lineIn(text, header, `${tomlKey(key)} = ${tomlValue(value)}`)]
  if (neighbour?.kind === 'line') {
    const names = neighbour.node.key.keys
    const own = names.length - (neighbour.path.length - above.length)
    const last = names[own - 1]
    const prefix = last ? `${text.slice(neighbour.node.range[0], last.range[1])}.` : ''
    const line = `${prefix}${tomlKey(key)} = ${tomlValue(value)}`
    return [lineAfter(text, neighbour.node.range, line)]
  }
  return [newTable(text, parts, above, { [String(path.at(-1))]: value })]
}

function isHeaderOf({ kind, path }: TomlPart, above: HostPath): boolean {
  return kind === 'table' && path.length === above.length && startsWith(path, above)
}

/** Adds a line after the last line of a table, or after its header. */
function lineIn(text: string, { node }: TomlPart, line: string): Splice {
  const last = node.type === 'TOMLTable' ? node.body.at(-1) : undefined
  return lineAfter(text, (last ?? node).range, line)
}

function lineAfter(text: string, [from, to]: readonly [number, number], line: string): Splice {
  const at = lineStop(text, to)
  return { from: at, to: at, put: lineEndOf(text) + indentAt(text, from) + line }
}

/** Adds a table after the last one that shares most of its path, otherwise at the end. */
function newTable(
  text: string,
  parts: readonly TomlPart[],
  path: HostPath,
  members: Readonly<Record<string, HostValue>>,
): Splice {
  const eol = lineEndOf(text)
  const isElement = typeof path.at(-1) === 'number'
  const header = isElement ? `[[${tomlKey(path)}]]` : `[${tomlKey(path)}]`
  const table = [header, ...tomlMembers(members)].join(eol)
  const before = kindred(parts, path.slice(0, -1))
  if (before) {
    const at = afterComments(text, lineStop(text, before.node.range[1]))
    return { from: at, to: at, put: eol + eol + table }
  }
  const end = contentEnd(text)
  if (end === 0) return { from: 0, to: text.length, put: table + eol }
  const at = lineStop(text, end)
  return { from: at, to: at, put: eol + eol + table }
}

function kindred(parts: readonly TomlPart[], path: HostPath): TomlPart | undefined {
  if (path.length === 0) return undefined
  const found = parts.findLast((part) => part.kind === 'table' && startsWith(part.path, path))
  return found ?? kindred(parts, path.slice(0, -1))
}

/** Comments directly below a table belong to it, unless they are directly above the next one. */
function afterComments(text: string, offset: number): number {
  const remarks = /^(?:\r?\n[ \t]*#[^\r\n]*)*(?=\r?\n[ \t]*(?:\r?\n|$)|$)/u
  return offset + (remarks.exec(text.slice(offset))?.[0].length ?? 0)
}

/** Formats a value on one line in TOML 1.0, without nulls, which TOML lacks. */
function tomlValue(value: HostValue): string {
  if (typeof value === 'string') return tomlString(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (isList(value)) return `[${value.map((element) => tomlValue(element)).join(', ')}]`
  const members = tomlMembers(value)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Formats the members of a table as `key = value`. */
function tomlMembers(table: Readonly<Record<string, HostValue>>): string[] {
  return Object.entries(table)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${tomlKey([key])} = ${tomlValue(value)}`)
}

/** Formats a dotted key, without list indexes. */
function tomlKey(path: HostPath): string {
  return path
    .filter((step) => typeof step === 'string')
    .map((key) => (/^[\w-]+$/.test(key) ? key : tomlString(key)))
    .join('.')
}

/** TOML has the escapes of JSON, and one more character to escape. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`)
}

/** A header with the lines below it, or one line `key = value`, and the path that it writes to. */
type TomlPart =
  | { readonly kind: 'table'; readonly path: HostPath; readonly node: AST.TOMLTable }
  | { readonly kind: 'line'; readonly path: HostPath; readonly node: AST.TOMLKeyValue }

type TomlTree = { readonly tree: HostTree; readonly parts: readonly TomlPart[] }

/** Parses TOML 1.1, a superset of 1.0. Throws HOST_FILE_BROKEN. */
function readToml(text: string): TomlTree {
  const parts = programOf(text).flatMap((node) => partsOf(node))
  const tree: Level = new Map()
  for (const { kind, path, node } of parts) {
    refuseDeep(text, path, node)
    if (kind === 'table') levelAt(tree, path)
    else setAt(tree, path, treeOfNode(text, node.value, path.length))
  }
  return { tree, parts }
}

function namesOf(key: AST.TOMLKey): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

function programOf(text: string): AST.TOMLTopLevelTable['body'] {
  try {
    // The parser reports a wrong offset for a zero at the very end, hence the line feed.
    return parseTOML(`${text}\n`, { tomlVersion: '1.1' }).body[0].body
  } catch (error) {
    if (error instanceof ParseError)
      throw brokenAt(text, Math.min(error.index, text.length), `${error.message}.`, error)
    // The parser spreads a string over the stack.
    if (error instanceof RangeError)
      throw brokenAt(text, 0, 'A string in the file is too long.', error)
    throw error
  }
}

function partsOf(node: AST.TOMLKeyValue | AST.TOMLTable): TomlPart[] {
  if (node.type === 'TOMLKeyValue') return [{ kind: 'line', path: namesOf(node.key), node }]
  const path = node.resolvedKey
  return [
    { kind: 'table', path, node },
    ...node.body.map((line): TomlPart => {
      return { kind: 'line', path: [...path, ...namesOf(line.key)], node: line }
    }),
  ]
}

type Level = Map<string, HostTree> | HostTree[]

/** Returns the map or list at a path, creating missing levels. */
function levelAt(tree: Level, path: HostPath): Level {
  let level = tree
  for (const [index, step] of path.entries()) {
    const found = Array.isArray(level) ? level[Number(step)] : level.get(String(step))
    const made: Level = typeof path[index + 1] === 'number' ? [] : new Map()
    const next = Array.isArray(found) || found instanceof Map ? (found as Level) : made
    if (next !== found) setStep(level, step, next)
    level = next
  }
  return level
}

function setAt(tree: Level, path: HostPath, node: HostTree): void {
  const last = path.at(-1)
  if (last !== undefined) setStep(levelAt(tree, path.slice(0, -1)), last, node)
}

function setStep(level: Level, step: string | number, node: HostTree): void {
  if (Array.isArray(level)) level[Number(step)] = node
  else level.set(String(step), node)
}

function treeOfNode(text: string, node: AST.TOMLContentNode, depth: number): HostTree {
  refuseDeep(text, { length: depth }, node)
  if (node.type === 'TOMLArray')
    return node.elements.map((element) => treeOfNode(text, element, depth + 1))
  if (node.type === 'TOMLInlineTable') {
    const tree: Level = new Map()
    for (const line of node.body) {
      const names = namesOf(line.key)
      refuseDeep(text, { length: depth + names.length }, line)
      setAt(tree, names, treeOfNode(text, line.value, depth + names.length))
    }
    return tree
  }
  const source = text.slice(...node.range)
  if (node.kind === 'integer') return numberTree(node.value, source)
  if (node.kind === 'float') return numberTree(node.value, source)
  return node.value instanceof Date ? new OtherScalar(source) : node.value
}

function refuseDeep(text: string, path: { length: number }, node: AST.TOMLNode): void {
  if (path.length <= MAX_DEPTH) return
  throw brokenAt(text, node.range[0], `Nested more than ${String(MAX_DEPTH)} levels deep.`)
}
