type HelpPiece = { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
/** A paragraph or list item, cut where its look changes. */
export type HelpLine = { readonly isItem: boolean; readonly pieces: readonly HelpPiece[] }

/** The section of docs/errors.md about an error code, failure cause or kind of protocol warning; empty where it has none. */
export function errorHelp(page: string, topic: string): readonly HelpLine[] {
  const section = page.split(/^#{1,2} /mu).find((text) => text.startsWith(`\`${topic}\`\n`))
  const [, ...lines] = (section ?? '').split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const isItem = line.startsWith('- ')
    return { isItem, pieces: piecesOf(isItem ? line.slice(2) : line) }
  })
}

function piecesOf(line: string): HelpPiece[] {
  return line
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/u)
    .filter((text) => text !== '')
    .map((text) => {
      if (text.startsWith('`')) return { kind: 'code', text: text.slice(1, -1) }
      return text.startsWith('**')
        ? { kind: 'strong', text: text.slice(2, -2) }
        : { kind: 'text', text }
    })
}
