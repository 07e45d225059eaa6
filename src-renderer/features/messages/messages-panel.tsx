import './messages.css'

import clsx from 'clsx'
import type { JSX, KeyboardEvent, ReactNode } from 'react'
import { useCallback, useMemo, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Button } from '../../ui/controls/button'
import { useKeptFocus } from '../../ui/focus/use-kept-focus'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { problemWords } from '../../ui/text/problem-messages'
import { MessageDetail } from './detail/message-detail'
import { type MessagePair, otherHalf, pairOf } from './detail/message-pair'
import { noMessagesWords } from './detail/messages'
import { rowAt, rowsOf } from './list-rows'
import { MessageActions } from './message-actions'
import { MessageBar } from './message-bar'
import { type Goal, MessageList } from './message-list'
import { messageLogOf, selectMessage, setMessageView } from './message-store'
import { ALL_MESSAGES, shownEntries } from './message-view'
import { readMessages } from './read-messages'
import { useCallFromAddress } from './use-call-from-address'
import { type ShownMessages, useMessages } from './use-messages'

function Failed({ server, messageLog }: PartProps): JSX.Element | null {
  const { problem, found, isRead } = messageLog.known
  const read = () => void readMessages(server.installationId)
  if (problem && !isRead)
    return <ProblemState title="Can’t load messages" problem={problem} onRetry={read} />
  if (problem)
    return (
      <Banner severity="warn" topic={problem.code} action={<Button onClick={read}>Refresh</Button>}>
        {`The list may be outdated. ${problemWords(problem)}`}
      </Banner>
    )
  if (!found?.problem) return null
  return (
    <Banner severity="warn" topic={found.problem.code}>
      {`Can’t search messages. ${problemWords(found.problem)}`}
    </Banner>
  )
}

function Blank({ server, messageLog }: PartProps): JSX.Element {
  const { entries, isRead } = messageLog.known
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
  return <BlankState art="waiting" title="No messages yet" message={noMessagesWords(server)} />
}

type PartProps = { readonly server: ServerView; readonly messageLog: ShownMessages }

/** Makes a message visible in the list: by whole pairs where its other half is shown, else by no filter. */
function reveal(installationId: string, seq: number): void {
  const { entries, view, found } = messageLogOf(installationId)
  const isShown = (isPaired: boolean): boolean => {
    const shown = shownEntries(entries, { ...view, isPaired }, found)
    return rowAt(rowsOf(shown, entries), seq) !== undefined
  }
  if (isShown(view.isPaired)) return
  setMessageView(installationId, isShown(true) ? { isPaired: true } : ALL_MESSAGES)
}

function Body({ server, messageLog }: PartProps): JSX.Element {
  const { installationId, name } = server
  const { known, rows } = messageLog
  const { entries, selected } = known
  const pair = useMemo<MessagePair | undefined>(
    () => (selected === undefined ? undefined : pairOf(entries, selected)),
    [entries, selected],
  )
  const isEmpty = rows.length === 0
  // The button that shows all messages goes with its press.
  useKeptFocus(isEmpty)
  const other = pair && selected !== undefined ? otherHalf(pair, selected) : undefined
  const select = useCallback((seq: number) => selectMessage(installationId, seq), [installationId])
  const [goal, setGoal] = useState<Goal | undefined>(undefined)
  const go = (seq: number): void => {
    reveal(installationId, seq)
    select(seq)
    setGoal({ seq })
  }
  useCallFromAddress(known, go)
  const close = (): void => {
    selectMessage(installationId, undefined)
    if (selected !== undefined) setGoal({ seq: selected })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || selected === undefined) return
    event.preventDefault()
    close()
  }
  return (
    <div className={clsx('traffic-body fill flex', pair && 'has-detail')} onKeyDown={press}>
      {isEmpty ? (
        <Blank server={server} messageLog={messageLog} />
      ) : (
        <MessageList
          name={name}
          messageLog={messageLog}
          other={other}
          goal={goal}
          onSelect={select}
          onOther={() => other !== undefined && go(other)}
        />
      )}
      {pair && selected !== undefined && (
        <MessageDetail
          key={(pair.request ?? pair.answer ?? pair.alone)?.seq}
          {...{ server, pair, selected }}
          onGo={go}
          onClose={close}
        />
      )}
    </div>
  )
}

/** What Patchbay and a server say to each other: live, filtered, with each message in full. */
export function MessagesPanel({
  server,
  lead,
}: {
  readonly server: ServerView
  /** Stands first in the bar. */
  readonly lead: ReactNode
}): JSX.Element {
  const { installationId } = server
  const messageLog = useMessages(installationId)
  return (
    <div className="traffic fill col anchor">
      <div className="list-bar row gap-1 fixed ruled">
        {lead}
        <MessageBar installationId={installationId} messageLog={messageLog} />
        <MessageActions server={server} messageLog={messageLog} />
      </div>
      <Failed server={server} messageLog={messageLog} />
      {(messageLog.known.isRead || !messageLog.known.problem) && (
        <Body server={server} messageLog={messageLog} />
      )}
    </div>
  )
}
