import { slipsBetween } from '../../catalog/search/near-words'
import { SEPARATOR } from './tool-names'

/** Slips of a model: it leaves out a letter or takes another, and seldom more. */
const MOST_SLIPS = 3
/** No exposed name is longer; what is asked for may be anything. */
const LONGEST = 64

/** Those of `names` that may have been meant, the nearest first, `most` at most: the same tool of a server, or a slip away. */
export function nearestNames(asked: string, names: readonly string[], most: number): string[] {
  if (asked.length > LONGEST) return []
  const own = toolOf(asked)
  return names
    .map((name) => ({
      name,
      slips: toolOf(name) === own ? 0 : slipsBetween(asked, name, MOST_SLIPS),
    }))
    .filter((one): one is { name: string; slips: number } => one.slips !== undefined)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ name }) => name)
}

/** What comes after the alias; all of a name without one. */
function toolOf(name: string): string {
  const at = name.indexOf(SEPARATOR)
  return at < 0 ? name : name.slice(at + SEPARATOR.length)
}
