import clsx from 'clsx'
import type { JSX } from 'react'

const TINTS = 6

/** Which of the six quiet tints belongs to a name; the same name always gets the same one. */
function tintOf(name: string): number {
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521
  return (sum % TINTS) + 1
}

/** The one or two letters that stand for a name: those of its first two words. */
function monogramOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, 2).map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63))
  return letters.join('').toLocaleUpperCase() || '?'
}

/** A monogram on a quiet tint, by hash of the full name. Decorative: the name stands beside it. */
export function Tile({
  name,
  size = 'default',
}: {
  readonly name: string
  readonly size?: 'default' | 'large'
}): JSX.Element {
  return (
    <span
      className={clsx('tile centered fixed', `t${tintOf(name)}`, size === 'large' && 'tile-l')}
      aria-hidden
    >
      {monogramOf(name)}
    </span>
  )
}
