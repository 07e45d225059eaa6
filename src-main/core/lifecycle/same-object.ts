import { isDeepStrictEqual } from 'node:util'

/*
 * The identity rule of listings: what says the same as before is the same object, the whole as well as each part of it. So
 * whether something changed is one `===`, and what was made of an object is found by it and goes with it. An object of a
 * listing is never changed after it was made.
 */

/** Memoizes values made of objects, once per object and `kind`, for the object's lifetime. */
export function madeOnce<Of extends object, Made, Kind extends string = never>(
  make: (of: Of, ...kind: Kind[]) => Made,
): (of: Of, ...kind: Kind[]) => Made {
  const all = new WeakMap<Of, Map<string, { readonly made: Made }>>()
  return (of, ...kind) => {
    const key = kind.join('\n')
    const own = all.get(of) ?? new Map<string, { readonly made: Made }>()
    const known = own.get(key) ?? { made: make(of, ...kind) }
    all.set(of, own.set(key, known))
    return known.made
  }
}

/** Returns `now` with each member or element that equals its predecessor as the same object; `before` itself if all are equal. */
export function sameWhereEqual<T extends object>(before: T | undefined, now: T): T {
  if (before === undefined) return now
  const keys = Object.keys(now) as (keyof T)[]
  const same = keys.filter((key) => isDeepStrictEqual(before[key], now[key]))
  if (same.length === keys.length && keys.length === Object.keys(before).length) return before
  const parts = Object.fromEntries(same.map((key) => [key, before[key]]))
  return Object.assign(Array.isArray(now) ? [...now] : { ...now }, parts) as T
}
