import type { ReactElement } from 'react'

const MOST_MARKS = 20

function escaped(word: string): string {
  return word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

/** Text with every occurrence of the query's words marked; plain text in, plain text out. */
export function Highlight({
  text,
  query,
}: {
  readonly text: string
  readonly query: string
}): ReactElement {
  const words = query.split(/\s+/).filter(Boolean).map(escaped)
  if (words.length === 0) return <>{text}</>
  // An odd index is a match, since the pattern is one group.
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'giu'))
  const rest = parts.splice(MOST_MARKS * 2).join('')
  return (
    <>
      {parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
      {rest}
    </>
  )
}
