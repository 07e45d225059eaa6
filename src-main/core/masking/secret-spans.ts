/** Part of a text: offsets, `end` excluded. */
export type Span = { readonly start: number; readonly end: number }

/** Fewer characters of a secret tell nothing. */
const TELLING = 4

/** Every place where one of `forms` stands in a text, by their begin; they may overlap. */
export function spansIn(text: string, forms: readonly string[]): Span[] {
  const spans: Span[] = []
  for (const form of forms) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
      spans.push({ start: at, end: at + form.length })
    }
  }
  return spans.sort((a, b) => a.start - b.start)
}

/** How many characters at the end of `text` are the beginning of one of `forms`; 0 for fewer than tell anything. */
export function beginningAtEnd(text: string, forms: readonly string[]): number {
  return Math.max(0, ...forms.map((form) => beginningOf(form, text)))
}

function beginningOf(form: string, text: string): number {
  const last = text.charCodeAt(text.length - 1)
  for (let length = Math.min(form.length, text.length); length >= TELLING; length -= 1) {
    if (form.charCodeAt(length - 1) === last && text.endsWith(form.slice(0, length))) return length
  }
  return 0
}
