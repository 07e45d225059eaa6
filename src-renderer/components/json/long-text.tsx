import { type JSX, useMemo } from 'react'

import { ScrollRegion } from '../../ui/layout/page'
import { useVirtualList } from '../../ui/list/virtual-list'
import { visibleText } from '../../ui/text/untrusted-text'

/** Maximum length of a piece in UTF-16 units. A piece ends after a line break if its second half has one. */
const PIECE = 4_000
/** Height of a piece before its measurement, in rem. */
const PIECE_HEIGHT = 50

/** Splits a text into pieces of at most 4,000 UTF-16 units, at line ends if possible. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from)
    const piece = text.slice(from, to)
    // The piece is a block element: its last line break would add an empty line.
    pieces.push(piece.endsWith('\n') ? piece.slice(0, -1) : piece)
    from = to
  }
  return pieces
}

function endOfPiece(text: string, from: number): number {
  const limit = Math.min(from + PIECE, text.length)
  if (limit === text.length) return limit
  const line = text.lastIndexOf('\n', limit - 1) + 1
  if (line > from + PIECE / 2) return line
  // Keeps surrogate pairs together.
  return /[\uD800-\uDBFF]/u.test(text.charAt(limit - 1)) ? limit - 1 : limit
}

/** Longer texts are virtualized, in UTF-16 units. */
const SHORT = 20_000
/** Maximum length of a shown text, in UTF-16 units; the rest can be saved. */
export const MAX_TEXT_LENGTH = 200_000

function Pieces({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const pieces = useMemo(() => piecesOf(visibleText(text)), [text])
  const { items, holder, measure } = useVirtualList({
    count: pieces.length,
    sizeOf: () => PIECE_HEIGHT,
    overscan: 1,
  })
  return (
    <ScrollRegion
      className="source mono rounded-lg border border-line bg-inset px-3 py-2"
      label={label}
    >
      <div {...holder} className="relative">
        {items.map(({ key, index, top }) => (
          <div
            key={key}
            ref={measure}
            data-index={index}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${top}px)` }}
            dir="auto"
          >
            {pieces[index]}
          </div>
        ))}
      </div>
    </ScrollRegion>
  )
}

/** A server's text as plain text in its own scroll area, with invisible characters escaped. Shows at most `MAX_TEXT_LENGTH`. */
export function LongText(props: { readonly text: string; readonly label: string }): JSX.Element {
  const { text, label } = props
  if (text.length > SHORT) return <Pieces text={text} label={label} />
  return (
    <ScrollRegion
      as="pre"
      className="source mono rounded-lg border border-line bg-inset px-3 py-2"
      label={label}
      dir="auto"
    >
      {visibleText(text)}
    </ScrollRegion>
  )
}
