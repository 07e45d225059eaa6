import { placeOf, quoted } from './argument-place'

/** An object or a list, and how one comes to it. */
type Held = {
  readonly holder: object
  readonly step?: string | number
  readonly within?: Held
}

/**
 * A key in a value of parsed JSON that holds one half of a character (a surrogate without the other), as a sentence that
 * names it and where; undefined for none. No place with such a key can be written as the validator writes places. Never
 * recurses.
 */
export function halvedKey(value: object): string | undefined {
  const waiting: Held[] = [{ holder: value }]
  for (let within = waiting.pop(); within; within = waiting.pop()) {
    const { holder } = within
    const isList = Array.isArray(holder)
    for (const key of isList ? holder.keys() : Object.keys(holder)) {
      if (typeof key === 'string' && !key.isWellFormed()) return sentenceOf(key, within)
      const inner = (holder as Record<string | number, unknown>)[key]
      if (typeof inner === 'object' && inner !== null)
        waiting.push({ holder: inner, step: key, within })
    }
  }
  return undefined
}

function sentenceOf(key: string, inside: Held): string {
  const steps: (string | number)[] = []
  for (let one: Held | undefined = inside; one; one = one.within)
    if (one.step !== undefined) steps.push(one.step)
  const place = placeOf(steps.toReversed())
  const where = place === '' ? '' : ` in ${place}`
  return `The key ${quoted(key)}${where} holds half a character; send a key that is whole.`
}
