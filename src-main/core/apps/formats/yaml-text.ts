import { Document, isMap, isScalar, isSeq, type ParsedNode, Scalar, visit } from 'yaml'

import type { HostValue } from '../apps/host-app'
import { type Brackets, childInsertion, childRemoval, HASH } from './bracket-splices'
import {
  brokenAt,
  contentEnd,
  type HostText,
  isBlank,
  lineEndOf,
  linesCut,
  lineStart,
  lineStop,
  type Splice,
  spliced,
} from './host-text'
import { type HostPath, wrappedValue } from './host-tree'
import {
  bracketsOf,
  headOf,
  isContainer,
  itemColumn,
  itemEnd,
  itemStart,
  linesAbove,
  refuseShared,
  vacantRange,
  type YamlLocation,
  yamlLocation,
} from './yaml-place'
import { readYaml, yamlKey } from './yaml-tree'

type YamlStyle = {
  /** Number of spaces per level. */
  readonly indent: number
  /** Whether the dashes of a list are indented more than its key. */
  readonly indentSeq: boolean
}

/** These characters are escaped in quotes, because parsers differ on them. */
const UNSAFE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/gu

/** Formats a value in lines, none of which continues the previous one. */
function yamlBlock(value: HostValue, style: YamlStyle): string[] {
  return yamlText(value, style).split('\n')
}

/** Formats a value on one line. */
function yamlFlow(value: HostValue): string {
  return yamlText(value, { collectionStyle: 'flow' })
}

/** Formats a value; quotes texts that YAML 1.1 reads as another type, because some apps use 1.1. */
function yamlText(value: HostValue, style: YamlStyle | { collectionStyle: 'flow' }): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.search(UNSAFE) >= 0)
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document
    .toString({ lineWidth: 0, blockQuote: false, ...style })
    .replace(/\n$/u, '')
    .replaceAll(UNSAFE, (char) => {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase()
      return String.raw`\u` + code.padStart(4, '0')
    })
}

/** Parses YAML. Throws HOST_FILE_BROKEN. */
export function openYaml(text: string): HostText {
  const { root, tree } = readYaml(text)
  return {
    tree,
    offsetOf: (path) => (root ? (yamlLocation(text, root, path).location.node?.range[0] ?? 0) : 0),
    set: (path, value) => {
      if (!root) return spliced(text, [wholeText(text, wrappedValue(path, value))])
      const { location, rest } = yamlLocation(text, root, path)
      refuseShared(text, location, rest.length === 0)
      const style = styleOf(text, root)
      return spliced(text, change({ text, style }, location, rest, value))
    },
    vacant: (path) => {
      if (!root) return path.length === 0 && isBlank(text, 0) ? text : undefined
      const { location, rest } = yamlLocation(text, root, path)
      return rest.length === 0 ? vacantText(text, location) : undefined
    },
    remove: (path, vacant) => {
      if (!root) return text
      const { location, rest } = yamlLocation(text, root, path)
      if (rest.length > 0) return text
      refuseShared(text, location, true)
      const remaining = spliced(text, removal(text, location, vacant))
      return vacant !== undefined && isBlank(remaining + vacant, 0) ? vacant : remaining
    },
  }
}

type Sheet = { readonly text: string; readonly style: YamlStyle }

