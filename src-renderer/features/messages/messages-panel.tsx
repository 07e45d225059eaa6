import './messages.css'

import clsx from 'clsx'
import { Download, Eraser, Pause, Play } from 'lucide-react'
import {
  type JSX,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useSearch } from 'wouter'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useAction } from '../../ipc/use-request'
import { Button, IconButton } from '../../ui/controls/button'
import { MenuChoices } from '../../ui/controls/menu'
import { SearchField } from '../../ui/controls/search-field'
import { ChoiceChip, FilterChip } from '../../ui/filters/filter-chip'
import { useKeptFocus } from '../../ui/focus/restore-focus'
import { Banner, BlankState, Skeleton } from '../../ui/layout/page'
import { ListProblem } from '../../ui/layout/problem-state'
import { enterList } from '../../ui/list/virtual-list'
import { ConfirmDialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { fileName, saveText } from '../../ui/saving/save-text'
import { counted, formatCount, problemText } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { MessageDetail } from './detail/message-detail'
import { countText, exportNote, noMessagesText } from './detail/messages'
import { counterpartOf, type MessagePair, pairOf, rowAt, rowsOf } from './list-rows'
import {
  ALL_MESSAGES,
  asFilter,
  isNarrowed,
  isText,
  type MessageView,
  methodCounts,
  shownEntries,
} from './message-filter'
import { type Goal, MessageList } from './message-list'
import { setMessages, setMessageView, type ShownMessages, useMessages } from './use-messages'

const DIRECTIONS = [
  { value: 'all', label: 'Both directions' },
  { value: 'sent', label: 'To server' },
  { value: 'received', label: 'From server' },
] as const satisfies readonly { value: MessageView['direction']; label: string }[]

/** Value of the option for all methods; no method is empty. */
const EVERY = ''

type Change = (change: Partial<MessageView>) => void

/** The method options, computed when the menu opens, because counting all messages takes a moment. */
function MethodChoices(props: {
  readonly entries: readonly MessageEntry[]
  readonly method: string | undefined
  readonly onChange: Change
}): JSX.Element {
  const { entries, method, onChange } = props
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

function Toggle(props: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}): JSX.Element {
  const { label, isOn, onChange } = props
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {label}
    </button>
  )
}

function MessageBar(props: {
  readonly installationId: string
  readonly messageLog: ShownMessages
}): JSX.Element {
  const { installationId, messageLog } = props
  const { view, found: matches, entries, isRead, shown } = messageLog
  const { method, direction, isOnlyErrors, isPaired, id } = view
  const change: Change = (part) => setMessageView(installationId, part)
  const isSearching = isText(view.text) && matches?.text !== view.text
  const isNarrow = isNarrowed(view)
  // The button that clears the filters disappears when pressed.
  useKeptFocus(isNarrow)
  return (
    <div
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 gap-y-1"
      role="toolbar"
      aria-label="Filters"
    >
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
      <label className={clsx('chip messages-id-field', isText(id) && 'is-set')}>
        Id
        <input
          type="text"
          className="mono text-foreground"
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
      <span
        className="hide-narrow ms-auto whitespace-nowrap text-muted tabular-nums"
        aria-live={isNarrow ? 'polite' : 'off'}
      >
        {isRead && countText(shown.length, entries.length)}
      </span>
    </div>
  )
}

function Blank({ server, messageLog }: PartProps): JSX.Element {
  const { entries, isRead } = messageLog
  if (entries.length > 0)
    return (
      <BlankState
        art="open"
        title="No matching messages"
        message="Change or clear the search and filters."
        action={
          <Button onClick={() => setMessageView(server.installationId, ALL_MESSAGES)}>
            Show all messages
          </Button>
        }
      />
    )
  if (!isRead) return <Skeleton label="Loading messages" rows={6} />
  return <BlankState art="waiting" title="No messages yet" message={noMessagesText(server)} />
}

type PartProps = { readonly server: ServerView; readonly messageLog: ShownMessages }

/** Makes a message visible in the list: shows whole pairs if that is enough, else clears the filters. */
function reveal({ server, messageLog }: PartProps, seq: number): void {
  const { entries, view, found: matches } = messageLog
  const isShown = (isPaired: boolean): boolean => {
    const shown = shownEntries(entries, { ...view, isPaired }, matches)
    return rowAt(rowsOf(shown, entries), seq) !== undefined
  }
  if (isShown(view.isPaired)) return
  setMessageView(server.installationId, isShown(true) ? { isPaired: true } : ALL_MESSAGES)
}

