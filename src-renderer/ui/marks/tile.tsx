import clsx from 'clsx'
import type { CSSProperties, JSX } from 'react'

const HUES = [262, 165, 75, 20, 315, 215]

/** Returns the hue of a name's tint; equal names have equal hues. */
function hueOf(name: string): number | undefined {
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521
  return HUES[sum % HUES.length]
}

/** Returns the initials of a name's first two words. */
function monogramOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, 2).map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63))
  return letters.join('').toLocaleUpperCase() || '?'
}

/** A monogram on a tint that depends on the full name. Decorative: the name is next to it. */
export function Tile(props: {
  readonly name: string
  readonly size?: 'default' | 'large'
}): JSX.Element {
  const { name, size = 'default' } = props
  return (
    <span
      className={clsx('tile grid flex-none place-items-center', size === 'large' && 'tile-l')}
      style={{ '--hue': hueOf(name) } as CSSProperties}
      aria-hidden
    >
      {monogramOf(name)}
    </span>
  )
}
