/** Part of a text: offsets, `end` excluded. */
export type Span = { readonly start: number; readonly end: number }

/** Fewer characters of a secret tell nothing. */
const TELLING = 4

const ASCII = /^[\0-\x7F]*$/

/** A text with the letters of ASCII in one case: it has the same length, so that places in one are places in the other. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Every place where one of `forms`, whose case is folded, stands in a text in any case, by their begin; they may overlap. */
export function spansIn(text: string, forms: readonly string[]): Span[] {
  const spans: Span[] = []
  const folded = forms.length === 0 ? text : foldCase(text)
  for (const form of forms) {
    for (let at = folded.indexOf(form); at !== -1; at = folded.indexOf(form, at + 1)) {
      spans.push({ start: at, end: at + form.length })
    }
  }
  return spans.sort((a, b) => a.start - b.start)
}

/** How many characters at the end of `text` are the beginning of one of `forms`; 0 for fewer than tell anything. */
export function beginningAtEnd(text: string, forms: readonly string[]): number {
  const longest = Math.max(0, ...forms.map((form) => form.length))
  const end = foldCase(text.slice(Math.max(0, text.length - longest)))
  return Math.max(0, ...forms.map((form) => beginningOf(form, end)))
}

function beginningOf(form: string, text: string): number {
  const last = text.charCodeAt(text.length - 1)
  for (let length = Math.min(form.length, text.length); length >= TELLING; length -= 1) {
    if (form.charCodeAt(length - 1) === last && text.endsWith(form.slice(0, length))) return length
  }
  return 0
}
