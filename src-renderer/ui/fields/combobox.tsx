import './controls.css'

import clsx from 'clsx'
import { Popover } from 'radix-ui'
import { type ComponentProps, type KeyboardEvent, type ReactElement, useId, useState } from 'react'

import { TextInput } from './field'

type ComboboxProps = Omit<ComponentProps<typeof TextInput>, 'onSelect'> & {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly options: readonly string[]
  /** Index of the current option; -1 for none. */
  readonly chosen?: number
  readonly onTake: (place: number) => void
  /** Whether the first option is active when the list opens, so that Enter selects it. */
  readonly takesFirst?: boolean
  readonly listLabel: string
  /** Shown below the options. */
  readonly note?: string | undefined
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** A text input with a list of options (ARIA combobox): arrows move and wrap around, Enter selects, Escape closes. */
export function Combobox(props: ComboboxProps): ReactElement {
  const { isOpen, onOpenChange, options, chosen = -1, onTake, ...rest } = props
  const { takesFirst = false, listLabel, note, value, onValueChange, ...input } = rest
  const listId = useId()
  const first = takesFirst ? 0 : -1
  const [moved, setMoved] = useState({ value, active: first })
  const active = isOpen && moved.value === value ? moved.active : first
  const count = options.length
  const isListed = isOpen && (count > 0 || note !== undefined)
  const setActive = (next: number): void => setMoved({ value, active: next })
  const open = (isWanted: boolean): void => {
    setActive(first)
    onOpenChange(isWanted)
  }
  const act = ({ key, ctrlKey, metaKey }: KeyboardEvent): (() => void) | undefined => {
    if (ctrlKey || metaKey) return undefined
    if (!isListed) return key === 'ArrowDown' ? () => open(true) : undefined
    if (key === 'Escape') return () => open(false)
    if (key === 'Enter' && options[active] !== undefined) return () => onTake(active)
    if (count === 0) return undefined
    if (key === 'ArrowDown') return () => setActive((active + 1) % count)
    if (key === 'ArrowUp') return () => setActive(active <= 0 ? count - 1 : active - 1)
    return undefined
  }
  const press = (event: KeyboardEvent): void => {
    const action = act(event)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  return (
    <Popover.Root open={isListed}>
      <Popover.Anchor asChild>
        <div>
          <TextInput
            {...input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isListed}
            aria-controls={isListed ? listId : undefined}
            aria-activedescendant={isListed && active >= 0 ? `${listId}-${active}` : undefined}
            value={value}
            onValueChange={onValueChange}
            onKeyDown={press}
          />
        </div>
      </Popover.Anchor>
      {isListed && (
        // Mounted next to the field, so that it belongs to the same part of the page.
        <Popover.Content
          className="popover float combobox-list"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          role="presentation"
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <ul id={listId} role="listbox" aria-label={listLabel}>
            {options.map((option, place) => (
              <li
                key={place}
                ref={place === active ? intoView : undefined}
                id={`${listId}-${place}`}
                role="option"
                aria-selected={chosen === -1 ? place === active : place === chosen}
                className={clsx(
                  'pick cursor-default wrap-anywhere select-none',
                  input.mono === true && 'mono',
                  place === active ? 'is-selected bg-accent-soft' : 'hover:bg-hover',
                )}
                // A press must not take the focus out of the field before the click arrives.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onTake(place)}
              >
                {option}
              </li>
            ))}
          </ul>
          {note !== undefined && <p className="px-3 py-2 text-small text-muted">{note}</p>}
        </Popover.Content>
      )}
    </Popover.Root>
  )
}
