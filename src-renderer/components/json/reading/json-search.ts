import type { JsonNodes } from './json-nodes'

/** Most places that a search finds. */
export const MOST_FOUND = 10_000

/** Where a text was found; `isWhole` tells whether these are all places. */
export type Found = { readonly places: readonly number[]; readonly isWhole: boolean }

/** The values below `root` whose name or own text has these words in it, any case. */
export function findText(nodes: JsonNodes, root: number, text: string): Found {
  const wanted = text.toLowerCase()
  const places: number[] = []
  if (wanted === '') return { places, isWhole: true }
  const has = (one: string | undefined): boolean => one?.toLowerCase().includes(wanted) ?? false
  const end = root + (nodes.sizes[root] ?? 0)
  for (let node = root; node < end; node += 1) {
    const isHolder = nodes.kinds[node] === 'object' || nodes.kinds[node] === 'array'
    const isFound =
      (node !== root && has(nodes.keyOf(node))) ||
      (!isHolder && has(nodes.stringAt(node) ?? nodes.sourceOf(node)))
    if (!isFound) continue
    if (places.length === MOST_FOUND) return { places, isWhole: false }
    places.push(node)
  }
  return { places, isWhole: true }
}
