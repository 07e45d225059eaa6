import { inOrder, isHolder, type JsonNode, saidBy } from './json-nodes'

/** As many rows as a user sees at one glance. */
const FIRST_ROWS = 40

/** A part of a JSON text as a tree: the values that are open, and the rows that this makes, in document order. */
export type TreeState = {
  readonly root: JsonNode
  readonly open: ReadonlySet<JsonNode>
  readonly rows: readonly JsonNode[]
}

function withOpen(root: JsonNode, open: ReadonlySet<JsonNode>): TreeState {
  return { root, open, rows: [...inOrder(root, (node) => open.has(node))] }
}

/** Opens what lies highest, as far as it fits a glance. */
export function treeOf(root: JsonNode): TreeState {
  const open = new Set<JsonNode>()
  let rows = 1
  // The queue grows while it is gone through: level after level.
  const queue = [root]
  for (const node of queue) {
    const { length } = node.children
    const fits = rows + length <= FIRST_ROWS
    if (length === 0 || (!fits && node !== root)) continue
    open.add(node)
    rows += length
    if (fits) queue.push(...node.children)
  }
  return withOpen(root, open)
}

/** Opens or closes values; those without others in them stay as they are. */
export function setOpen(tree: TreeState, which: Iterable<JsonNode>, isOpen: boolean): TreeState {
  const open = new Set(tree.open)
  for (const node of which) {
    if (isOpen && node.children.length > 0) open.add(node)
    else open.delete(node)
  }
  return withOpen(tree.root, open)
}

/** Opens all that a value lies in. */
export function reveal(tree: TreeState, node: JsonNode): TreeState {
  const holders: JsonNode[] = []
  for (let at = node; at !== tree.root && at.parent; at = at.parent) holders.push(at.parent)
  return setOpen(tree, holders, true)
}

/** All values in the same object or array as one. */
export function siblings({ root }: TreeState, node: JsonNode): readonly JsonNode[] {
  return node === root || !node.parent ? [node] : node.parent.children
}

/** The next row whose name or text begins with this, any case, from one on and around; -1 where there is none. */
export function rowThatBegins({ rows }: TreeState, text: string, from: number): number {
  const wanted = text.toLowerCase()
  const begins = (node: JsonNode): boolean =>
    (node.key ?? saidBy(node).slice(0, 240)).toLowerCase().startsWith(wanted)
  const after = rows.findIndex((node, row) => row >= from && begins(node))
  return after === -1 ? rows.findIndex(begins) : after
}

/** Values of the tree whose name or own text has these words in it, any case. */
export function findText({ root }: TreeState, text: string): readonly JsonNode[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  const has = (one = ''): boolean => one.toLowerCase().includes(wanted)
  return [...inOrder(root)].filter(
    (node) => (node !== root && has(node.key)) || (!isHolder(node) && has(saidBy(node))),
  )
}