function Body({ server, messageLog }: PartProps): JSX.Element {
  const { entries, rows, selected, select } = messageLog
  const pair = useMemo<MessagePair | undefined>(
    () => (selected === undefined ? undefined : pairOf(entries, selected)),
    [entries, selected],
  )
  const isEmpty = rows.length === 0
  // The button that shows all messages disappears when pressed.
  useKeptFocus(isEmpty)
  const counterpart = pair && selected !== undefined ? counterpartOf(pair, selected) : undefined
  const [goal, setGoal] = useState<Goal | undefined>(undefined)
  const selectMessage = (seq: number): void => {
    reveal({ server, messageLog }, seq)
    select(seq)
    setGoal({ seq })
  }
  useCallFromAddress(messageLog, selectMessage)
  const close = (): void => {
    select(undefined)
    if (selected !== undefined) setGoal({ seq: selected })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || selected === undefined) return
    event.preventDefault()
    close()
  }
  return (
    <div
      className={clsx('messages-body flex min-h-0 flex-1', pair && 'has-detail')}
      onKeyDown={press}
    >
      {isEmpty ? (
        <Blank server={server} messageLog={messageLog} />
      ) : (
        <MessageList
          name={server.name}
          messageLog={messageLog}
          other={counterpart}
          goal={goal}
          onOther={() => counterpart !== undefined && selectMessage(counterpart)}
        />
      )}
      {pair && selected !== undefined && (
        <MessageDetail
          key={(pair.request ?? pair.answer ?? pair.alone)?.seq}
          {...{ server, pair, selected }}
          onGo={selectMessage}
          onClose={close}
        />
      )}
    </div>
  )
}

/** The messages between Patchbay and a server: live, filtered, with each message in full. */
export function MessagesPanel(props: {
  readonly server: ServerView
  /** First element of the bar. */
  readonly lead: ReactNode
}): JSX.Element {
  const { server, lead } = props
  const { installationId } = server
  const messageLog = useMessages(installationId)
  const { problem, findProblem, isRead } = messageLog
  return (
    <div className="messages relative flex min-h-0 flex-1 flex-col">
      <div className="list-bar flex flex-none items-center gap-1 border-b border-line">
        {lead}
        <MessageBar installationId={installationId} messageLog={messageLog} />
        <MessageActions server={server} messageLog={messageLog} />
      </div>
      {problem && (
        <ListProblem
          title="Can’t load messages"
          problem={problem}
          isShown={isRead}
          onRetry={messageLog.read}
        />
      )}
      {!problem && findProblem && (
        <Banner severity="warn" topic={findProblem.code}>
          {`Can’t search messages. ${problemText(findProblem)}`}
        </Banner>
      )}
      {(isRead || !problem) && <Body server={server} messageLog={messageLog} />}
    </div>
  )
}

/** Returns the first request with the call's method and target during the call; undefined if it is no longer stored. */
export function requestOfCall(
  entries: readonly MessageEntry[],
  address: URLSearchParams,
): MessageEntry | undefined {
  const [from, to] = ['from', 'to'].map((name) => Number(address.get(name)))
  const [method, target] = ['method', 'target'].map((name) => address.get(name))
  return entries.find(
    (entry) =>
      entry.kind === 'request' &&
      entry.method === method &&
      // A long target is stored truncated.
      target?.startsWith(entry.target ?? '') === true &&
      entry.at >= (from ?? 0) &&
      entry.at <= (to ?? 0),
  )
}

/** Opens the request of the call in the page's address once, as soon as the messages are loaded. */
function useCallFromAddress(
  { isRead, entries }: Pick<ShownMessages, 'isRead' | 'entries'>,
  selectMessage: (seq: number) => void,
): void {
  const search = useSearch()
  const lastSelected = useRef('')
  const follow = useEffectEvent(() => {
    const request = requestOfCall(entries, new URLSearchParams(search))
    if (request) selectMessage(request.seq)
    else showToast({ message: 'The messages of this call are no longer stored.' })
  })
  useEffect(() => {
    if (!isRead || search === '' || lastSelected.current === search) return
    lastSelected.current = search
    follow()
  }, [isRead, search])
}

async function exportMessages({ server, messageLog }: PartProps): Promise<void> {
  const { installationId, name } = server
  const filter = asFilter(messageLog.view, messageLog.entries)
  const text = await call('messages.export', { installationId, filter })
  saveText(fileName(`${name} messages`, Date.now(), 'jsonl'), text.text)
  const message = exportNote(text)
  if (message !== undefined) showToast({ message })
}

async function clearMessages({ clear, select }: ShownMessages): Promise<void> {
  await clear()
  select(undefined)
  showToast({ message: 'Messages cleared.' })
}

function MessageActions(props: PartProps): JSX.Element {
  const { server, messageLog } = props
  const { isPaused, entries, shown } = messageLog
  const exporting = useAction(() => attempt(exportMessages(props)))
  const [isClearing, setIsClearing] = useState(false)
  return (
    <>
      <IconButton
        small
        icon={isPaused ? Play : Pause}
        label={isPaused ? 'Resume' : 'Pause'}
        className={isPaused ? 'is-on' : undefined}
        onClick={() => setMessages(server.installationId, { isPaused: !isPaused })}
      />
      <IconButton
        small
        icon={Download}
        label="Export messages"
        disabled={shown.length === 0 || exporting.isBusy}
        onClick={() => exporting.run()}
      />
      <IconButton
        small
        icon={Eraser}
        label="Clear messages"
        disabled={entries.length === 0}
        onClick={() => setIsClearing(true)}
      />
      {isClearing && (
        <ConfirmDialog
          title="Clear messages?"
          description={`Deletes ${counted(entries.length, 'message')} of ${server.name}, regardless of filters. The server keeps running.`}
          confirmLabel="Clear messages"
          onConfirm={() => attempt(clearMessages(messageLog))}
          focusAfterId="main"
          onClose={() => setIsClearing(false)}
        />
      )}
    </>
  )
}
