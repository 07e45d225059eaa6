import { type Node, parseTree, printParseErrorCode } from 'jsonc-parser'

import { describeFault, findTooDeep, MAX_DEPTH } from '../../import/text/read-json'
import { brokenAt, contentEnd, type HostText, spliced } from './host-text'
import { type HostPath, type HostTree, numberTree } from './host-tree'
import { insertion, removal, replacement, vacantText } from './json-splices'

/** Parses JSON with comments and trailing commas, and names them as `extras` if the app may not support them. Throws HOST_FILE_BROKEN. */
export function openJson(text: string, { comments }: { comments: boolean }): HostText {
  const { root, extras } = rootOf(text, comments)
  return {
    extras,
    tree: root ? treeOfNode(root, text) : new Map(),
    offsetOf: (path) => (root ? locate(root, path).node.offset : 0),
    set: (path, value) => {
      if (!root) return spliced(text, insertion(text, undefined, path, value))
      const { node, rest } = locate(root, path)
      refuseRepeated(text, root, path)
      if (rest.length === 0 || node.type === 'null')
        return spliced(text, replacement(text, node, rest, value))
      return spliced(text, insertion(text, node, rest, value))
    },
    vacant: (path) => {
      if (!root) return path.length === 0 ? text.slice(contentEnd(text)) : undefined
      const { node, rest } = locate(root, path)
      return rest.length === 0 ? vacantText(text, node) : undefined
    },
    remove: (path, vacant) => {
      if (!root) return text
      refuseRepeated(text, root, path)
      const { node, rest } = locate(root, path)
      return rest.length === 0 ? spliced(text, removal(text, node, vacant)) : text
    },
  }
}

function rootOf(
  text: string,
  comments: boolean,
): { readonly root: Node | undefined; readonly extras: readonly string[] } {
  const tooDeepAt = findTooDeep(text)
  if (tooDeepAt !== undefined)
    throw brokenAt(text, tooDeepAt, `Nested more than ${String(MAX_DEPTH)} levels deep.`)
  const first = parsed(text, comments)
  if (first.faults.length === 0) return { root: first.root, extras: [] }
  const { root, faults } = comments ? first : parsed(text, true)
  const [fault] = faults
  if (fault) throw brokenAt(text, fault.offset, describeFault(printParseErrorCode(fault.error)))
  const isComments = first.faults.map(({ offset }) =>
    /\/[/*]/u.test(text.slice(offset, offset + 2)),
  )
  return {
    root,
    extras: [
      ...(isComments.includes(true) ? ['comments'] : []),
      ...(isComments.includes(false) ? ['trailing commas'] : []),
    ],
  }
}

type Faults = NonNullable<Parameters<typeof parseTree>[1]>

function parsed(text: string, isTolerant: boolean): { root: Node | undefined; faults: Faults } {
  const faults: Faults = []
  const root = parseTree(text, faults, {
    allowTrailingComma: isTolerant,
    allowEmptyContent: true,
    disallowComments: !isTolerant,
  })
  return { root, faults }
}

/** The last of several members with the same name counts, as in the apps. */
function treeOfNode(node: Node, text: string): HostTree {
  const children = node.children ?? []
  if (node.type === 'array') return children.map((child) => treeOfNode(child, text))
  if (node.type === 'object')
    return new Map(
      children.flatMap(({ children: [name, value] = [] }) =>
        name && value ? [[String(name.value), treeOfNode(value, text)] as const] : [],
      ),
    )
  const value = node.value as string | number | boolean | null
  return typeof value === 'number'
    ? numberTree(value, text.slice(node.offset, node.offset + node.length))
    : value
}

/** Returns the node at a path, or the last existing one with the missing steps. */
function locate(root: Node, path: HostPath): { node: Node; rest: HostPath } {
  let node = root
  for (const [index, step] of path.entries()) {
    const child = childrenAt(node, step).at(-1)
    if (!child) return { node, rest: path.slice(index) }
    node = child
  }
  return { node, rest: [] }
}

function childrenAt(node: Node, step: string | number): Node[] {
  const children = node.children ?? []
  if (typeof step === 'number') return node.type === 'array' ? children.slice(step, step + 1) : []
  if (node.type !== 'object') return []
  return children.flatMap(({ children: [name, value] = [] }) =>
    name?.value === step && value ? [value] : [],
  )
}

/** Throws for a repeated key: Patchbay can't know which one the app uses. */
function refuseRepeated(text: string, root: Node, path: HostPath): void {
  let node: Node | undefined = root
  for (const step of path) {
    const [first, second]: Node[] = childrenAt(node, step)
    if (second) throw brokenAt(text, second.parent?.offset ?? 0, `Duplicate key “${String(step)}”.`)
    if (!first) return
    node = first
  }
}
