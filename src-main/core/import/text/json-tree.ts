import { getNodeValue, type Node, parseTree } from 'jsonc-parser'

/** Characters of a name that a path shows. */
const MOST_SHOWN = 80

/** The members of an object by name, in order; of those with the same name the last one counts. Empty for anything else. */
export function membersOf(node: Node | undefined): Map<string, Node> {
  const members = new Map<string, Node>()
  if (node?.type !== 'object') return members
  for (const { children } of node.children ?? []) {
    const [name, value] = children ?? []
    if (typeof name?.value === 'string' && value) members.set(name.value, value)
  }
  return members
}

/** Names that an object gives more than once. */
export function repeatedNames(node: Node): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { children } of node.children ?? []) {
    const name: unknown = children?.[0]?.value
    if (typeof name !== 'string') continue
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return [...repeated]
}

/** The elements of a list; empty for anything else. */
export function elementsOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : []
}

/** The text of a string, a number or a boolean; undefined for anything else. */
export function textOf(node: Node | undefined): string | undefined {
  const value: unknown = node?.value
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The tree as a plain value. */
export function valueOf(node: Node): unknown {
  const value: unknown = getNodeValue(node)
  return value
}

/** The tree of a plain value, which is JSON. */
export function treeOf(value: unknown): Node {
  const root = parseTree(JSON.stringify(value))
  if (root === undefined) throw new Error('a value of JSON has no tree')
  return root
}

/** A path as a user reads it: `mcpServers.github`, `servers["a b"]`. A long name is cut, so it tells nothing apart. */
export function joinPath(path: string, name: string): string {
  return joinWholePath(path, name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name)
}

/** The same of the whole name: no two names of an object have one path. */
export function joinWholePath(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
