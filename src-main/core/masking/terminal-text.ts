/** A colour sequence that stood before the character at `at` of the plain text; `codes` such as `1;31`. */
export type ColourCode = { readonly at: number; readonly codes: string }

/** A text freed of what is meant for a terminal. */
export type TerminalText = {
  readonly text: string
  readonly colours: readonly ColourCode[]
  /** The end of what was given, from where an unfinished sequence begins; empty where nothing may follow. */
  readonly held: string
}

/** Control characters but tab. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

const PARAMETERS = String.raw`(?:\u001b\[|\u009b)([0-?]{0,128})`
/** Begins and content of OSC, DCS, SOS, PM and APC: without controls, so that a text is read once whatever is in it. */
const STRING = String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]{0,2048}`

/**
 * One sequence as ECMA-48 has them: CSI, a string with its end, or a few characters. Bounded, so that a
 * text without the end that it promises stays to be read.
 */
const SEQUENCE = new RegExp(
  String.raw`${PARAMETERS}([ -/]{0,4}[@-~])|${STRING}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,4}[0-OQ-WYZ\\\x60-~]`,
  'y',
)
/** What may still become a sequence when more follows. */
const UNFINISHED = new RegExp(
  String.raw`(?:${PARAMETERS}[ -/]{0,4}|${STRING}\u001b?|\u001b[ -/]{0,4})$`,
  'y',
)

/** Terminal sequences and control characters out, tabs kept. */
export function plainText(raw: string): string {
  return readTerminalText(raw).text
}

/**
 * Takes terminal sequences and control characters out of a text and says where its colours change. With
 * `mayGoOn` an unfinished sequence at the end is held back, so that a text read in parts gives the same.
 */
export function readTerminalText(raw: string, mayGoOn = false): TerminalText {
  const colours: ColourCode[] = []
  let text = ''
  let at = 0
  for (;;) {
    const next = matchAt(CONTROL, raw, at)?.index ?? raw.length
    text += raw.slice(at, next)
    if (next === raw.length) return { text, colours, held: '' }
    const sequence = matchAt(SEQUENCE, raw, next)
    if (!sequence && mayGoOn && matchAt(UNFINISHED, raw, next))
      return { text, colours, held: raw.slice(next) }
    const [whole, codes, final] = sequence ?? [raw.charAt(next)]
    if (final === 'm' && codes !== undefined) colours.push({ at: text.length, codes })
    at = next + whole.length
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
