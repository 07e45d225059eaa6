import type { HostValue } from '../apps/host-app'
import { contentEnd, indentAt, lineEndOf, lineStop, type Splice } from './host-text'
import { type HostPath, startsWith } from './host-tree'
import type { TomlPart } from './toml-tree'
import { tomlKey, tomlMembers, tomlValue } from './toml-value'

/** Something new: a table of its own for a value with members, a line where its neighbours are for any other. */
export function tomlAddition(
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

/** Behind the last line of a table, or its header. */
function lineIn(text: string, { node }: TomlPart, line: string): Splice {
  const last = node.type === 'TOMLTable' ? node.body.at(-1) : undefined
  return lineAfter(text, (last ?? node).range, line)
}

function lineAfter(text: string, [from, to]: readonly [number, number], line: string): Splice {
  const at = lineStop(text, to)
  return { from: at, to: at, put: lineEndOf(text) + indentAt(text, from) + line }
}

/** Behind the last table that has most of the path in common with it, else at the end. */
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
    const at = behindRemarks(text, lineStop(text, before.node.range[1]))
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

/** Comments directly below a table are about it, unless they are directly above the next one. */
function behindRemarks(text: string, offset: number): number {
  const remarks = /^(?:\r?\n[ \t]*#[^\r\n]*)*(?=\r?\n[ \t]*(?:\r?\n|$)|$)/u
  return offset + (remarks.exec(text.slice(offset))?.[0].length ?? 0)
}

function isTable(value: HostValue): value is Readonly<Record<string, HostValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
