import { slipsBetween } from '../../catalog/search/near-words'

const MOST_SLIPS = 2
const LONGEST = 100
/** Keys that are compared: a model writes a few. */
const MOST_KEYS = 200

/**
 * The key of `keys` that was most likely meant to be `name`: the same but for case, quotes and other signs, one that an
 * edit of a model grew (`path_after`, `path"_after`), or one a slip or two away. The other way round as well.
 */
export function nearKey(name: string, keys: readonly string[]): string | undefined {
  const bare = bareOf(name)
  const candidates = keys.slice(0, MOST_KEYS).filter((key) => key !== name)
  return (
    candidates.find((key) => bareOf(key) === bare) ??
    candidates.find((key) => isGrown(key, name) || isGrown(name, key)) ??
    candidates.find((key) => isSlip(bareOf(key), bare))
  )
}

function bareOf(key: string): string {
  return key
    .slice(0, LONGEST)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Whether a key is the name with a sign and more behind it. */
function isGrown(key: string, name: string): boolean {
  return name !== '' && key.startsWith(name) && /^[^\p{L}\p{N}]/u.test(key.slice(name.length))
}

function isSlip(a: string, b: string): boolean {
  // Short words are near to too many others.
  const most = Math.min(MOST_SLIPS, Math.floor(Math.min(a.length, b.length) / 3))
  return most > 0 && slipsBetween(a, b, most) !== undefined
}
