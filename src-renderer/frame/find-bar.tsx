import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { JSX, KeyboardEvent as ReactKeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'

import { IconButton } from '../ui/controls/icon-button'
import { TextInput } from '../ui/fields/text-input'
import { isMacKeyboard, shortcutOf } from '../ui/marks/shortcuts'
import { endFind, findInPage, type Matches } from './find-in-page'

const NONE: Matches = { count: 0, current: 0 }

/** A page with a search of its own is searched by that: a list draws only the rows that are in view. */
function focusPageSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('[data-page-search]')
  search?.focus()
  search?.select()
  return search !== null
}

/** Finds text on the page. For the desktop app: a browser has a bar of its own. */
export function FindBar(): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [matches, setMatches] = useState(NONE)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const isMac = isMacKeyboard()
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || shortcutOf(event, { isAfterG: false, isMac })?.id !== 'find')
        return
      event.preventDefault()
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      if (focusPageSearch()) return
      setIsOpen(true)
      input.current?.select()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
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
  const press = (event: ReactKeyboardEvent): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <search className="find-bar float row gap-1" aria-label="Find on the page">
      <TextInput
        inputRef={input}
        autoFocus
        aria-label="Find on the page"
        value={text}
        onValueChange={(value) => find(value, 1)}
        onKeyDown={press}
        suffix={
          text !== '' && (
            <span className="faint num small nowrap" role="status">
              {matches.count === 0 ? 'No results' : `${matches.current} of ${matches.count}`}
            </span>
          )
        }
      />
      <IconButton small icon={ChevronUp} label="Previous match" onClick={() => step(-1)} />
      <IconButton small icon={ChevronDown} label="Next match" onClick={() => step(1)} />
      <IconButton small icon={X} label="Close" onClick={close} />
    </search>
  )
}
