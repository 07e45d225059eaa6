/** Control characters but tab and newline, and those that turn or hide the text around them. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/**
 * A text from outside with every character made visible that could hide or turn others: they become
 * their code, such as `<U+202E>`. Tab and newline stay.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (char) => {
    if (char === '\t' || char === '\n') return char
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `<U+${code}>`
  })
}
