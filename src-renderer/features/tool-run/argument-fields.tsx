import './completed-input.css'

import clsx from 'clsx'
import { Popover } from 'radix-ui'
import { type JSX, type KeyboardEvent, useId, useState } from 'react'

import { type ControlIds, Field } from '../../ui/fields/field'
import { TextInput } from '../../ui/fields/text-input'
import { PlainText } from '../../ui/text/plain-text'
import { shortName, shortText } from '../../ui/text/visible-text'
import { type Completed, type Offer, useCompletion } from './use-completion'

type CompletedInputProps = {
  readonly ids: ControlIds
  readonly of: Completed
  /** The argument, and all values that are filled in. */
  readonly name: string
  readonly values: Readonly<Record<string, string>>
  readonly isRequired: boolean
  readonly onChange: (value: string) => void
}

/** Most suggestions that are listed (MCP, completion/complete). */
const MOST = 100

function offerWords({ values, total, problem }: Offer): string {
  if (problem !== undefined) return `Can’t load suggestions: ${problem}`
  if (values.length === 0) return ''
  const more = total !== undefined && total > values.length ? ` of ${total}` : ''
  return `${values.length}${more} ${values.length === 1 && more === '' ? 'suggestion' : 'suggestions'}`
}

function Suggestions({
  id,
  values,
  active,
  onChoose,
}: {
  readonly id: string
  readonly values: readonly string[]
  readonly active: number
  readonly onChoose: (value: string) => void
}): JSX.Element {
  return (
    // Where the field stands, so that it belongs to the same part of the page.
    <Popover.Content
      className="popover float completions"
      align="start"
      sideOffset={4}
      collisionPadding={8}
      role="presentation"
      onOpenAutoFocus={(event) => event.preventDefault()}
      onCloseAutoFocus={(event) => event.preventDefault()}
    >
      <ul id={id} role="listbox" aria-label="Suggestions">
        {values.map((value, index) => (
          <li
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={clsx(
              'search-choice pick mono break',
              index === active ? 'lit is-selected' : 'lights',
            )}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' })
            }}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(value)}
          >
            {shortText(value) || '(empty)'}
          </li>
        ))}
      </ul>
    </Popover.Content>
  )
}

/** Where a key leads among suggestions: from none to the first or last, and around. */
function nextSuggestion(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (active + 1) % count
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1
  return undefined
}

type Choosing = {
  readonly isOpen: boolean
  readonly active: number
  readonly values: readonly string[]
  readonly open: () => void
  readonly close: () => void
  readonly setActive: (active: number) => void
  readonly choose: (value: string) => void
}

function press(event: KeyboardEvent, choosing: Choosing): void {
  const { isOpen, active, values, open, close, setActive, choose } = choosing
  const { key } = event
  const next = nextSuggestion(key, active, values.length)
  const chosen = isOpen && key === 'Enter' && !event.ctrlKey ? values[active] : undefined
  if (chosen !== undefined) choose(chosen)
  else if (isOpen && key === 'Escape') close()
  else if (isOpen && next !== undefined) setActive(next)
  else if (!isOpen && key === 'ArrowDown') open()
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** A text of one line that the server completes: what it offers stands in a list below while one types. */
function CompletedInput(props: CompletedInputProps): JSX.Element {
  const { ids, of, name, values, isRequired, onChange } = props
  const listId = useId()
  const [isAsking, setIsAsking] = useState(false)
  const [active, setActive] = useState(-1)
  const offer = useCompletion(of, name, values, isAsking)
  const offered = offer.values.slice(0, MOST)
  const isOpen = isAsking && offered.length > 0
  const close = (): void => {
    setIsAsking(false)
    setActive(-1)
  }
  const choosing: Choosing = {
    ...{ isOpen, active, values: offered, close, setActive },
    open: () => setIsAsking(true),
    choose: (value) => {
      onChange(value)
      close()
    },
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={(isWanted) => !isWanted && close()}>
      <Popover.Anchor asChild>
        <div>
          <TextInput
            {...ids}
            mono
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
            aria-required={isRequired}
            value={values[name] ?? ''}
            onValueChange={(value) => {
              onChange(value)
              setActive(-1)
              setIsAsking(true)
            }}
            onKeyDown={(event) => press(event, choosing)}
            onBlur={close}
          />
        </div>
      </Popover.Anchor>
      {isOpen && (
        <Suggestions id={listId} values={offered} active={active} onChoose={choosing.choose} />
      )}
      <p role="status" className={offer.problem === undefined ? 'sr' : 'soft small pretty break'}>
        {isAsking ? offerWords(offer) : ''}
      </p>
    </Popover.Root>
  )
}

/** An argument that is a text of one line. */
export type TextArgument = {
  readonly name: string
  readonly description?: string | undefined
  readonly isRequired: boolean
}

/** The arguments that must be filled in and are not. */
export function missingOf(
  args: readonly TextArgument[],
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return args
    .filter(({ name, isRequired }) => isRequired && (values[name] ?? '') === '')
    .map(({ name }) => name)
}

/** The arguments of a prompt or template as fields that the server completes. */
export function ArgumentFields({
  of,
  args,
  values,
  missing,
  onChange,
}: {
  readonly of: Completed
  readonly args: readonly TextArgument[]
  readonly values: Readonly<Record<string, string>>
  /** Those whose lack is to be shown. */
  readonly missing: readonly string[]
  readonly onChange: (name: string, value: string) => void
}): JSX.Element {
  const id = useId()
  return (
    <div className="stack gap-3 slim">
      {args.map(({ name, description, isRequired }, index) => (
        <Field
          key={name}
          id={`${id}-${index}`}
          label={shortName(name)}
          note={isRequired ? <span className="faint regular small">required</span> : undefined}
          hint={description === undefined ? undefined : <PlainText text={description} />}
          problem={missing.includes(name) ? 'Enter a value.' : undefined}
        >
          {(ids) => (
            <CompletedInput
              ids={ids}
              of={of}
              name={name}
              values={values}
              isRequired={isRequired}
              onChange={(value) => onChange(name, value)}
            />
          )}
        </Field>
      ))}
    </div>
  )
}
