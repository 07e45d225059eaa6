import './trial-frame.css'

import { Copy } from 'lucide-react'
import type { JSX, ReactNode, RefObject } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Trial, TrialRequest } from '../../src-shared/domain/agents/trial'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { QuestionHere } from '../question-parts/question-here'
import {
  cancelTrial,
  isKeptWhole,
  sentBy,
  startTrial,
  useHistory,
  useTrial,
} from '../stores/trial-store'
import { Button } from '../ui/controls/button'
import { StatusGlyph } from '../ui/marks/status-glyph'
import { showToast } from '../ui/overlays/toast'
import { copyText } from '../ui/saving/copy-text'
import { formatDuration } from '../ui/text/format'
import { useDeadline } from './deadline'
import { asJsonRpc, outcomeWord } from './messages'
import { NotRunning } from './not-running'
import { ResultView } from './results/result-view'
import { TrialBar, TrialRunning } from './trial-bar'
import { TrialHistory } from './trial-history'
import { leaveField, trialKeys } from './trial-keys'
import { useTrialEnd } from './use-trial-end'

const REPLACED = 'Your input was replaced with the arguments of this run.'
const NOT_WHOLE = 'Not sent. Secrets of this run aren’t stored, so fill them in and try again.'

/** What a page that tries something gives its frame. */
export type TrialFrameProps = {
  readonly server: ServerView
  /** On the button: "Call", "Read", "Render". */
  readonly verb: string
  readonly method: TrialRequest['method']
  /** What the history is of: the name or address that is tried; missing for all of the method. */
  readonly target?: string | undefined
  /** Makes the request of what is filled in; undefined where that does not fit, which the page then shows. */
  readonly makeRequest: () => TrialRequest | undefined
  /** What is filled in is on its way. */
  readonly onSent?: (() => void) | undefined
  /**
   * Fills in what an earlier trial sent, and returns the way back where that replaces what was typed and not sent;
   * missing where there is nothing to fill in.
   */
  readonly onOpen?: ((request: TrialRequest) => (() => void) | undefined) | undefined
  /** Where a resource that a result names is read. */
  readonly onOpenResource?: ((uri: string) => void) | undefined
  /** Sends once more whenever it is another one, as when what was read has changed; missing sends nothing. */
  readonly round?: number | undefined
  /** Warnings beside the button. */
  readonly aside?: ReactNode
  /** What is filled in before the button. */
  readonly children?: ReactNode
}

/** The trial that the frame shows: the one that was opened or begun last, else the newest. */
function useShown(props: TrialFrameProps): {
  readonly trials: readonly Trial[]
  readonly trialId: string | undefined
  readonly show: (trialId: string) => void
} {
  const { server, method, target } = props
  const trials = useHistory(server.installationId, method, target)
  const [opened, setOpened] = useState<string | undefined>(undefined)
  const isKnown = trials.some(({ trialId }) => trialId === opened)
  const newest = target === undefined ? undefined : trials[0]?.trialId
  return { trials, trialId: isKnown ? opened : newest, show: setOpened }
}

function Outcome({
  trial,
  place,
  onOpenResource,
}: {
  readonly trial: Trial
  readonly place: RefObject<HTMLElement | null>
  readonly onOpenResource: TrialFrameProps['onOpenResource']
}): JSX.Element {
  const { word, mark } = outcomeWord(trial)
  return (
    <section ref={place} className="trial-result stack gap-2 slim" aria-label="Result">
      <div className="row gap-2 tall below-1">
        <StatusGlyph status={mark} />
        <h2>{word}</h2>
        {trial.durationMs !== undefined && (
          <span className="num faint">{formatDuration(trial.durationMs)}</span>
        )}
      </div>
      <ResultView
        key={trial.trialId}
        trial={trial}
        {...(onOpenResource === undefined ? {} : { onOpenResource })}
      />
    </section>
  )
}

