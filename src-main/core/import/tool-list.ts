import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { addNotice, at, consume, elementTexts, type Reading } from './entry-reading'
import { wrongShape } from './find-entries'

/** Keys of exposed tools in several apps. */
const SHOWN_KEYS = ['tools', 'includeTools', 'enabled_tools', 'enabledTools', 'available_tools']
const HIDDEN_KEYS = ['excludeTools', 'disabled_tools', 'disabledTools']
const MAX_NAMES = 10_000
const MAX_NAME = 1_000
/** Number of names in a description; the others are counted. */
const MAX_NAMED = 12

/** Reads which tools an entry exposes (C7): all if it has no list, none for an empty list. Throws INVALID_CONFIG. */
export function readTools(reading: Reading): SavedToolChoice {
  const shown = namesAt(reading, SHOWN_KEYS)
  const hidden = namesAt(reading, HIDDEN_KEYS)
  const excluded = new Set(hidden?.names)
  if (shown === undefined || shown.names.includes('*')) {
    return excluded.size > 0 ? { kind: 'except', names: [...excluded] } : { kind: 'all' }
  }
  const names = [...new Set(shown.names)].filter((name) => !excluded.has(name))
  const patterns = names.filter((name) => name.includes('*'))
  if (patterns.length > 0) {
    const named = listed(patterns)
    addNotice(
      reading,
      shown.key,
      `Ignored: ${named} matches several tools. Choose them when the server runs.`,
    )
  }
  const plain = names.filter((name) => !patterns.includes(name))
  return plain.length === 0 ? { kind: 'none' } : { kind: 'list', names: plain }
}

/** Describes a choice of tools as a sentence; undefined for all of them. */
export function describeToolChoice(choice: SavedToolChoice): string | undefined {
  switch (choice.kind) {
    case 'all':
      return undefined
    case 'none':
      return 'No tools are available to agents.'
    case 'except':
      return `All tools but ${listed(choice.names)} are available to agents.`
    case 'list':
      return `Only ${listed(choice.names)} is available to agents.`
  }
}

type Named = { readonly key: string; readonly names: readonly string[] }

/** Returns the names under the first of some keys; other types have another meaning and are ignored. */
function namesAt(reading: Reading, keys: readonly string[]): Named | undefined {
  const found = consume(reading, keys)
  if (found === undefined) return undefined
  const { key, node } = found
  if (node.type !== 'array') {
    const isEmptyMap = node.type === 'object' && (node.children ?? []).length === 0
    if (!isEmptyMap) addNotice(reading, key, 'Ignored: only a list of names is supported.')
    return undefined
  }
  const names = elementTexts(node, reading, at(reading, key))
  if (names.length > MAX_NAMES || names.some(({ length }) => length > MAX_NAME))
    throw wrongShape(at(reading, key), `at most ${String(MAX_NAMES)} tool names`)
  return { key, names }
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => `“${name.slice(0, 80)}”`)
  const more = names.length - named.length
  return more > 0 ? `${named.join(', ')} and ${String(more)} more` : named.join(', ')
}
