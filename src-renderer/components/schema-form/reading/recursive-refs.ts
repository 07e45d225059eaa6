import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { isJsonObject } from './json-object'

/** Most parts of a document that are looked at. */
const MOST_LOOKED_AT = 50_000

/** The references in a part of a schema. */
function refsIn(part: unknown, budget: { left: number }): Set<string> {
  const found = new Set<string>()
  const waiting: unknown[] = [part]
  while (waiting.length > 0 && budget.left > 0) {
    const place = waiting.pop()
    budget.left -= 1
    if (Array.isArray(place)) for (const one of place as unknown[]) waiting.push(one)
    else if (isJsonObject(place)) {
      if (typeof place.$ref === 'string') found.add(place.$ref)
      waiting.push(...Object.values(place))
    }
  }
  return found
}

/** Tells of references of a schema whether what they name holds itself, at any depth; also where that is too much to find out. */
export function recursionFinder(root: unknown): (ref: string) => boolean {
  const budget = { left: MOST_LOOKED_AT }
  const edges = new Map<string, Set<string>>()
  const next = (ref: string): Set<string> => {
    const known = edges.get(ref) ?? refsIn(resolveRef(root, ref), budget)
    edges.set(ref, known)
    return known
  }
  return (ref) => {
    const target = resolveRef(root, ref)
    const seen = new Set<string>()
    const waiting = [...next(ref)]
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (resolveRef(root, one) === target) return true
      if (seen.has(one)) continue
      seen.add(one)
      waiting.push(...next(one))
    }
    return budget.left <= 0
  }
}
