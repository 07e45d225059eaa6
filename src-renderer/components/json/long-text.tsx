import type { JSX } from 'react'
import { useMemo, useRef } from 'react'

import { visibleText } from '../../ui/text/visible-text'
import { piecesOf } from './text-pieces'
import { usePieceWindow } from './use-windows'

/** Longer texts are drawn as far as they are in view, in UTF-16 units. */
const SHORT = 20_000
/** Most of a text that is shown; the rest can be saved. */
export const MOST_TEXT = 200_000

function Pieces({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const region = useRef<HTMLDivElement>(null)
  const pieces = useMemo(() => piecesOf(visibleText(text)), [text])
  const virtualizer = usePieceWindow(region, pieces.length)
  return (
    <div
      ref={region}
      className="well box pad-row source mono scroll"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div className="anchor" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="placed"
            style={{ transform: `translateY(${start}px)` }}
            dir="auto"
          >
            {pieces[index]}
          </div>
        ))}
      </div>
    </div>
  )
}

/** A text of a server as plain text that scrolls in itself, its hidden characters written out. At most `MOST_TEXT` long. */
export function LongText({
  text,
  label,
}: {
  readonly text: string
  readonly label: string
}): JSX.Element {
  if (text.length > SHORT) return <Pieces text={text} label={label} />
  return (
    <pre
      className="well box pad-row source mono scroll"
      tabIndex={0}
      role="region"
      aria-label={label}
      dir="auto"
    >
      {visibleText(text)}
    </pre>
  )
}
