import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, visit } from 'yaml'

import type { Brackets } from './bracket-splices'
import { beforeLineEnd, brokenAt, lineStart } from './host-text'
import type { HostPath } from './host-tree'
import { yamlKey } from './yaml-tree'

/** A map or a list. */
export type YamlContainer = Extract<ParsedNode, { items: unknown }>

/** A node on a path, with its container. */
export type YamlLocation = {
  /** Null for a key without a colon. */
  readonly node: ParsedNode | null
  /** Undefined for the root. */
  readonly within:
    | { readonly container: YamlContainer; readonly index: number; readonly above: YamlLocation }
    | undefined
}

/** Returns the place of a path, or the last existing one with the missing steps. */
export function yamlLocation(
  text: string,
  root: ParsedNode,
  path: HostPath,
): { location: YamlLocation; rest: HostPath } {
  let location: YamlLocation = { node: root, within: undefined }
  for (const [at, step] of path.entries()) {
    const container: ParsedNode | null = location.node
    const index = isContainer(container) ? indexOf(text, container, step) : -1
    if (!isContainer(container) || index === -1) return { location, rest: path.slice(at) }
    location = { node: itemOf(container, index), within: { container, index, above: location } }
  }
  return { location, rest: [] }
}

function indexOf(text: string, container: YamlContainer, step: string | number): number {
  if (isSeq(container)) return typeof step === 'number' && step < container.items.length ? step : -1
  return container.items.findIndex(({ key }) => yamlKey(text, key) === step)
}

function itemOf(container: YamlContainer, index: number): ParsedNode | null {
  if (isSeq(container)) return container.items[index] ?? null
  return container.items[index]?.value ?? null
}

/** Whether a node is a map or a list. */
export function isContainer(node: ParsedNode | null): node is YamlContainer {
  return isMap(node) || isSeq(node)
}

/** Throws if a place is an anchor or an alias: shared text can't be edited in one place only. */
export function refuseShared(text: string, location: YamlLocation, isReplaced: boolean): void {
  for (let on: YamlLocation | undefined = location; on; on = on.within?.above) {
    const { node } = on
    const isShared = isAlias(node) ? on !== location || !isReplaced : node?.anchor !== undefined
    if (node && isShared) throw sharedAt(text, node)
  }
  if (!isReplaced) return
  visit(location.node, {
    Node: (_, node) => {
      const { anchor } = node as ParsedNode
      if (anchor !== undefined) throw sharedAt(text, node as ParsedNode)
    },
  })
}

function sharedAt(text: string, node: ParsedNode): Error {
  return brokenAt(text, node.range[0], 'An anchor or alias can’t be edited here.')
}

/** Returns the start of a block item: its key or its dash. */
export function itemStart(container: YamlContainer, index: number): number {
  if (!isSeq(container)) return container.items[index]?.key.range[0] ?? container.range[0]
  const token = container.srcToken
  const item = token?.type === 'block-seq' ? token.items[index] : undefined
  return item?.start.find(({ type }) => type === 'seq-item-ind')?.offset ?? container.range[0]
}

/** Returns the end of an item's content, before a comment. */
export function itemEnd(text: string, container: YamlContainer, index: number): number {
  if (isSeq(container)) {
    const element = container.items[index]
    return element ? nodeEnd(text, element) : container.range[1]
  }
  const pair = container.items[index]
  if (!pair) return container.range[1]
  const { key, value } = pair
  if (value && !isEmptyScalar(value)) return nodeEnd(text, value)
  return colonEnd(pair) ?? key.range[1]
}

type Range = { readonly from: number; readonly to: number }

/** Returns the range from the end of a place's key to the end of its colon; undefined without a key. */
export function headOf({ within }: YamlLocation): Range | undefined {
  const pair = within && isMap(within.container) ? within.container.items[within.index] : undefined
  return pair && { from: pair.key.range[1], to: colonEnd(pair) ?? pair.key.range[1] }
}

/** Returns the range of an empty value including its colon; if a comment separates them, from the end of the comment's line. */
export function vacantRange(
  text: string,
  location: YamlLocation,
): (Range & { readonly hasColon: boolean }) | undefined {
  const { node, within } = location
  const head = headOf(location)
  if (!within || !head) return undefined
  const to = itemEnd(text, within.container, within.index)
  const start = node && !isEmptyScalar(node) ? node.range[0] : to
  if (!text.slice(head.to, start).includes('#')) return { from: head.from, to, hasColon: true }
  const from = beforeLineEnd(text, lineStart(text, start))
  return from > head.to ? { from, to, hasColon: false } : undefined
}

/** Returns the offset after a pair's colon. */
function colonEnd({ srcToken }: Pair<ParsedNode, ParsedNode | null>): number | undefined {
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
  return colon ? colon.offset + 1 : undefined
}

function isEmptyScalar(node: ParsedNode): boolean {
  return isScalar(node) && node.range[0] === node.range[1]
}

function nodeEnd(text: string, node: ParsedNode): number {
  if (isContainer(node) && node.flow !== true) return itemEnd(text, node, node.items.length - 1)
  return isBlockScalar(node) ? beforeLineEnd(text, node.range[1]) : node.range[1]
}

/** Returns the block scalar directly before a block item: the line ends after it belong to it. */
export function linesAbove(container: YamlContainer, index: number): ParsedNode | undefined {
  const node = index > 0 ? itemOf(container, index - 1) : null
  if (isContainer(node) && node.flow !== true) return linesAbove(node, node.items.length)
  return node && isBlockScalar(node) ? node : undefined
}

function isBlockScalar(node: ParsedNode): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
}

/** Returns the column of a block item, counting preceding dashes as spaces. Throws if anything else precedes it. */
export function itemColumn(text: string, container: YamlContainer, index: number): number {
  const at = itemStart(container, index)
  const before = text.slice(lineStart(text, at), at)
  if (!/^ *(?:- +)*$/u.test(before)) throw brokenAt(text, at, 'This format can’t be edited.')
  return before.length
}

/** Returns a collection in brackets with the offsets of its children. */
export function bracketsOf(text: string, container: YamlContainer): Brackets {
  const [from, to] = container.range
  const children = container.items.map((item, index) => ({
    from: isSeq(container) ? (item as ParsedNode).range[0] : itemStart(container, index),
    to: itemEnd(text, container, index),
  }))
  return { from, to, children }
}
