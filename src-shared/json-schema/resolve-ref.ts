import { attempt } from '../domain/attempt'
import { isJsonObject, type JsonObject } from '../domain/json-object'

/** Maximum number of schemas in the search for an anchor. */
const MAX_SCANNED = 20_000

function atPointer(root: unknown, pointer: string): unknown {
  let place: unknown = root
  for (const escaped of pointer.split('/').slice(1)) {
    // A percent sign may be no escape.
    const decoded = attempt(() => decodeURIComponent(escaped)) ?? escaped
    const step = decoded.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null) return undefined
    if (!Object.hasOwn(place, step)) return undefined
    place = (place as JsonObject)[step]
  }
  return place
}

function atAnchor(root: unknown, anchor: string): unknown {
  const waiting: unknown[] = [root]
  for (let scanned = 0; waiting.length > 0 && scanned < MAX_SCANNED; scanned += 1) {
    const place = waiting.pop()
    if (Array.isArray(place)) waiting.push(...(place as unknown[]).slice(0, MAX_SCANNED))
    else if (isJsonObject(place)) {
      if (place.$anchor === anchor || place.$dynamicAnchor === anchor) return place
      waiting.push(...Object.values(place))
    }
  }
  return undefined
}

/**
 * Resolves a reference within its own document (JSON Schema 2020-12, 8.2.3): by JSON pointer or by anchor. Undefined for another document,
 * which is never fetched, and for a missing target.
 */
export function resolveRef(root: unknown, ref: unknown): JsonObject | boolean | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  const fragment = ref.slice(1)
  const found =
    fragment === '' || fragment.startsWith('/')
      ? atPointer(root, fragment)
      : atAnchor(root, fragment)
  return typeof found === 'boolean' || isJsonObject(found) ? found : undefined
}

/** Returns the cost of resolving a reference, in steps: an anchor is searched in the whole document. */
export function refSteps(ref: unknown): number {
  return typeof ref === 'string' && /^#[^/]/u.test(ref) ? 1_000 : 1
}
