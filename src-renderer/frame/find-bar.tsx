import { X } from 'lucide-react'
import { type JSX, type KeyboardEvent, useRef, useState } from 'react'

import { IconButton } from '../ui/controls/button'
import { MatchSteps } from '../ui/controls/search-field'
import { TextInput } from '../ui/fields/field'
import { isDialogOpen } from '../ui/focus/restore-focus'
import { useWindowKeys } from '../ui/focus/use-window-keys'
import { isMacKeyboard, shortcutOf } from '../ui/marks/shortcuts'
import { searchPage } from './shortcuts'

const NONE: Matches = { count: 0, current: 0 }

/** Finds text on the page. Only for the desktop app: browsers have their own find bar. */
export function FindBar(): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [matches, setMatches] = useState(NONE)
  const input = useRef<HTMLInputElement>(null)
  useWindowKeys((event) => {
    const how = { isAfterG: false, isMac: isMacKeyboard() }
    if (event.defaultPrevented || shortcutOf(event, how)?.id !== 'find') return
    event.preventDefault()
    if (isDialogOpen() || searchPage()) return
    setIsOpen(true)
    input.current?.select()
  })
  if (!isOpen) return null
  const find = (wanted: string, at: number): void => {
    setText(wanted)
    setMatches(findInPage(wanted, at))
  }
  const close = (): void => {
    endFind()
    setIsOpen(false)
    setText('')
    setMatches(NONE)
  }
  const step = (by: 1 | -1): void => find(text, matches.current + by)
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <search
      className="find-bar float fixed top-3 right-4 z-20 flex w-88 items-center gap-1 p-1.5"
      aria-label="Find on the page"
    >
      <TextInput
        inputRef={input}
        autoFocus
        aria-label="Find on the page"
        value={text}
        onValueChange={(value) => find(value, 1)}
        onKeyDown={press}
        suffix={
          text !== '' && (
            <span className="text-small whitespace-nowrap text-faint tabular-nums" role="status">
              {matches.count === 0 ? 'No results' : `${matches.current} of ${matches.count}`}
            </span>
          )
        }
      />
      <MatchSteps onStep={step} />
      <IconButton small icon={X} label="Close" onClick={close} />
    </search>
  )
}

const ALL = 'find'
const CURRENT = 'find-current'
const MAX_MATCHES = 1_000

/** Returns every occurrence of `text` in the visible text of `root`, ignoring case. A match lies within one text node. */
function rangesOf(root: Element, text: string): Range[] {
  const wanted = text.toLocaleLowerCase()
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const held = (node.textContent ?? '').toLocaleLowerCase()
    if (!held.includes(wanted) || node.parentElement?.checkVisibility() !== true) continue
    for (let at = held.indexOf(wanted); at >= 0; at = held.indexOf(wanted, at + wanted.length)) {
      // Some letters change their length in lower case.
      if (at + wanted.length > (node.textContent ?? '').length) break
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      ranges.push(range)
      if (ranges.length === MAX_MATCHES) return ranges
    }
  }
  return ranges
}

type Matches = { readonly count: number; readonly current: number }

/** Highlights every match on the page, and shows the one at `wanted`, counted from 1 and wrapping around. */
function findInPage(text: string, wanted: number): Matches {
  endFind()
  const root = document.querySelector('#main')
  const ranges = root === null || text === '' ? [] : rangesOf(root, text)
  const count = ranges.length
  if (count === 0) return { count, current: 0 }
  const current = ((((wanted - 1) % count) + count) % count) + 1
  const shown = ranges[current - 1]
  CSS.highlights.set(ALL, new Highlight(...ranges))
  if (shown) {
    const highlight = new Highlight(shown)
    highlight.priority = 1
    CSS.highlights.set(CURRENT, highlight)
    shown.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
  }
  return { count, current }
}

function endFind(): void {
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}