function styleOf(text: string, root: ParsedNode): YamlStyle {
  const nested = isMap(root) ? root.items.map(({ value }) => value) : []
  const map = nested.find((value) => isMap(value) && value.flow !== true && value.items.length > 0)
  const indent = map && isMap(map) ? itemStart(map, 0) - lineStart(text, itemStart(map, 0)) : 0
  const isFlush = /^( *)[^\s#-][^\r\n]*:[ \t]*\r?\n\1- /mu.test(text)
  return { indent: indent > 0 && indent <= 8 ? indent : 2, indentSeq: !isFlush }
}

function wholeText(text: string, value: HostValue): Splice {
  const eol = lineEndOf(text)
  const put = yamlBlock(value, { indent: 2, indentSeq: true }).join(eol)
  const end = contentEnd(text)
  if (end === 0) return { from: 0, to: text.length, put: put + eol }
  return { from: end, to: end, put: eol + put }
}

function change(
  sheet: Sheet,
  location: YamlLocation,
  rest: HostPath,
  value: HostValue,
): readonly Splice[] {
  const { text, style } = sheet
  const { node } = location
  const isFilled = isContainer(node) && (!isVacant(text, node) || !location.within)
  if (rest.length === 0 || !isFilled) return replacement(sheet, location, wrappedValue(rest, value))
  const [step, ...below] = rest
  const item = itemOf(step, wrappedValue(below, value))
  if (node.flow === true) {
    // A bracketed collection with one child, without the brackets, is the child's text.
    const child = yamlFlow(item)
      .replace(/^[{[] ?/u, '')
      .replace(/ ?[}\]]$/u, '')
    const pad = isMap(node) ? ' ' : ''
    return childInsertion(text, bracketsOf(text, node), HASH, { child, pad })
  }
  const column = itemColumn(text, node, 0)
  const end = itemEnd(text, node, node.items.length - 1)
  const at = afterComments(text, lineStop(text, end), column)
  const eol = lineEndOf(text) + ' '.repeat(column)
  return [{ from: at, to: at, put: eol + yamlBlock(item, style).join(eol) }]
}

/** Returns a container with only this value. */
function itemOf(step: string | number | undefined, value: HostValue): HostValue {
  return typeof step === 'string' ? { [step]: value } : [value]
}

function replacement({ text, style }: Sheet, location: YamlLocation, value: HostValue): Splice[] {
  const { node, within } = location
  if (!within) throw brokenAt(text, 0, 'The whole document can’t be replaced.')
  const { container, index } = within
  const vacant = isVacant(text, node) ? vacantRange(text, location) : undefined
  if (container.flow === true && vacant?.hasColon === true)
    return [{ ...vacant, put: `: ${yamlFlow(value)}` }]
  if (node && (container.flow === true || (isSingle(value) && isWord(node))))
    return [{ from: node.range[0], to: node.range[1], put: yamlFlow(value) }]
  const column = itemColumn(text, container, index)
  const eol = lineEndOf(text) + ' '.repeat(column)
  const pair = isSeq(container) ? undefined : container.items[index]
  const lines = yamlBlock(itemOf(pair && yamlKey(text, pair.key), value), style)
  const end = itemEnd(text, container, index)
  if (!vacant || lines.length === 1)
    return [{ from: itemStart(container, index), to: end, put: lines.join(eol) }]
  // A comment after the key stays there.
  const at = lineStop(text, end)
  return [
    { ...vacant, put: vacant.hasColon ? ':' : '' },
    { from: at, to: at, put: eol + lines.slice(1).join(eol) },
  ]
}

function isSingle(value: HostValue): boolean {
  return typeof value !== 'object' || value === null
}

/** Whether a node is a scalar on its key's line. */
function isWord(node: ParsedNode): boolean {
  const isBlock = isScalar(node) && node.type?.startsWith('BLOCK') === true
  return isScalar(node) && !isBlock && node.range[0] < node.range[1]
}

/** Whether a node is null, or empty brackets. */
function isVacant(text: string, node: ParsedNode | null): boolean {
  if (!isContainer(node)) return !node || (isScalar(node) && node.value === null)
  return node.items.length === 0 && isBlank(text, node.range[0] + 1, node.range[1] - 1)
}

/** Returns the spelling of an empty node after its key: with the colon, unless a comment separates them. */
function vacantText(text: string, location: YamlLocation): string | undefined {
  const { node, within } = location
  if (!isVacant(text, node)) return undefined
  const range = within && vacantRange(text, location)
  if (range && (range.hasColon || within.container.flow !== true))
    return text.slice(range.from, range.to)
  return node ? text.slice(node.range[0], node.range[1]) : undefined
}

function removal(text: string, { within }: YamlLocation, vacant?: string): readonly Splice[] {
  if (!within) return []
  const { container, index, above } = within
  if (container.flow === true) {
    const brackets = bracketsOf(text, container)
    const empty = vacant === undefined ? undefined : vacated(above, brackets, vacant)
    return childRemoval(text, brackets, HASH, index, empty)
  }
  itemColumn(text, container, index)
  const start = itemStart(container, index)
  const end = itemEnd(text, container, index)
  const isFirstOfLine = isBlank(text, lineStart(text, start), start)
  if (container.items.length === 1) {
    if (!above.within) return [linesCut(text, start, end)]
    const empty = isSeq(container) ? '[]' : '{}'
    const head = isFirstOfLine ? headOf(above) : undefined
    if (!head) return [{ from: start, to: end, put: empty }]
    const lines = linesCut(text, start, end)
    if (vacant === undefined) return [{ from: head.to, to: head.to, put: ` ${empty}` }, lines]
    // The value started on its own line, below a comment.
    if (/^[\r\n]/u.test(vacant)) return [{ ...lines, put: vacant }]
    return [{ from: head.from, to: head.to, put: vacant }, lines]
  }
  if (isFirstOfLine)
    return [cutBelow(text, linesCut(text, start, end), linesAbove(container, index))]
  const next = itemStart(container, index + 1)
  if (text.slice(end, next).includes('#'))
    throw brokenAt(text, start, 'A comment prevents removing this entry.')
  return [{ from: start, to: next, put: '' }]
}

/** Adjusts a cut, so that a block scalar above keeps its line ends and gains no empty lines. */
function cutBelow(text: string, cut: Splice, above: ParsedNode | undefined): Splice {
  // The scalar ends before a comment, so no line end below belongs to it.
  if (!above || text.slice(above.range[1], cut.from).includes('#')) return cut
  if (cut.to === text.length)
    return { ...cut, from: cut.from + lineEndOf(text.slice(cut.from)).length }
  const header = text.slice(above.range[0], lineStop(text, above.range[0]))
  if (!/^[|>]\d?\+/u.test(header)) return cut
  const blank = /^(?:(?:\r\n|\n)[ \t]*)*(?=\r|\n)/u.exec(text.slice(cut.to))
  return { ...cut, to: cut.to + (blank?.[0].length ?? 0) }
}

/** Empties the collection in brackets at a place. */
function vacated(location: YamlLocation, { from, to }: Brackets, vacant: string): Splice {
  const head = headOf(location)
  const isWithColon = vacant === '' || /^[ \t]*:/u.test(vacant)
  return { from: head && isWithColon ? head.from : from, to, put: vacant }
}

/** Comments directly below, with at least the same indentation, belong to the item above. */
function afterComments(text: string, offset: number, column: number): number {
  const remark = new RegExp(String.raw`^(?:(?:\r\n|\n) {${String(column)},}#[^\r\n]*)*`, 'u')
  return offset + (remark.exec(text.slice(offset))?.[0].length ?? 0)
}
