import type { AST } from 'toml-eslint-parser'

import type { HostValue } from '../apps/host-app'
import { type Flow, flowInsertion, flowRemoval, isAlone } from './flow-splices'
import { brokenAt, type HostText, isBlank, linesCut, type Splice, spliced } from './host-text'
import { type HostPath, nodeAt, startsWith, wrappedValue } from './host-tree'
import { tomlAddition } from './toml-addition'
import { namesOf, readToml, type TomlPart } from './toml-tree'
import { tomlKey, tomlValue } from './toml-value'

/** Reads TOML. Throws HOST_FILE_BROKEN. */
export function openToml(text: string): HostText {
  const { tree, parts } = readToml(text)
  const remove = (path: HostPath, vacant?: string): string => {
    const inside = placeInside(text, parts, path)
    if (inside?.rest.length === 0 && inside.container) {
      const flow = flowOf(inside.container)
      if (vacant !== undefined && isAlone(text, flow))
        return spliced(text, [{ ...flow, put: vacant }])
      return spliced(text, flowRemoval(text, flow, inside.index))
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
      const inside = placeInside(text, parts, path)
      return inside?.rest.length === 0 ? vacantText(text, inside.node) : undefined
    },
    remove,
    set: (path, value) => {
      const inside = placeInside(text, parts, path)
      if (inside) return spliced(text, changeInside(text, inside, value))
      if (nodeAt(tree, path) !== undefined) return openToml(remove(path)).set(path, value)
      return spliced(text, tomlAddition(text, parts, path, value))
    },
  }
}

/** What a path leads to within the value of a line. */
type Inside = {
  readonly node: AST.TOMLContentNode
  /** What `node` is a child of, unless it is the value of a line itself. */
  readonly container: AST.TOMLInlineTable | AST.TOMLArray | undefined
  readonly index: number
  /** The steps that are missing. */
  readonly rest: HostPath
}

function placeInside(text: string, parts: readonly TomlPart[], path: HostPath): Inside | undefined {
  for (const part of parts) {
    if (part.kind === 'line' && startsWith(path, part.path)) {
      const rest = path.slice(part.path.length)
      return within(text, { node: part.node.value, container: undefined, index: 0, rest })
    }
  }
  return undefined
}

function within(text: string, place: Inside): Inside {
  const { node: container, rest } = place
  const [step] = rest
  if (step === undefined) return place
  if (container.type === 'TOMLArray') {
    const index = Number(step)
    const node = container.elements[index]
    return node ? within(text, { node, container, index, rest: rest.slice(1) }) : place
  }
  if (container.type !== 'TOMLInlineTable') return place
  for (const [index, line] of container.body.entries()) {
    const names = namesOf(line.key)
    if (startsWith(rest, names))
      return within(text, { node: line.value, container, index, rest: rest.slice(names.length) })
    if (names[0] === step)
      throw brokenAt(text, line.range[0], 'Dotted keys in inline tables can’t be edited.')
  }
  return place
}

function changeInside(text: string, { node, rest }: Inside, value: HostValue): readonly Splice[] {
  const [step, ...below] = rest
  if (step === undefined) return [{ from: node.range[0], to: node.range[1], put: tomlValue(value) }]
  if (node.type !== 'TOMLArray' && node.type !== 'TOMLInlineTable') return []
  const written = tomlValue(wrappedValue(below, value))
  const child = typeof step === 'string' ? `${tomlKey([step])} = ${written}` : written
  return flowInsertion(text, flowOf(node), child)
}

function vacantText(
  text: string,
  { type, range: [from, to] }: AST.TOMLContentNode,
): string | undefined {
  const isContainer = type === 'TOMLArray' || type === 'TOMLInlineTable'
  return isContainer && isBlank(text, from + 1, to - 1) ? text.slice(from, to) : undefined
}

function flowOf(node: AST.TOMLArray | AST.TOMLInlineTable): Flow {
  const children = node.type === 'TOMLArray' ? node.elements : node.body
  const rangeOf = ({ range: [from, to] }: { range: AST.Range }): { from: number; to: number } => ({
    from,
    to,
  })
  return { ...rangeOf(node), children: children.map(rangeOf) }
}

/** All tables and lines that write to a path or below it. */
function cutsOf(text: string, parts: readonly TomlPart[], path: HostPath): Splice[] {
  const gone = parts.filter((part) => startsWith(part.path, path))
  const tables = gone.filter(({ kind }) => kind === 'table')
  const isOfTable = ({ node }: TomlPart): boolean =>
    tables.some((table) => table.node !== node && node.parent === table.node)
  return gone
    .filter((part) => !isOfTable(part))
    .map(({ kind, node: { range } }) => {
      const cut = linesCut(text, ...range)
      return kind === 'table' ? { ...cut, from: beforeBlankLine(text, cut.from) } : cut
    })
}

/** A table was set off by one empty line. */
function beforeBlankLine(text: string, offset: number): number {
  const blank = /(?:\r\n|\n|\r)[ \t]*$/u.exec(text.slice(Math.max(0, offset - 200), offset))
  return blank ? offset - blank[0].length : offset
}
