/**
 * The text of `params.arguments` in a JSON-RPC request, as it was written; undefined where there is none. The text must be
 * valid JSON. What no value shows, such as keys that are there twice, can be seen in it.
 */
export function argumentsText(request: string): string | undefined {
  const params = memberOf(request, 0, 'params')
  const args = params && memberOf(request, params.from, 'arguments')
  return args && request.slice(args.from, args.to)
}

/** The text of one member of a JSON object, as it was written; undefined where there is none. The text must be valid JSON. */
export function memberText(object: string, key: string): string | undefined {
  const found = memberOf(object, 0, key)
  return found && object.slice(found.from, found.to)
}

type Range = { readonly from: number; readonly to: number }

/** Where the value of a key is in the object that begins at or after `at`: of several the last, as in `JSON.parse`. */
function memberOf(text: string, at: number, key: string): Range | undefined {
  let place = afterSpace(text, at)
  if (text[place] !== '{') return undefined
  let found: Range | undefined
  place = afterSpace(text, place + 1)
  while (text[place] === '"') {
    const keyEnd = afterString(text, place)
    const name: unknown = JSON.parse(text.slice(place, keyEnd))
    const from = afterSpace(text, afterSpace(text, keyEnd) + 1)
    const to = afterValue(text, from)
    if (name === key) found = { from, to }
    place = afterSpace(text, to)
    if (text[place] === ',') place = afterSpace(text, place + 1)
  }
  return found
}

function afterSpace(text: string, at: number): number {
  let place = at
  while (place < text.length && ' \n\r\t'.includes(text.charAt(place))) place += 1
  return place
}

function afterString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end + 1
  }
  return text.length
}

const TOKEN_END = /[\s,\]}]|$/gu
const BRACE = /["[\]{}]/gu

function afterValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return afterString(text, at)
  if (first !== '{' && first !== '[') return nextOf(TOKEN_END, text, at)
  let depth = 0
  let place = at
  while (place < text.length) {
    place = nextOf(BRACE, text, place)
    const sign = text[place]
    if (sign === '"') {
      place = afterString(text, place)
      continue
    }
    depth += sign === '{' || sign === '[' ? 1 : -1
    place += 1
    if (depth === 0) break
  }
  return place
}

function nextOf(sign: RegExp, text: string, at: number): number {
  sign.lastIndex = at
  return sign.exec(text)?.index ?? text.length
}
