import type { JsonNodes } from './json-nodes'

/** A name as a part of a JSON pointer (RFC 6901, 3). */
export function pointerPart(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The JSON pointer of a value in the whole text; empty of the whole. */
export function pointerOf(nodes: JsonNodes, node: number): string {
  const parts: string[] = []
  for (let at = node; at > 0; at = nodes.parents[at] ?? 0)
    parts.push(pointerPart(nodes.keyOf(at) ?? nodes.places[at] ?? 0))
  return parts
    .toReversed()
    .map((part) => `/${part}`)
    .join('')
}

function childAt(nodes: JsonNodes, node: number, part: string): number | undefined {
  if (nodes.kinds[node] === 'object') {
    return nodes.member(node, part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  if (nodes.kinds[node] !== 'array' || !/^(?:0|[1-9]\d{0,8})$/u.test(part)) return undefined
  const wanted = Number(part)
  for (const child of nodes.childrenOf(node)) if (nodes.places[child] === wanted) return child
  return undefined
}

/** The value that a JSON pointer names; undefined where there is none. */
export function nodeAt(nodes: JsonNodes, pointer: string): number | undefined {
  if (pointer === '') return 0
  if (!pointer.startsWith('/')) return undefined
  let node: number | undefined = 0
  for (const part of pointer.slice(1).split('/')) {
    if (node === undefined) return undefined
    node = childAt(nodes, node, part)
  }
  return node
}
