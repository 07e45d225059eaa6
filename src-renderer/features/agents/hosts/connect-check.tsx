import type { JSX } from 'react'
import { useEffect, useRef, useState } from 'react'

import type { HostView } from '../../../../src-shared/domain/agents/host'
import { ask } from '../../../host-parts/ask'
import { useAgent, useAgents } from '../../../host-parts/use-agents'
import type { Connected } from '../../../host-parts/use-connecting'
import { useApp } from '../../../stores/app-store'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { showToast } from '../../../ui/overlays/toast'
import { formatWhole } from '../../../ui/text/elapsed'
import { visibleText } from '../../../ui/text/visible-text'
import { GatewayLine } from '../endpoint/gateway-line'
import { type Check, checkOf, lateAdvice } from './check-words'

const GLYPH = { waiting: 'starting', late: 'degraded', listed: 'ready' } as const

function Advice({ host }: { readonly host: HostView }): JSX.Element {
  const ownCommand = useApp(({ app }) => app?.info.ownCommand.words) ?? []
  const isMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  return (
    <ul className="marked stack gap-1 soft break" aria-label="What to try">
      {lateAdvice({ hostName: host.name, reload: host.reload, ownCommand, isMemory }).map(
        (advice) => (
          <li key={advice}>{advice}</li>
        ),
      )}
    </ul>
  )
}

/** The state of the check in its words, spoken when it changes; how long it lasts is not. */
function CheckLine({
  check: { kind, sentence },
  waitedMs,
}: {
  readonly check: Check
  readonly waitedMs: number
}): JSX.Element {
  const line = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone: whoever uses the keyboard goes on from here.
  useEffect(() => line.current?.focus(), [])
  return (
    <div ref={line} className={`well box pad-3 row gap-3 is-${GLYPH[kind]}`} tabIndex={-1}>
      <StatusGlyph status={GLYPH[kind]} large />
      <div className="grow" role="status">
        {sentence}
      </div>
      {kind !== 'listed' && (
        <span className="num faint" aria-hidden>
          {formatWhole(waitedMs)}
        </span>
      )}
    </div>
  )
}

/** Waits until the app that was connected lists its tools, with what makes it do so, and a way back. */
export function ConnectCheck({
  host,
  connected: { agentId, change },
  onClose,
}: {
  readonly host: HostView
  readonly connected: Connected
  readonly onClose: () => void
}): JSX.Element {
  const agent = useAgent(agentId)
  const gateway = useAgents()?.gateway
  const [from] = useState(() => Date.now())
  const [isBusy, setIsBusy] = useState(false)
  const waitedMs = useNow(1_000) - from
  const path = visibleText(change.path)
  const check: Check = agent
    ? checkOf(agent, change.at, waitedMs)
    : { kind: 'late', sentence: 'The agent is not here any more.' }
  const undo = async (): Promise<void> => {
    setIsBusy(true)
    const done = await ask('hosts.undo', { changeId: change.changeId })
    setIsBusy(false)
    if (!done) return
    showToast({ message: `${path} is as it was.` })
    onClose()
  }
  return (
    <>
      <div className="stack gap-4 above-4">
        <p>
          The entry is in <code>{path}</code>. {check.kind === 'waiting' && host.reload}
        </p>
        <CheckLine check={check} waitedMs={waitedMs} />
        {check.kind === 'late' && <Advice host={host} />}
        {gateway?.kind === 'failed' && <GatewayLine status={gateway} />}
      </div>
      <div className="actions flex gap-2">
        <Button size="form" busy={isBusy} onClick={() => void undo()}>
          Undo
        </Button>
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
