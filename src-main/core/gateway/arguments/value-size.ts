/** How much there is to look at in a value of parsed JSON. */
export type ValueSize = {
  /** Elements, members and leaves. */
  readonly nodes: number
  /** Characters of all its texts, those of keys too. */
  readonly characters: number
}

/** Sizes a value and stops soon after `most` nodes; never recurses. */
export function sizeOf(value: unknown, most: number): ValueSize {
  let nodes = 0
  let characters = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && nodes <= most) {
    const one = waiting.pop()
    nodes += 1
    if (typeof one === 'string') characters += one.length
    else if (Array.isArray(one)) {
      if (one.length > most) return { nodes: nodes + one.length, characters }
      for (const inner of one) waiting.push(inner)
    } else if (typeof one === 'object' && one !== null) {
      for (const [key, inner] of Object.entries(one)) {
        characters += key.length
        waiting.push(inner)
      }
    }
  }
  return { nodes, characters }
}

/** Of a larger value only so much is counted. */
const MOST_NODES = 100_000

/** About how many bytes a value takes as JSON; at least as many as its texts have characters. */
export function roughBytes(value: unknown): number {
  const { nodes, characters } = sizeOf(value, MOST_NODES)
  return characters + 3 * nodes
}
