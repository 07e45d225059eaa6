/** Encodes structured-clone values as text: JSON with tags for what JSON lacks. Its source is injected into pages, so it has no closure. */
export function makeCodec() {
  const toBase64 = (bytes) => {
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
  const fromBase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

  const encodeNumber = (value) =>
    Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { tag: 'number', of: Object.is(value, -0) ? '-0' : String(value) }

  const encodeObject = (value, seen) => {
    const inner = (part) => encode(part, seen)
    if (Array.isArray(value)) return { tag: 'array', of: value.map(inner) }
    if (value instanceof Date) return { tag: 'date', of: value.getTime() }
    if (value instanceof Map) return { tag: 'map', of: [...value].map((pair) => pair.map(inner)) }
    if (value instanceof Set) return { tag: 'set', of: [...value].map(inner) }
    if (value instanceof Error) return { tag: 'error', of: value.message }
    if (value instanceof ArrayBuffer) return { tag: 'buffer', of: toBase64(new Uint8Array(value)) }
    if (value instanceof Uint8Array) return { tag: 'bytes', of: toBase64(value) }
    return { tag: 'object', of: Object.entries(value).map(([key, part]) => [key, inner(part)]) }
  }

  const encode = (value, seen) => {
    if (value === undefined) return { tag: 'undefined' }
    if (typeof value === 'number') return encodeNumber(value)
    if (typeof value === 'bigint') return { tag: 'bigint', of: String(value) }
    if (value === null || typeof value !== 'object') return value
    if (seen.has(value)) return { tag: 'again', of: seen.get(value) }
    seen.set(value, seen.size)
    return encodeObject(value, seen)
  }

  const decoders = {
    undefined: () => undefined,
    number: (of) => Number(of),
    bigint: (of) => BigInt(of),
    again: (of, seen) => seen[of],
    date: (of, seen) => keep(seen, new Date(of)),
    error: (of, seen) => keep(seen, new Error(of)),
    bytes: (of, seen) => keep(seen, fromBase64(of)),
    buffer: (of, seen) => keep(seen, fromBase64(of).buffer),
    array: (of, seen) => fill(keep(seen, []), of, (into, part) => into.push(decode(part, seen))),
    set: (of, seen) =>
      fill(keep(seen, new Set()), of, (into, part) => into.add(decode(part, seen))),
    map: (of, seen) =>
      fill(keep(seen, new Map()), of, (into, [key, part]) =>
        into.set(decode(key, seen), decode(part, seen)),
      ),
    object: (of, seen) =>
      fill(keep(seen, {}), of, (into, [key, part]) =>
        // A key named __proto__ is a plain key here.
        Object.defineProperty(into, key, {
          value: decode(part, seen),
          writable: true,
          enumerable: true,
          configurable: true,
        }),
      ),
  }
  const keep = (seen, value) => {
    seen.push(value)
    return value
  }
  const fill = (into, parts, add) => {
    for (const part of parts) add(into, part)
    return into
  }
  const decode = (value, seen) =>
    value === null || typeof value !== 'object' ? value : decoders[value.tag](value.of, seen)

  return {
    /** Throws a DataCloneError for functions, symbols, DOM nodes and proxies, like Electron. */
    pack: (value) => JSON.stringify(encode(structuredClone(value), new Map())),
    unpack: (text) => decode(JSON.parse(text), []),
  }
}
