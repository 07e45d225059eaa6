import { createScanner, type Node } from 'jsonc-parser'

import type { HostValue } from '../apps/host-app'
import {
  beforeLineEnd,
  contentEnd,
  indentAt,
  isBlank,
  lineEndOf,
  linesCut,
  lineStart,
  lineStop,
  type Splice,
} from './host-text'
import { type HostPath, wrappedValue } from './host-tree'

const SAME_LINE_COMMENTS =
  /[ \t]*(?:\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=[\r\n]|$)/uy

/** Returns the splices that replace a node's value; `rest` are levels to create around it. */
export function replacement(
  text: string,
  node: Node,
  rest: HostPath,
  value: HostValue,
): readonly Splice[] {
  const indent = indentAt(text, node.offset)
  const style = { ...styleOf(text, node), indent }
  return [{ from: node.offset, to: endOf(node), put: written(wrappedValue(rest, value), style) }]
}

/** Returns the splices that append a child to a container, or fill a text that has only comments. */
export function insertion(
  text: string,
  container: Node | undefined,
  path: HostPath,
  value: HostValue,
): readonly Splice[] {
  const eol = lineEndOf(text)
  if (!container) {
    const style = { eol, indent: '', unit: '  ', isBroken: true }
    const end = contentEnd(text)
    const put = (end === 0 ? '' : eol) + written(wrappedValue(path, value), style) + eol
    return [{ from: end, to: text.length, put }]
  }
  const style = styleOf(text, container)
  const [step, ...rest] = path
  const key = typeof step === 'string' ? `${JSON.stringify(step)}: ` : ''
  const child = key + written(wrappedValue(rest, value), style)
  const last = container.children?.at(-1)
  if (!last) return firstChild(text, container, child, style)
  const comma = commaAfter(text, endOf(last))
  const after = comma === undefined ? endOf(last) : comma + 1
  const at = style.isBroken ? afterComments(text, after) : after
  const put = (style.isBroken ? eol + style.indent : ' ') + child
  if (comma !== undefined) return [putAt(at, `${put},`)]
  return [putAt(after, ','), putAt(at, put)]
}

function firstChild(text: string, container: Node, child: string, style: Style): Splice[] {
  const open = container.offset + 1
  const close = endOf(container) - 1
  const { eol, indent } = style
  const lead = style.isBroken ? eol + indent : ''
  if (!isBlank(text, open, close))
    return [putAt(open + contentEnd(text.slice(open, close)), (lead || ' ') + child)]
  const tail = style.isBroken ? eol + indentAt(text, container.offset) : ''
  return [{ from: open, to: close, put: lead + child + tail }]
}

/** Returns the spelling of an empty node; undefined if it has content or a comment. */
export function vacantText(text: string, node: Node): string | undefined {
  const isContainer = node.type === 'object' || node.type === 'array'
  const isVacant = isContainer
    ? isBlank(text, node.offset + 1, endOf(node) - 1)
    : node.type === 'null'
  return isVacant ? text.slice(node.offset, endOf(node)) : undefined
}

/** Returns the splices that remove a child with its comma, its lines and the comments after it on the last line. */
export function removal(text: string, node: Node, vacant?: string): readonly Splice[] {
  const child = node.parent?.type === 'property' ? node.parent : node
  const container = child.parent
  if (!container) return []
  const open = container.offset + 1
  const close = endOf(container) - 1
  const siblings = container.children ?? []
  const index = siblings.indexOf(child)
  const comma = commaAfter(text, endOf(child))
  const isAdjacent = comma !== undefined && isBlank(text, endOf(child), comma)
  const end = isAdjacent ? comma + 1 : endOf(child)
  const isAlone = isBlank(text, open, child.offset) && isBlank(text, end, close)
  if (siblings.length === 1 && isAlone)
    return [
      vacant === undefined ? { from: open, to: close, put: '' } : vacated(text, container, vacant),
    ]
  const commas = isAdjacent ? [] : [comma ?? commaBefore(text, siblings, index)]
  return [
    cut(text, child.offset, end, index === siblings.length - 1),
    ...commas.flatMap((at) => (at === undefined ? [] : [{ from: at, to: at + 1, put: '' }])),
  ]
}

