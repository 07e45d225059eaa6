import './traffic.css'

import clsx from 'clsx'
import type { JSX, KeyboardEvent } from 'react'
import { useCallback, useMemo, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Button } from '../../ui/controls/button'
import { useKeptFocus } from '../../ui/focus/use-kept-focus'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { problemWords } from '../../ui/text/problem-messages'
import { noMessagesWords } from './detail/messages'
import { TrafficDetail } from './detail/traffic-detail'
import { otherHalf, pairOf, type TrafficPair } from './detail/traffic-pair'
import { lookAtTraffic } from './read-traffic'
import { TrafficActs } from './traffic-acts'
import { TrafficBar } from './traffic-bar'
import { type Goal, TrafficList } from './traffic-list'
import { rowAt, rowsOf } from './traffic-rows'
import { selectMessage, setTrafficView, trafficOf } from './traffic-store'
import { ALL_MESSAGES, shownEntries } from './traffic-view'
import { type ShownTraffic, useTraffic } from './use-traffic'

function Failed({ server, traffic }: PartProps): JSX.Element | null {
  const { problem, found, isRead } = traffic.known
  const read = () => void lookAtTraffic(server.installationId)
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

function Blank({ server, traffic }: PartProps): JSX.Element {
  const { entries, isRead } = traffic.known
  if (entries.length > 0)
    return (
      <BlankState
        art="open"
        title="No matching messages"
        message="Change or clear the search and filters."
        action={
          <Button onClick={() => setTrafficView(server.installationId, ALL_MESSAGES)}>
            Show all messages
          </Button>
        }
      />
    )
  if (!isRead) return <Skeleton label="Loading messages" rows={6} />
  return <BlankState art="waiting" title="No messages yet" message={noMessagesWords(server)} />
}

type PartProps = { readonly server: ServerView; readonly traffic: ShownTraffic }

/** Makes a message visible in the list: by whole pairs where its other half is shown, else by no filter. */
function reveal(installationId: string, seq: number): void {
  const { entries, view, found } = trafficOf(installationId)
  const isShown = (isPaired: boolean): boolean => {
    const shown = shownEntries(entries, { ...view, isPaired }, found)
    return rowAt(rowsOf(shown, entries), seq) !== undefined
  }
  if (isShown(view.isPaired)) return
  setTrafficView(installationId, isShown(true) ? { isPaired: true } : ALL_MESSAGES)
}

function Body({ server, traffic }: PartProps): JSX.Element {
  const { installationId, name } = server
  const { known, rows } = traffic
  const { entries, selected } = known
  const pair = useMemo<TrafficPair | undefined>(
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
        <Blank server={server} traffic={traffic} />
      ) : (
        <TrafficList
          name={name}
          traffic={traffic}
          other={other}
          goal={goal}
          onSelect={select}
          onOther={() => other !== undefined && go(other)}
        />
      )}
      {pair && selected !== undefined && (
        <TrafficDetail
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
export function TrafficPanel({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId } = server
  const traffic = useTraffic(installationId)
  return (
    <div className="traffic fill col anchor">
      <div className="list-bar row gap-1 fixed ruled">
        <TrafficBar installationId={installationId} traffic={traffic} />
        <TrafficActs server={server} traffic={traffic} />
      </div>
      <Failed server={server} traffic={traffic} />
      {(traffic.known.isRead || !traffic.known.problem) && (
        <Body server={server} traffic={traffic} />
      )}
    </div>
  )
}
