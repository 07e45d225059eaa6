import { getNodeValue, type Node, parseTree } from 'jsonc-parser'

/** Maximum length of a name in a path. */
const MAX_SHOWN = 80

/** Returns the members of an object by name, in order; the last of several with the same name counts. Empty for anything else. */
export function membersOf(node: Node | undefined): Map<string, Node> {
  const members = new Map<string, Node>()
  if (node?.type !== 'object') return members
  for (const { children } of node.children ?? []) {
    const [name, value] = children ?? []
    if (typeof name?.value === 'string' && value) members.set(name.value, value)
  }
  return members
}

/** Returns the repeated names of an object. */
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

/** Returns the elements of a list; empty for anything else. */
export function elementsOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : []
}

/** Returns the text of a string, number or boolean; undefined for anything else. */
export function textOf(node: Node | undefined): string | undefined {
  const value: unknown = node?.value
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Converts a tree to a plain value. */
export function valueOf(node: Node): unknown {
  const value: unknown = getNodeValue(node)
  return value
}

/** Converts a plain JSON value to a tree. */
export function treeOf(value: unknown): Node {
  const root = parseTree(JSON.stringify(value))
  if (root === undefined) throw new Error('a value of JSON has no tree')
  return root
}

/** Extends a path for display: `mcpServers.github`, `servers["a b"]`. Truncates long names, so the path isn't unique. */
export function joinPath(path: string, name: string): string {
  return joinWholePath(path, name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name)
}

/** Extends a path with the whole name: unique per name of an object. */
export function joinWholePath(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
