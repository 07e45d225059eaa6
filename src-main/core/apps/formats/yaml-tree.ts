import {
  Composer,
  CST,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  Parser,
} from 'yaml'

import { MAX_DEPTH } from '../../import/text/read-json'
import { brokenAt } from './host-text'
import { type HostTree, numberTree, OtherScalar } from './host-tree'

/** A parsed YAML text: its root (undefined if there are only comments) and its content. */
export type YamlTree = { readonly root: ParsedNode | undefined; readonly tree: HostTree }

const UNREADABLE = 'Invalid YAML.'
const FAULTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: 'An alias can’t have a tag or an anchor.',
  BAD_ALIAS: 'The name of this anchor or alias is invalid.',
  BAD_COLLECTION_TYPE: 'This tag doesn’t match a map or a list.',
  BAD_DIRECTIVE: 'Unknown directive.',
  BAD_DQ_ESCAPE: 'Unknown escape sequence. Write \\\\ for a backslash.',
  BAD_INDENT: 'Inconsistent indentation.',
  BAD_PROP_ORDER: 'Tags and anchors must come before their value.',
  BAD_SCALAR_START: 'A value that starts with this character needs quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'A map or list can’t start here. Quotes may be missing.',
  BLOCK_IN_FLOW: 'Inside brackets, maps and lists need brackets too.',
  KEY_OVER_1024_CHARS: 'The key is longer than 1024 characters.',
  MISSING_CHAR: 'A space, comma, colon, or closing quote is missing.',
  MULTILINE_IMPLICIT_KEY: 'A key spans several lines. A colon may be missing.',
  MULTIPLE_ANCHORS: 'More than one anchor.',
  MULTIPLE_TAGS: 'More than one tag.',
  TAB_AS_INDENT: 'Tabs can’t be used for indentation in YAML. Use spaces.',
  TAG_RESOLVE_FAILED: 'Unknown tag.',
  UNEXPECTED_TOKEN: 'Unexpected content.',
}

/** Limit for nodes repeated by aliases: more than in any configuration, and far from filling the memory. */
const MAX_REPEATED = 10_000

/** Parses one YAML 1.2 document. Throws HOST_FILE_BROKEN. */
export function readYaml(text: string): YamlTree {
  const tokens = [...new Parser().parse(text)]
  refuseDeep(text, tokens)
  const composer = new Composer({ uniqueKeys: false, keepSourceTokens: true })
  const [document, second] = [...composer.compose(tokens, true, text.length)]
  const fault = document?.errors[0]
  // The library's messages quote the text, which may hold secrets.
  if (fault) throw brokenAt(text, fault.pos[0], FAULTS[fault.code] ?? UNREADABLE)
  if (second)
    throw brokenAt(
      text,
      second.range[0],
      'Only one YAML document is supported, but a second starts here.',
    )
  const root = document?.contents
  if (!root || (isScalar(root) && root.range[0] === root.range[1]))
    return { root: undefined, tree: new Map() }
  const reading: Reading = { text, anchors: new Map(), repeated: 0 }
  return { root, tree: treeOfNode(reading, root, 0, false) }
}

/** Returns the name of a key. */
export function yamlKey(text: string, key: ParsedNode): string {
  if (isScalar(key)) return typeof key.value === 'string' ? key.value : key.source
  return text.slice(key.range[0], key.range[1])
}

/** Throws for deep nesting: the tokenizer needs no stack, but building nodes from tokens is recursive. */
function refuseDeep(text: string, tokens: readonly CST.Token[]): void {
  const open: { token: CST.Token | null | undefined; depth: number }[] = tokens.map((token) => ({
    token,
    depth: 0,
  }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next
    if (depth > MAX_DEPTH)
      throw brokenAt(text, token?.offset ?? 0, `Nested more than ${String(MAX_DEPTH)} levels deep.`)
    if (token?.type === 'document') open.push({ token: token.value, depth })
    if (!CST.isCollection(token)) continue
    for (const { key, value } of token.items)
      open.push({ token: key, depth: depth + 1 }, { token: value, depth: depth + 1 })
  }
}

type Reading = {
  readonly text: string
  readonly anchors: Map<string, ParsedNode>
  repeated: number
}

function treeOfNode(
  reading: Reading,
  node: ParsedNode | null,
  depth: number,
  isRepeated: boolean,
): HostTree {
  if (node === null) return null
  refuseBomb(reading, node, depth, isRepeated)
  if (isAlias(node)) {
    const source = reading.anchors.get(node.source)
    if (!source) throw brokenAt(reading.text, node.range[0], 'Unknown anchor.')
    return treeOfNode(reading, source, depth + 1, true)
  }
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node)
  if (isSeq(node))
    return node.items.map((element) => treeOfNode(reading, element, depth + 1, isRepeated))
  if (!isMap(node)) return leafOf(reading.text, node)
  const tree = new Map<string, HostTree>()
  for (const { key, value } of node.items) {
    const name = yamlKey(reading.text, key)
    if (tree.has(name)) throw brokenAt(reading.text, key.range[0], `Duplicate key “${name}”.`)
    if (key.anchor !== undefined) reading.anchors.set(key.anchor, key)
    tree.set(name, treeOfNode(reading, value, depth + 1, isRepeated))
  }
  return tree
}

function refuseBomb(reading: Reading, node: ParsedNode, depth: number, isRepeated: boolean): void {
  const { text } = reading
  if (depth > MAX_DEPTH)
    throw brokenAt(text, node.range[0], `Nested more than ${String(MAX_DEPTH)} levels deep.`)
  if (!isRepeated) return
  reading.repeated += 1
  if (reading.repeated > MAX_REPEATED)
    throw brokenAt(text, node.range[0], 'Aliases expand to too much text.')
}

function leafOf(text: string, node: Exclude<ParsedNode, { items: unknown }>): HostTree {
  const value: unknown = isScalar(node) ? node.value : null
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  const source = text.slice(node.range[0], node.range[1])
  return typeof value === 'number' ? numberTree(value, source) : new OtherScalar(source)
}
