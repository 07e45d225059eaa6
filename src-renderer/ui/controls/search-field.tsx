import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type JSX, type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

import { IconButton } from './button'

function ClearButton({ onClear }: { readonly onClear: () => void }): JSX.Element {
  return (
    <button
      type="button"
      className="btn btn-quiet btn-icon btn-small"
      aria-label="Clear search"
      onClick={onClear}
    >
      <X className="icon icon-s" aria-hidden />
    </button>
  )
}

/** The search of a page: `/` focuses it from anywhere; Esc clears it first, then leaves it. */
export function SearchField(props: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly label: string
  /** Result count, at the right end of the field. */
  readonly meta?: ReactNode
  /** The user is about to type. */
  readonly onFocus?: () => void
  /** Enter, or Shift+Enter to go backwards. */
  readonly onEnter?: (backwards: boolean) => void
  /** Moves from the field into the results. */
  readonly onArrowDown?: (event: KeyboardEvent) => void
}): JSX.Element {
  const { value, onChange, placeholder, label, meta, onFocus, onEnter, onArrowDown } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && onEnter) onEnter(event.shiftKey)
    if (event.key === 'ArrowDown') onArrowDown?.(event)
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (value === '') event.currentTarget.blur()
    else onChange('')
  }
  const clear = (): void => {
    onChange('')
    input.current?.focus()
  }
  return (
    <div className="input search-field">
      <Search className="icon icon-s text-faint" aria-hidden />
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        ref={input}
        data-page-search
        type="text"
        role="searchbox"
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onFocus={onFocus}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      {meta !== undefined && (
        <span className="text-small whitespace-nowrap text-faint tabular-nums">{meta}</span>
      )}
      {value !== '' && <ClearButton onClear={clear} />}
    </div>
  )
}

/** Buttons for the previous and the next match. */
export function MatchSteps(props: {
  readonly disabled?: boolean
  readonly className?: string
  readonly onStep: (by: 1 | -1) => void
}): JSX.Element {
  const { onStep, ...rest } = props
  const shared = { ...rest, small: true }
  return (
    <>
      <IconButton {...shared} icon={ChevronUp} label="Previous match" onClick={() => onStep(-1)} />
      <IconButton {...shared} icon={ChevronDown} label="Next match" onClick={() => onStep(1)} />
    </>
  )
}
