import { visit } from 'jsonc-parser'

import { placeOf, quoted } from './argument-messages'

/** A longer text was written by a program, which repeats no key. */
const LONGEST_CHECKED = 4 * 1024 * 1024

/** A key below `path` of a JSON text that is there twice, or holds half a character (a lone surrogate), as a sentence that names it; undefined for none. */
export function keyFault(text: string, path: readonly string[]): string | undefined {
  if (text.length > LONGEST_CHECKED) return undefined
  const open: Set<string>[] = []
  let found: string | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, _line, _character, pathOf) => {
      const keys = open.at(-1)
      const isTwice = keys?.has(key) === true
      keys?.add(key)
      if (found !== undefined || (!isTwice && key.isWellFormed())) return
      const inside = pathOf()
      if (path.some((step, at) => inside[at] !== step)) return
      const place = placeOf(inside.slice(path.length))
      const where = `${quoted(key)}${place === '' ? '' : ` in ${place}`}`
      found = isTwice
        ? `Duplicate key ${where}. Send it once, with the intended value.`
        : `Invalid Unicode in the key ${where}: lone surrogate. Send valid Unicode.`
    },
  })
  return found
}
