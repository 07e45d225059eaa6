import { type Color, createAnsiSequenceParser, type ParseToken } from 'ansi-sequence-parser'

import { TerminalColor, type TextStyle } from '../../../src-shared/domain/running/log-entry'
import type { ColourCode } from '../masking/terminal-text'

/** Most ranges that a line carries; what follows looks ordinary. */
const MOST_RANGES = 200
/** Digits and semicolons alone: a parser that knows no others would read the rest of the line as codes. */
const PLAIN_CODES = /^[\d;]{0,64}$/u

const DECORATIONS = ['bold', 'dim', 'italic', 'underline'] as const

/** How the parts of a line look, from the colour sequences that stood in it; every line begins plain. */
export function textStyles(text: string, colours: readonly ColourCode[]): TextStyle[] {
  const parser = createAnsiSequenceParser()
  const styles: TextStyle[] = []
  for (const [index, { at, codes }] of colours.entries()) {
    const end = colours[index + 1]?.at ?? text.length
    const known = PLAIN_CODES.test(codes) ? spelledOut(codes) : ''
    // A part without characters still changes what follows.
    const tokens = parser.parse(`${known}${text.slice(at, end)}`)
    const style = tokens.map(styleOf).find((one) => one !== undefined)
    if (style && end > at) styles.push({ start: at, end, ...style })
    if (styles.length === MOST_RANGES) break
  }
  return styles
}

/** A missing code means 0, which the parser does not know. */
function spelledOut(codes: string): string {
  const all = codes.split(';').map((code) => (code === '' ? '0' : code))
  return `\u001b[${all.join(';')}m`
}

function styleOf({
  foreground,
  background,
  decorations,
}: ParseToken): Omit<TextStyle, 'start' | 'end'> | undefined {
  const front = foreground === null ? undefined : nearest(foreground)
  const back = background === null ? undefined : nearest(background)
  // Turned without a colour is ink for ground: the neutral ground tells it from its surroundings.
  const [color, ground] = decorations.has('reverse') ? [back, front ?? 'white'] : [front, back]
  const style = {
    ...(color && { color }),
    ...(ground && { background: ground }),
    ...Object.fromEntries(
      DECORATIONS.filter((one) => decorations.has(one)).map((one) => [one, true]),
    ),
  }
  return Object.keys(style).length > 0 ? style : undefined
}

type Rgb = readonly [number, number, number]

/** Middle values of common terminals, in the order of the 16 names. */
const SIXTEEN: readonly Rgb[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 160, 90],
  [190, 170, 20],
  [36, 100, 205],
  [180, 60, 185],
  [17, 160, 200],
  [215, 215, 215],
  [105, 105, 105],
  [245, 85, 85],
  [50, 220, 130],
  [245, 240, 80],
  [75, 145, 245],
  [225, 115, 225],
  [60, 210, 235],
  [255, 255, 255],
]
const CUBE = [0, 95, 135, 175, 215, 255] as const

function nearest(color: Color): TerminalColor | undefined {
  if (color.type === 'named') return color.name
  if (color.type === 'rgb') return nearestTo(color.rgb)
  const { index } = color
  if (index < 16) return TerminalColor.options[index]
  if (index < 232) return nearestTo(cubeColour(index - 16))
  const grey = 8 + 10 * (index - 232)
  return index < 256 ? nearestTo([grey, grey, grey]) : undefined
}

function cubeColour(place: number): Rgb {
  const level = (step: number): number => CUBE[step % 6] ?? 0
  return [level(Math.floor(place / 36)), level(Math.floor(place / 6)), level(place)]
}

function nearestTo(rgb: Rgb): TerminalColor | undefined {
  const distances = SIXTEEN.map((one) =>
    one.reduce((sum, part, index) => sum + (part - (rgb[index] ?? 0)) ** 2, 0),
  )
  return TerminalColor.options[distances.indexOf(Math.min(...distances))]
}
