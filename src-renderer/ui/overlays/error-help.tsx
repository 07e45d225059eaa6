import type { JSX } from 'react'
import { useStore } from 'zustand'

import page from '../../../docs/errors.md?raw'
import { closeErrorHelp, helpStore } from '../controls/button'
import { Dialog } from './dialog'

function Line({ line }: { readonly line: HelpLine }): JSX.Element {
  const pieces = line.pieces.map(({ kind, text }, index) => {
    if (kind === 'text') return text
    return kind === 'code' ? <code key={index}>{text}</code> : <b key={index}>{text}</b>
  })
  return line.isItem ? <li>{pieces}</li> : <p>{pieces}</p>
}

/** The dialog of "Learn more"; mounted once in the app. */
export function ErrorHelp(): JSX.Element | null {
  const topic = useStore(helpStore, (state) => state.topic)
  if (topic === undefined) return null
  const [what, ...lines] = errorHelp(page, topic)
  const drawn = (areItems: boolean): JSX.Element[] =>
    lines
      .filter(({ isItem }) => isItem === areItems)
      .map((line) => <Line key={JSON.stringify(line)} line={line} />)
  const title = what?.pieces.map(({ text }) => text).join('') ?? topic
  return (
    <Dialog title={title} leave="Close" onClose={closeErrorHelp}>
      <div className="grid gap-2 text-pretty">
        <p className="text-small text-faint">
          <code>{topic}</code>
        </p>
        {drawn(false)}
        <ul className="grid gap-2 text-muted">{drawn(true)}</ul>
      </div>
    </Dialog>
  )
}

type HelpPiece = { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
/** A paragraph or list item, split at changes of its style. */
type HelpLine = { readonly isItem: boolean; readonly pieces: readonly HelpPiece[] }

/** Returns the section of docs/errors.md about an error code, failure cause or kind of protocol warning; empty if there is none. */
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
