import { inOrder, isContainer, type JsonNode, primitiveText } from './json-nodes'

/** Number of rows that fit one view. */
const FIRST_ROWS = 40

/** The open values of a JSON tree and the visible rows that follow from them, in document order. */
export type TreeState = {
  readonly root: JsonNode
  readonly open: ReadonlySet<JsonNode>
  readonly rows: readonly JsonNode[]
}
function withOpen(root: JsonNode, open: ReadonlySet<JsonNode>): TreeState {
  return { root, open, rows: [...inOrder(root, (node) => open.has(node))] }
}

/** Opens the outermost levels as far as their rows fit one view. */
export function treeOf(root: JsonNode): TreeState {
  const open = new Set<JsonNode>()
  let rows = 1
  // The queue grows during the loop: breadth-first order.
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

/** Opens or closes values, ignoring values without children. */
export function setOpen(tree: TreeState, which: Iterable<JsonNode>, isOpen: boolean): TreeState {
  const open = new Set(tree.open)
  for (const node of which) {
    if (isOpen && node.children.length > 0) open.add(node)
    else open.delete(node)
  }
  return withOpen(tree.root, open)
}

/** Opens all ancestors of a value. */
export function reveal(tree: TreeState, node: JsonNode): TreeState {
  const holders: JsonNode[] = []
  for (let at = node; at !== tree.root && at.parent; at = at.parent) holders.push(at.parent)
  return setOpen(tree, holders, true)
}

/** Returns all values in the same container, including the given one. */
export function siblings({ root }: TreeState, node: JsonNode): readonly JsonNode[] {
  return node === root || !node.parent ? [node] : node.parent.children
}

/** Returns the next row from `from` on, wrapping around, whose name or text starts with `text`, ignoring case; -1 if none. */
export function rowWithPrefix({ rows }: TreeState, text: string, from: number): number {
  const wanted = text.toLowerCase()
  const begins = (node: JsonNode): boolean =>
    (node.key ?? primitiveText(node).slice(0, 240)).toLowerCase().startsWith(wanted)
  const after = rows.findIndex((node, row) => row >= from && begins(node))
  return after === -1 ? rows.findIndex(begins) : after
}

/** Returns the values of the tree whose name or own text contains the search text, ignoring case. */
export function findText({ root }: TreeState, text: string): readonly JsonNode[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  const has = (one = ''): boolean => one.toLowerCase().includes(wanted)
  return [...inOrder(root)].filter(
    (node) => (node !== root && has(node.key)) || (!isContainer(node) && has(primitiveText(node))),
  )
}
