import type { Node } from 'jsonc-parser'

import type { HostValue } from '../apps/host-app'
import {
  type Brackets,
  childIndent,
  childInsertion,
  childRemoval,
  SLASHES,
} from './bracket-splices'
import { contentEnd, indentAt, isBlank, lineEndOf, type Splice } from './host-text'
import { type HostPath, wrappedValue } from './host-tree'

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
  const indent = style.isBroken ? style.indent : undefined
  return childInsertion(text, bracketsOf(container), SLASHES, { child, indent })
}

/** Returns the spelling of an empty node; undefined if it has content or a comment. */
export function vacantText(text: string, node: Node): string | undefined {
  const isContainer = node.type === 'object' || node.type === 'array'
  const isVacant = isContainer
    ? isBlank(text, node.offset + 1, endOf(node) - 1)
    : node.type === 'null'
  return isVacant ? text.slice(node.offset, endOf(node)) : undefined
}

/** Returns the splices that remove a node; `vacant` spells its container if that becomes empty. */
export function removal(text: string, node: Node, vacant?: string): readonly Splice[] {
  const child = node.parent?.type === 'property' ? node.parent : node
  const container = child.parent
  if (!container) return []
  const index = (container.children ?? []).indexOf(child)
  const empty = vacant === undefined ? undefined : vacated(text, container, vacant)
  return childRemoval(text, bracketsOf(container), SLASHES, index, empty)
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
  const first = childIndent(text, bracketsOf(root))
  const unit = first === undefined || first === '' ? '  ' : first
  const own = childIndent(text, bracketsOf(container))
  const isEmpty = (container.children ?? []).length === 0
  const isBroken = isEmpty ? root === container || hasLines(text, root) : own !== undefined
  const indent = own ?? indentAt(text, container.offset) + unit
  return { eol: lineEndOf(text), indent, unit, isBroken }
}

function hasLines(text: string, node: Node): boolean {
  return /[\r\n]/u.test(text.slice(node.offset, endOf(node)))
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

function bracketsOf(node: Node): Brackets {
  const rangeOf = (one: Node) => ({ from: one.offset, to: endOf(one) })
  return { ...rangeOf(node), children: (node.children ?? []).map(rangeOf) }
}

function endOf(node: Node): number {
  return node.offset + node.length
}
