import type { Node } from 'jsonc-parser'

import { AppError } from '../../../src-shared/domain/app-error'
import { elementsOf, joinPath, membersOf, textOf } from './text/json-tree'

/** Far more than any user runs. */
const MAX_SERVERS = 200

/** An unparsed server of a configuration. */
export type FoundEntry = {
  /** Name in the configuration; undefined for a single entry. */
  readonly name: string | undefined
  readonly path: string
  readonly node: Node
}

/** Kind of a pasted text. */
export type FoundConfiguration =
  | { readonly kind: 'serverJson' }
  | {
      readonly kind: 'entries'
      readonly entries: readonly FoundEntry[]
      /** VS Code's list of inputs next to the servers. */
      readonly inputs: Node | undefined
    }

/** Keys under which apps keep their servers, the most specific first. */
const ENTRY_PATHS = [
  ['mcpServers'],
  ['context_servers'],
  ['mcp', 'servers'],
  ['mcp', 'mcpServers'],
  ['servers'],
  ['mcp_servers'],
  ['amp.mcpServers'],
  ['mcp'],
] as const
export const ADDRESS_KEYS = ['url', 'serverUrl', 'httpUrl']

/** Finds the servers in a configuration of any usual shape. Throws INVALID_CONFIG, naming the path of an unexpected value. */
export function findEntries(root: Node): FoundConfiguration {
  const members = membersOf(root)
  if (isServerJson(members)) return { kind: 'serverJson' }
  if (members.has('package_args'))
    throw new AppError('INVALID_CONFIG', 'This configuration contains values of one server.', {
      hint: 'Open that server’s form and choose “Paste values”.',
    })
  const found = root.type === 'array' ? listed(root, '') : entriesOf(root, members)
  if (found.length === 0) {
    throw new AppError('INVALID_CONFIG', 'The configuration contains no servers.', {
      hint: 'Paste the part with the servers, such as {"mcpServers": {…}}.',
    })
  }
  if (found.length > MAX_SERVERS) {
    throw new AppError(
      'INVALID_CONFIG',
      `The configuration has ${String(found.length)} servers, but Patchbay reads ${String(MAX_SERVERS)} at a time.`,
      { hint: 'Paste part of it.' },
    )
  }
  const inputs = members.get('inputs') ?? membersOf(members.get('mcp')).get('inputs')
  return { kind: 'entries', entries: found, inputs }
}

function isServerJson(members: ReadonlyMap<string, Node>): boolean {
  const inner = members.has('name') ? undefined : members.get('server')
  const server = inner ? membersOf(inner) : members
  if (!server.has('name')) return false
  const isListed = ['packages', 'remotes'].some((name) => server.get(name)?.type === 'array')
  return isListed || (textOf(server.get('$schema')) ?? '').includes('server.schema.json')
}

function entriesOf(root: Node, members: ReadonlyMap<string, Node>): FoundEntry[] {
  for (const path of ENTRY_PATHS) {
    const node = nodeAt(root, path)
    // A server may have one of these names.
    if (node === undefined || isEntry(membersOf(node))) continue
    if (path.length === 1 && isEntry(members)) continue
    return namedOrListed(node, path.join('.'))
  }
  if (isEntry(members)) return [{ name: textOf(members.get('name')), path: '', node: root }]
  return bareMap(root, members)
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root
  for (const name of path) node = membersOf(node).get(name)
  return node
}

/** Whether members form an entry, and not a map of entries in which one is named "command". */
function isEntry(members: ReadonlyMap<string, Node>): boolean {
  const command = members.get('command') ?? members.get('cmd')
  const hasCommand = command?.type === 'object' ? membersOf(command).has('path') : command
  return Boolean(hasCommand) || ADDRESS_KEYS.some((key) => members.get(key)?.type === 'string')
}

function namedOrListed(node: Node, path: string): FoundEntry[] {
  if (node.type === 'array') return listed(node, path)
  if (node.type !== 'object') throw wrongShape(path, 'an object with one entry per server')
  return [...membersOf(node)].map(([name, entry]) => ({
    name,
    path: joinPath(path, name),
    node: entry,
  }))
}

function listed(node: Node, path: string): FoundEntry[] {
  return elementsOf(node).map((entry, index) => ({
    name: textOf(membersOf(entry).get('name')) ?? textOf(membersOf(entry).get('id')),
    path: `${path}[${String(index)}]`,
    node: entry,
  }))
}

/** Reads `{"name": {"command": …}}` without an outer key. */
function bareMap(root: Node, members: ReadonlyMap<string, Node>): FoundEntry[] {
  if (root.type !== 'object') throw wrongShape('the text', 'a JSON object')
  const named = [...members].filter(([, entry]) => isEntry(membersOf(entry)))
  if (named.length === 0 && members.size > 0) {
    const [first = ''] = members.keys()
    throw new AppError('INVALID_CONFIG', `No servers found in “${first.slice(0, 80)}”.`, {
      hint: 'Expected {"mcpServers": {…}}, {"servers": {…}}, an object of entries, or one entry with "command" or "url".',
    })
  }
  return named.map(([name, node]) => ({ name, path: joinPath('', name), node }))
}

/** Returns the error that names a path and the expected value. */
export function wrongShape(path: string, expected: string): AppError {
  return new AppError('INVALID_CONFIG', `${path}: expected ${expected}.`, {
    hint: 'Correct the text, then read it again.',
  })
}
