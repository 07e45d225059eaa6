import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Deepest nesting kept of what a server describes: everything later walks it by recursion. */
export const MAX_DEPTH = 128

/** Whether a value of parsed JSON is nested deeper than `max`; does not recurse. */
export function isTooDeep(value: unknown, max: number = MAX_DEPTH): boolean {
  let layer = [value]
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > max) return true
    layer = layer.flatMap((one) => {
      if (Array.isArray(one)) return one as unknown[]
      return isJsonObject(one) ? Object.values(one) : []
    })
  }
  return false
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