/** Only a text that was nothing but comments keeps no brackets. */
function vacated(text: string, container: Node, vacant: string): Splice {
  const { offset, parent } = container
  const end = endOf(container)
  if (parent || !isBlank(vacant, 0)) return { from: offset, to: end, put: vacant }
  const from = contentEnd(text.slice(0, offset))
  const isLast = isBlank(text, end)
  return isLast ? { from, to: text.length, put: vacant } : { from, to: end, put: '' }
}

function commaBefore(text: string, siblings: readonly Node[], index: number): number | undefined {
  const before = index > 0 ? siblings[index - 1] : undefined
  return before && commaAfter(text, endOf(before))
}

/** Cuts a piece with the white space around it. */
function cut(text: string, from: number, to: number, isLast: boolean): Splice {
  const start = lineStart(text, from)
  const stop = afterComments(text, to)
  const isFirstOfLine = isBlank(text, start, from)
  if (isFirstOfLine && stop === lineStop(text, to)) return linesCut(text, from, to)
  const before = beforeLineEnd(text, start)
  // Following text must not move into the previous line's comment.
  const isCommented = endsInComment(text, before)
  if (isLast && isFirstOfLine) return { from: isCommented ? from : before, to, put: '' }
  if (isLast) return { from: contentEnd(text.slice(0, from)), to, put: '' }
  return { from, to: to + (/^[ \t]*/u.exec(text.slice(to))?.[0].length ?? 0), put: '' }
}

type Style = {
  readonly eol: string
  /** Indentation of the children. */
  readonly indent: string
  readonly unit: string
  /** Whether children are on their own lines. */
  readonly isBroken: boolean
}

function styleOf(text: string, container: Node): Style {
  const root = rootOf(container)
  const first = childIndent(text, root)
  const unit = first === undefined || first === '' ? '  ' : first
  const indent = childIndent(text, container) ?? indentAt(text, container.offset) + unit
  return { eol: lineEndOf(text), indent, unit, isBroken: isBroken(text, container) }
}

function isBroken(text: string, container: Node): boolean {
  const first = container.children?.[0]
  const hasLines = (from: number, to: number): boolean => /[\r\n]/u.test(text.slice(from, to))
  if (first) return hasLines(container.offset, first.offset)
  const root = rootOf(container)
  return root === container || hasLines(root.offset, endOf(root))
}

/** Returns the indentation of the first child, if children are on their own lines. */
function childIndent(text: string, container: Node): string | undefined {
  const first = container.children?.[0]
  return first && isBroken(text, container) ? indentAt(text, first.offset) : undefined
}

function rootOf(node: Node): Node {
  let root = node
  while (root.parent) root = root.parent
  return root
}

function written(value: HostValue, { eol, indent, unit, isBroken }: Style): string {
  if (!isBroken) return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return text.charAt(at) === ',' ? at : undefined
}

/** Returns the end of comments that end the line; the offset itself if anything else follows. */
function afterComments(text: string, offset: number): number {
  SAME_LINE_COMMENTS.lastIndex = offset
  return SAME_LINE_COMMENTS.test(text) ? SAME_LINE_COMMENTS.lastIndex : offset
}

function endOf(node: Node): number {
  return node.offset + node.length
}

function putAt(at: number, put: string): Splice {
  return { from: at, to: at, put }
}

/** Whether a line comment ends at an offset. */
function endsInComment(text: string, offset: number): boolean {
  const scanner = createScanner(text, false)
  for (let start = 0; start < offset; start = scanner.getPosition()) {
    scanner.scan()
    const isEnd = scanner.getPosition() === offset
    if (isEnd) return text.startsWith('//', scanner.getTokenOffset())
  }
  return false
}