/** Sends once for each round but none, after what is on its way. */
function useRounds(round: number | undefined, isRunning: boolean, send: () => void): void {
  const last = useRef<number>(undefined)
  const begin = useEffectEvent(send)
  useEffect(() => {
    if (round === undefined || isRunning || last.current === round) return
    last.current = round
    begin()
  }, [round, isRunning])
}

function CopyButton({ makeRequest }: Pick<TrialFrameProps, 'makeRequest'>): JSX.Element {
  const copy = (): void => {
    const request = makeRequest()
    if (request) copyText(asJsonRpc(request), 'Copied the request.')
  }
  return (
    <Button size="form" variant="quiet" icon={Copy} onClick={copy}>
      Copy as JSON-RPC
    </Button>
  )
}

/** What is done with earlier trials: they are shown and filled in, or sent again. */
function useEarlier(
  onOpen: TrialFrameProps['onOpen'],
  show: (trialId: string) => void,
  send: (request: TrialRequest) => void,
): { readonly open: (trial: Trial) => void; readonly runAgain: (trial: Trial) => void } {
  const open = (trial: Trial): void => {
    show(trial.trialId)
    const undo = onOpen?.(sentBy(trial))
    if (undo) showToast({ message: REPLACED, action: { label: 'Undo', onAct: undo } })
  }
  const runAgain = (trial: Trial): void => {
    if (isKeptWhole(trial)) {
      send(sentBy(trial))
      return
    }
    open(trial)
    showToast({ message: NOT_WHOLE, tone: 'error' })
  }
  return { open, runAgain }
}

/**
 * What all that can be tried shares: the form as children, below it the button with deadline, progress, time and
 * cancel, a question of the server in its place, the result and the history.
 */
export function TrialFrame(props: TrialFrameProps): JSX.Element {
  const { server, verb, makeRequest, onOpen, children, aside, onOpenResource } = props
  const { installationId } = server
  const { trials, trialId, show } = useShown(props)
  const { trial, isRunning } = useTrial(trialId)
  const running = isRunning ? trial : undefined
  const timeoutMs = useDeadline()
  const button = useRef<HTMLButtonElement>(null)
  const [keep] = useState(() => () => button.current?.focus({ preventScroll: true }))
  const result = useRef<HTMLElement>(null)
  const said = useTrialEnd(trial, result, keep)
  const send = (request: TrialRequest): void => {
    if (isRunning) return
    show(startTrial({ installationId, request, timeoutMs }))
  }
  const sendOwn = (): void => {
    const request = isRunning ? undefined : makeRequest()
    if (!request) return
    props.onSent?.()
    send(request)
  }
  useRounds(props.round, isRunning, sendOwn)
  const { open, runAgain } = useEarlier(onOpen, show, send)
  const keys = trialKeys({
    run: () => {
      leaveField(keep)
      sendOwn()
    },
    cancel: isRunning && trialId !== undefined ? () => cancelTrial(trialId) : undefined,
  })
  return (
    // No grid: what sticks in one moves no further than its own row.
    <div className="trial-frame column slim-parts col gap-4 slim" {...keys}>
      <NotRunning server={server} verb={verb} />
      {children}
      <div className="trial-foot ruled-above stack gap-2 surface">
        {aside}
        <TrialBar
          verb={verb}
          running={running}
          buttonRef={button}
          onRun={sendOwn}
          more={<CopyButton makeRequest={makeRequest} />}
        />
        {running && <TrialRunning key={trialId} trial={running} />}
      </div>
      {running && <QuestionHere key={trialId} trialId={running.trialId} onOver={keep} />}
      <p role="status" className="sr" aria-label="Outcome">
        {said}
      </p>
      {trial?.outcome && <Outcome trial={trial} place={result} onOpenResource={onOpenResource} />}
      <TrialHistory
        installationId={installationId}
        trials={trials}
        shownId={trialId}
        onOpen={open}
        onRunAgain={runAgain}
      />
    </div>
  )
}
