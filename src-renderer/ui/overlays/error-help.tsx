import type { JSX } from 'react'
import { useStore } from 'zustand'

import page from '../../../docs/errors.md?raw'
import { closeErrorHelp, helpStore } from '../controls/learn-more'
import { errorHelp, type HelpLine } from '../text/error-help'
import { Dialog } from './dialog'

function Line({ line }: { readonly line: HelpLine }): JSX.Element {
  const pieces = line.pieces.map(({ kind, text }, index) => {
    if (kind === 'text') return text
    return kind === 'code' ? <code key={index}>{text}</code> : <b key={index}>{text}</b>
  })
  return line.isItem ? <li>{pieces}</li> : <p>{pieces}</p>
}

/** The dialog that "Learn more" opens; stands once in the app. */
export function ErrorHelp(): JSX.Element | null {
  const topic = useStore(helpStore, (state) => state.topic)
  if (topic === undefined) return null
  const [what, ...lines] = errorHelp(page, topic)
  const title = what?.pieces.map(({ text }) => text).join('') ?? topic
  return (
    <Dialog title={title} leave="Close" onClose={closeErrorHelp}>
      <div className="stack gap-2 pretty">
        <p className="faint small">
          <code>{topic}</code>
        </p>
        {lines
          .filter(({ isItem }) => !isItem)
          .map((line) => (
            <Line key={JSON.stringify(line)} line={line} />
          ))}
        <ul className="stack gap-2 soft">
          {lines
            .filter(({ isItem }) => isItem)
            .map((line) => (
              <Line key={JSON.stringify(line)} line={line} />
            ))}
        </ul>
      </div>
    </Dialog>
  )
}
