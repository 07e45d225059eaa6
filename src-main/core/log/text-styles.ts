import { type Color, createAnsiSequenceParser, type ParseToken } from 'ansi-sequence-parser'
import ansi from 'ansi-styles'

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

/** The one of the 16 that a terminal of no more would show. */
function nearest(color: Color): TerminalColor | undefined {
  if (color.type === 'named') return color.name
  const code = color.type === 'rgb' ? ansi.rgbToAnsi(...color.rgb) : ansi.ansi256ToAnsi(color.index)
  // 30 to 37, and the bright ones from 90 on.
  return TerminalColor.options[code < 90 ? code - 30 : code - 82]
}
