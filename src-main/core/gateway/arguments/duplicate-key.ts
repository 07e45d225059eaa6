import { visit } from 'jsonc-parser'

import { type Path, placeOf, quoted } from './argument-place'

/** What a model writes is far shorter; a longer text was put together by a program, which writes no key twice. */
const LONGEST = 4 * 1024 * 1024

/** A key that an object of a JSON text has twice, as a sentence that names it and where; undefined for none. */
export function duplicateKey(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const open: Set<string>[] = []
  let found: string | undefined
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set())
    },
    onObjectEnd: () => {
      open.pop()
    },
    onObjectProperty: (key, _offset, _length, _line, _character, path) => {
      const keys = open.at(-1)
      if (found === undefined && keys?.has(key) === true) found = sentenceOf(key, path())
      keys?.add(key)
    },
  })
  return found
}

function sentenceOf(key: string, inside: Path): string {
  const place = placeOf(inside)
  const where = place === '' ? '' : ` in ${place}`
  return `The key ${quoted(key)} is there twice${where}; send it once, with the value that you mean.`
}
