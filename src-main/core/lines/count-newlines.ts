const LF = 10
/** Memory of the counting program: one page of WebAssembly. */
const PAGE = 65_536
/** It reads as many bytes at once. */
const WIDTH = 16

/**
 * `count(n)`: how many of the first `n` bytes of its one page of memory, `n` a multiple of 16, are newlines.
 * Compares 16 bytes at a time and adds up in bytes, 255 times at most before it adds up wider:
 *
 *     while p < n: acc = 0; stop = min(n, p + 4080)
 *       do: acc -= load(p) == splat(10); p += 16; while p < stop
 *       total += widen(widen(acc))
 *     return the sum of total's lanes
 */
const PROGRAM =
  'AGFzbQEAAAABBgFgAX8BfwMCAQAFAwEAAQcSAgZtZW1vcnkCAAVjb3VudAAACoMBAYABAgJ/AnsCQANAIAEgAE8NAf0MAAAA' +
  'AAAAAAAAAAAAAAAAACEDIAAgAUHwH2oiAiAAIAJJGyECA0AgAyAB/QAAAEEK/Q/9I/1xIQMgAUEQaiIBIAJJDQALIAQgA/19' +
  '/X/9rgEhBAwACwsgBP0bACAE/RsBaiAE/RsCaiAE/RsDags='

type CountingProgram = {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly count: (bytes: number) => number
}

/** What is used of it; the types of Node leave it to those of a browser. */
declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

type Counter = (bytes: Uint8Array) => number

/** Made once, by the first flood. */
const made: { counter?: Counter } = {}

/**
 * How many newlines stand in some bytes. A flood is counted in full, and searching for one newline after
 * the other would take longer than reading it: 16 bytes at a time take a fifth or less of that.
 */
export function countNewlines(bytes: Uint8Array): number {
  made.counter ??= fastCounter()
  return made.counter(bytes)
}

/** The same, one newline after the other. */
export function countOneByOne(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count += 1
  return count
}

function fastCounter(): Counter {
  try {
    const program = new WebAssembly.Module(Buffer.from(PROGRAM, 'base64'))
    const { memory, count } = new WebAssembly.Instance(program).exports as CountingProgram
    const page = new Uint8Array(memory.buffer)
    return (bytes) => {
      let lines = 0
      for (let at = 0; at < bytes.length; at += PAGE) {
        const part = bytes.subarray(at, at + PAGE)
        const end = Math.ceil(part.length / WIDTH) * WIDTH
        page.set(part)
        page.fill(0, part.length, end)
        lines += count(end)
      }
      return lines
    }
  } catch {
    // No room for a page, or no such instructions here: the slow way gives the same.
    return countOneByOne
  }
}
