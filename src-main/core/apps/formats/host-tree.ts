import { type HostValue, isList, isTable } from '../apps/host-app'

/** A scalar unknown to JSON, such as a date or a number beyond its precision, as its text. */
export class OtherScalar {
  constructor(readonly text: string) {}
}

/** The content of a text in its order; compare with `isDeepStrictEqual`. */
export type HostTree =
  | string
  | number
  | boolean
  | null
  | OtherScalar
  | readonly HostTree[]
  | ReadonlyMap<string, HostTree>

/** The keys and indexes that lead to a node. */
export type HostPath = readonly (string | number)[]

/** Converts a number to a tree. */
export function numberTree(value: number, text: string): HostTree {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? value
    : new OtherScalar(text)
}

/** Converts a value to a tree. */
export function treeOf(value: HostValue): HostTree {
  if (isList(value)) return value.map((element) => treeOf(element))
  if (!isTable(value)) return value
  return new Map(Object.entries(value).map(([key, member]) => [key, treeOf(member)]))
}

/** Converts a tree to a value: other scalars become their text. */
export function valueOfTree(tree: HostTree): HostValue {
  if (tree instanceof OtherScalar) return tree.text
  if (isMap(tree))
    return Object.fromEntries([...tree].map(([key, member]) => [key, valueOfTree(member)]))
  if (Array.isArray(tree)) return tree.map((element: HostTree) => valueOfTree(element))
  return tree as string | number | boolean | null
}

/** Whether a node has named members. */
export function isMap(tree: HostTree | undefined): tree is ReadonlyMap<string, HostTree> {
  return tree instanceof Map
}

/** Returns the node at a path. */
export function nodeAt(tree: HostTree, path: HostPath): HostTree | undefined {
  let node: HostTree | undefined = tree
  for (const step of path) node = childOf(node, step)
  return node
}

/** Returns the tree with another node at a path; creates missing or null levels. */
export function treeWith(tree: HostTree, path: HostPath, node: HostTree): HostTree {
  const [step, ...rest] = path
  if (step === undefined) return node
  const child = treeWith(childOf(tree, step) ?? null, rest, node)
  if (typeof step === 'string') return new Map(isMap(tree) ? tree : []).set(step, child)
  const list: HostTree[] = Array.isArray(tree) ? [...(tree as readonly HostTree[])] : []
  list[step] = child
  return list
}

/** Returns the tree without the node at a path. */
export function treeWithout(tree: HostTree, path: HostPath): HostTree {
  const last = path.at(-1)
  const parentPath = path.slice(0, -1)
  const parent = nodeAt(tree, parentPath)
  if (last === undefined || parent === undefined) return tree
  if (typeof last === 'number') {
    const list = Array.isArray(parent) ? (parent as readonly HostTree[]) : []
    return treeWith(tree, parentPath, list.toSpliced(last, 1))
  }
  const members = new Map(isMap(parent) ? parent : [])
  members.delete(last)
  return treeWith(tree, parentPath, members)
}

/** Whether a node is null, or an empty list or map. */
export function isEmpty(tree: HostTree): boolean {
  return tree === null || (isMap(tree) ? tree.size === 0 : Array.isArray(tree) && tree.length === 0)
}

/** Returns the tree without the empty levels of a path, from the last one up. */
export function pruned(tree: HostTree, path: HostPath): HostTree {
  if (path.length === 0) return tree
  const node = nodeAt(tree, path)
  if (node !== undefined && !isEmpty(node)) return tree
  return pruned(node === undefined ? tree : treeWithout(tree, path), path.slice(0, -1))
}

/** Wraps a value in levels. */
export function wrappedValue(path: HostPath, value: HostValue): HostValue {
  return path.reduceRight<HostValue>(
    (inner, step) => (typeof step === 'string' ? { [step]: inner } : [inner]),
    value,
  )
}

/** Whether a path starts with, or equals, another one. */
export function startsWith(path: HostPath, start: HostPath): boolean {
  return path.length >= start.length && start.every((step, index) => path[index] === step)
}

function childOf(tree: HostTree | undefined, step: string | number): HostTree | undefined {
  if (typeof step === 'string') return isMap(tree) ? tree.get(step) : undefined
  return Array.isArray(tree) ? (tree as readonly HostTree[])[step] : undefined
}
