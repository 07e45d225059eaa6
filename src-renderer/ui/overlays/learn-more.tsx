import type { JSX } from 'react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { errorHelp, type HelpLine } from '../text/error-help'
import { Dialog } from './dialog'

const helpStore = createStore<{ readonly topic: string | undefined }>(() => ({ topic: undefined }))

/** Opens the section of docs/errors.md about an error code, failure cause or kind of protocol warning. */
export function showErrorHelp(topic: string | undefined): void {
  helpStore.setState({ topic })
}

function close(): void {
  showErrorHelp(undefined)
}

/** A button that explains an error, offline. */
export function LearnMore({ topic }: { readonly topic: string }): JSX.Element {
  return (
    <button
      type="button"
      className="text-button accent bare"
      aria-label={`Learn more about ${topic}`}
      onClick={() => showErrorHelp(topic)}
    >
      Learn more
    </button>
  )
}

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
  const [page, setPage] = useState<string>()
  const isWanted = topic !== undefined
  useEffect(() => {
    if (isWanted) import('../../../docs/errors.md?raw').then((raw) => setPage(raw.default), close)
  }, [isWanted])
  if (topic === undefined || page === undefined) return null
  const lines = errorHelp(page, topic)
  return (
    <Dialog title={topic} leave="Close" onClose={close}>
      <div className="stack gap-2 pretty">
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
