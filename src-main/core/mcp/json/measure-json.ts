/** Deepest nesting kept of what a server describes: people nest schemas ten deep, and everything later walks them by recursion. */
export const MAX_DEPTH = 128

/** What a value takes; `bytes` is exact up to the limit, and above it only says so. */
export type JsonMeasure = { readonly bytes: number; readonly isTooDeep: boolean }

/**
 * How many bytes a value of parsed JSON takes as text, counted until it is more than `mostBytes` or deeper than
 * `mostDepth`. Never recurses, and looks at no more of a hostile value than it has to.
 */
export function measureJson(
  value: unknown,
  mostBytes: number,
  mostDepth: number = MAX_DEPTH,
): JsonMeasure {
  let bytes = 0
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > mostDepth) return { bytes, isTooDeep: true }
    const next: unknown[] = []
    for (const one of layer) {
      bytes += isBranch(one) ? branchBytes(one, next) : leafBytes(one, mostBytes)
      if (bytes > mostBytes) return { bytes, isTooDeep: false }
    }
    layer = next
  }
  return { bytes, isTooDeep: false }
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Brackets, commas and keys; what is inside goes to `next`. */
function branchBytes(branch: object, next: unknown[]): number {
  if (Array.isArray(branch)) {
    for (const one of branch) next.push(one)
    return 2 + Math.max(branch.length - 1, 0)
  }
  let bytes = 2
  let count = 0
  for (const [key, one] of Object.entries(branch) as [string, unknown][]) {
    // JSON leaves these out.
    if (one === undefined) continue
    bytes += textBytes(key) + 1
    count += 1
    next.push(one)
  }
  return bytes + Math.max(count - 1, 0)
}

function leafBytes(leaf: unknown, mostBytes: number): number {
  if (typeof leaf !== 'string') return String(leaf).length
  // A character is a byte at least: a text that is too long anyway is not written out for it.
  return leaf.length > mostBytes ? leaf.length : textBytes(leaf)
}

function textBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
