import type { Tool } from '../../../../src-shared/domain/agents/capability'

/** A text of a tool's definition, and its place as in `inputSchema.properties.path.description`; of a key its own place. */
export type ToolText = { readonly where: string; readonly text: string }

/** What each value takes beside its characters: looking at an empty text is work too. */
const VALUE_COST = 10
/** Characters of a place from which on it is not told more closely: whole, the places of a deep schema are far longer than it. */
const LONGEST_PLACE = 300

/**
 * Every text that agents get of a tool, keys of its schemas too, and what reading them cost: characters, and for each
 * value 10 more. It ends where that is more than `most`; `isWhole` is false then.
 */
export function textsOf(
  tool: Tool,
  most: number,
): { readonly texts: ToolText[]; readonly isWhole: boolean; readonly cost: number } {
  const texts: ToolText[] = []
  let cost = 0
  const { name, title, description, annotations, inputSchema, outputSchema, ...others } = tool
  // The pictures of icons are long, and no model reads them.
  delete others.icons
  const parts = { name, title, description, annotations, inputSchema, outputSchema, ...others }
  // A list and not the stack, for schemas of any depth; its last one is read next.
  const waiting: { readonly where: string; readonly value: unknown }[] = Object.entries(parts)
    .map(([where, value]) => ({ where, value }))
    .reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (cost >= most) return { texts, isWhole: false, cost }
    cost += VALUE_COST
    const { where, value } = next
    if (typeof value === 'string') {
      cost += value.length
      if (value !== '') texts.push({ where, text: value })
    } else if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value)
      // More than there is room for would only be put aside.
      const room = Math.ceil((most - cost) / VALUE_COST) + 1
      const keys = Object.keys(isList ? value.slice(0, room) : value).slice(0, room)
      for (const key of keys.reverse()) {
        const place = placeOf(where, key, isList)
        waiting.push({ where: place, value: (value as Record<string, unknown>)[key] })
        if (!isList) waiting.push({ where: place, value: key })
      }
    }
  }
  return { texts, isWhole: cost <= most, cost }
}

function placeOf(where: string, key: string, isList: boolean): string {
  if (where.length > LONGEST_PLACE) return where
  return isList ? `${where}[${key}]` : `${where}.${key}`
}
