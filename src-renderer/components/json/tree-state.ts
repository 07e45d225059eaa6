import type { JsonNodes } from './json-nodes'

/** As many rows as a user sees at one glance. */
const FIRST_ROWS = 40

/** A part of a JSON text as a tree: the values that are open, and the rows that this makes, in document order. */
export type TreeState = {
  readonly nodes: JsonNodes
  readonly root: number
  readonly open: ReadonlySet<number>
  readonly rows: readonly number[]
}

function withOpen(tree: Omit<TreeState, 'rows' | 'open'>, open: ReadonlySet<number>): TreeState {
  const { nodes, root } = tree
  const { sizes } = nodes
  const rows: number[] = []
  const end = root + (sizes[root] ?? 0)
  for (let node = root; node < end; node += open.has(node) ? 1 : (sizes[node] ?? 1)) rows.push(node)
  return { ...tree, open, rows }
}

/** Opens what lies highest, as far as it fits a glance. */
export function treeOf(nodes: JsonNodes, root = 0): TreeState {
  const open = new Set<number>()
  let rows = 1
  // The queue grows while it is gone through: level after level.
  const queue = [root]
  for (const node of queue) {
    const count = nodes.counts[node] ?? 0
    const fits = rows + count <= FIRST_ROWS
    if (count === 0 || (!fits && node !== root)) continue
    open.add(node)
    rows += count
    if (fits) queue.push(...nodes.childrenOf(node))
  }
  return withOpen({ nodes, root }, open)
}

/** Opens or closes values; those without others in them stay as they are. */
export function setOpen(tree: TreeState, which: Iterable<number>, isOpen: boolean): TreeState {
  const open = new Set(tree.open)
  for (const node of which) {
    if (isOpen && (tree.nodes.counts[node] ?? 0) > 0) open.add(node)
    else open.delete(node)
  }
  return withOpen(tree, open)
}

/** Opens all that a value lies in. */
export function reveal(tree: TreeState, node: number): TreeState {
  const holders: number[] = []
  for (let at = node; at !== tree.root && at > 0; at = tree.nodes.parents[at] ?? 0)
    holders.push(tree.nodes.parents[at] ?? 0)
  return setOpen(tree, holders, true)
}

/** All values in the same object or array as one. */
export function siblings({ nodes, root }: TreeState, node: number): Iterable<number> {
  return node === root ? [node] : nodes.childrenOf(nodes.parents[node] ?? 0)
}

/** How many objects and arrays of the tree a value lies in. */
export function depthOf({ nodes, root }: TreeState, node: number): number {
  let depth = 0
  for (let at = node; at !== root && at > 0; at = nodes.parents[at] ?? 0) depth += 1
  return depth
}

/** The next row whose name or text begins with this, any case, from one on and around; -1 where there is none. */
export function rowThatBegins({ nodes, rows }: TreeState, text: string, from: number): number {
  const wanted = text.toLowerCase()
  const begins = (node: number): boolean =>
    (nodes.keyOf(node) ?? nodes.stringAt(node) ?? nodes.sourceOf(node).slice(0, 240))
      .toLowerCase()
      .startsWith(wanted)
  const after = rows.findIndex((node, row) => row >= from && begins(node))
  return after === -1 ? rows.findIndex(begins) : after
}

/** Values of the tree whose name or own text has these words in it, any case. */
export function findText({ nodes, root }: TreeState, text: string): readonly number[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  const has = (one: string | undefined): boolean => one?.toLowerCase().includes(wanted) ?? false
  const found: number[] = []
  const end = root + (nodes.sizes[root] ?? 0)
  for (let node = root; node < end; node += 1) {
    const isNamed = node !== root && has(nodes.keyOf(node))
    const own = nodes.isHolder(node) ? undefined : (nodes.stringAt(node) ?? nodes.sourceOf(node))
    if (isNamed || has(own)) found.push(node)
  }
  return found
}
