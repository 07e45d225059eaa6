import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'

import { MAX_DEPTH } from '../../import/text/read-json'
import { brokenAt } from './host-text'
import { type HostPath, type HostTree, numberTree, OtherScalar } from './host-tree'

/** A header with the lines below it, or one line `key = value`, and the path that it writes to. */
export type TomlPart =
  | { readonly kind: 'table'; readonly path: HostPath; readonly node: AST.TOMLTable }
  | { readonly kind: 'line'; readonly path: HostPath; readonly node: AST.TOMLKeyValue }

/** A text of TOML: what it holds, and its parts in order. */
export type TomlTree = { readonly tree: HostTree; readonly parts: readonly TomlPart[] }

/** Reads TOML 1.1, which holds all of 1.0. Throws HOST_FILE_BROKEN. */
export function readToml(text: string): TomlTree {
  const parts = programOf(text).flatMap((node) => partsOf(node))
  const tree: Level = new Map()
  for (const { kind, path, node } of parts) {
    refuseDeep(text, path, node)
    if (kind === 'table') levelAt(tree, path)
    else setAt(tree, path, treeOfNode(text, node.value, path.length))
  }
  return { tree, parts }
}

/** The names of a key with dots. */
export function namesOf(key: AST.TOMLKey): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

function programOf(text: string): AST.TOMLTopLevelTable['body'] {
  try {
    // Of a zero at the very end the parser does not tell the right place.
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

/** The map or list at a path, made with all levels above it where it is not there yet. */
function levelAt(tree: Level, path: HostPath): Level {
  let level = tree
  for (const [index, step] of path.entries()) {
    const found = Array.isArray(level) ? level[Number(step)] : level.get(String(step))
    const next = isLevel(found) ? found : typeof path[index + 1] === 'number' ? [] : new Map()
    if (next !== found) setStep(level, step, next)
    level = next
  }
  return level
}

function isLevel(node: HostTree | undefined): node is Level {
  return Array.isArray(node) || node instanceof Map
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
