import clsx from 'clsx'
import { type JSX, useMemo } from 'react'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { Button } from '../../ui/controls/button'
import { MenuChoices } from '../../ui/controls/menu'
import { SearchField } from '../../ui/controls/search-field'
import { ChoiceChip, FilterChip } from '../../ui/filters/filter-chip'
import { useKeptFocus } from '../../ui/focus/restore-focus'
import { enterList } from '../../ui/list/virtual-list'
import { formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { countWords } from './detail/messages'
import { setMessageView } from './message-store'
import { ALL_MESSAGES, isNarrowed, isText, type MessageView, methodCounts } from './message-view'
import type { ShownMessages } from './use-messages'

const DIRECTIONS = [
  { value: 'all', label: 'Both directions' },
  { value: 'sent', label: 'To server' },
  { value: 'received', label: 'From server' },
] as const satisfies readonly { value: MessageView['direction']; label: string }[]

/** In place of a method where all are meant; no method is empty. */
const EVERY = ''

type Change = (change: Partial<MessageView>) => void

/** Made when the menu opens, since counting all messages takes a moment. */
function MethodChoices({
  entries,
  method,
  onChange,
}: {
  readonly entries: readonly MessageEntry[]
  readonly method: string | undefined
  readonly onChange: Change
}): JSX.Element {
  const choices = useMemo(() => {
    const there = methodCounts(entries)
    const isThere = method === undefined || there.some((one) => one.method === method)
    return (isThere ? there : [...there, { method, count: 0 }]).map((one) => ({
      value: one.method,
      label: `${visibleText(one.method)} (${formatCount(one.count)})`,
    }))
  }, [entries, method])
  return (
    <MenuChoices
      value={method ?? EVERY}
      choices={[{ value: EVERY, label: 'All methods' }, ...choices]}
      onChange={(value) => onChange({ method: value === EVERY ? undefined : value })}
    />
  )
}

function Toggle({
  label,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}): JSX.Element {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {label}
    </button>
  )
}

/** What is searched and filtered, and how many messages that leaves. */
export function MessageBar({
  installationId,
  messageLog,
}: {
  readonly installationId: string
  readonly messageLog: ShownMessages
}): JSX.Element {
  const { view, found, entries, isRead, shown } = messageLog
  const { method, direction, isOnlyErrors, isPaired, id } = view
  const change: Change = (part) => setMessageView(installationId, part)
  const isSearching = isText(view.text) && found?.text !== view.text
  const isNarrow = isNarrowed(view)
  // The button that shows all goes with its press.
  useKeptFocus(isNarrow)
  return (
    <div className="grow row wrap gap-2 rows-1" role="toolbar" aria-label="Filters">
      <SearchField
        label="Search messages"
        placeholder="Search"
        value={view.text}
        onChange={(text) => change({ text: text.slice(0, 1_000) })}
        onArrowDown={enterList}
        meta={isSearching ? 'searching' : undefined}
      />
      <FilterChip
        label="Method"
        chosen={method === undefined ? 'All methods' : visibleText(method)}
        isSet={method !== undefined}
      >
        <MethodChoices entries={entries} method={method} onChange={change} />
      </FilterChip>
      <ChoiceChip
        label="Direction"
        value={direction}
        options={DIRECTIONS}
        onChoose={(value) => change({ direction: value })}
      />
      <label className={clsx('chip traffic-id-field', isText(id) && 'is-set')}>
        Id
        <input
          type="text"
          className="mono ink"
          spellCheck={false}
          autoComplete="off"
          maxLength={1_000}
          value={id}
          onChange={({ currentTarget }) => change({ id: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || id === '') return
            event.preventDefault()
            event.stopPropagation()
            change({ id: '' })
          }}
        />
      </label>
      <Toggle
        label="Errors only"
        isOn={isOnlyErrors}
        onChange={(isOn) => change({ isOnlyErrors: isOn })}
      />
      <Toggle label="Show pairs" isOn={isPaired} onChange={(isOn) => change({ isPaired: isOn })} />
      {isNarrow && (
        <Button variant="quiet" size="small" onClick={() => change({ ...ALL_MESSAGES, isPaired })}>
          Show all
        </Button>
      )}
      <span className="hide-narrow num soft nowrap to-end" aria-live={isNarrow ? 'polite' : 'off'}>
        {isRead && countWords(shown.length, entries.length)}
      </span>
    </div>
  )
}
