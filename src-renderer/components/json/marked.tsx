import type { JSX } from 'react'

/** A text with the first place of what is looked for marked, any case. */
export function Marked({
  text,
  wanted,
}: {
  readonly text: string
  readonly wanted: string
}): JSX.Element {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at === -1) return <>{text}</>
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark className="hit">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
