import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** What a local reference names within a schema; undefined for another document, an anchor or nothing. */
export function referenced(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/u.test(reference)) return undefined
  const [, ...steps] = reference.split('/')
  return steps.reduce<unknown>((one, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof one === 'object' && one !== null && Object.hasOwn(one, key)
    return isThere ? (one as JsonObject)[key] : undefined
  }, root)
}
