import { type JSX, useEffect, useRef, useState } from 'react'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import type { HostView } from '../../../../src-shared/domain/agents/host'
import { shortPath } from '../../../components/app/file-messages'
import { type Connected, useAgent, useAgents } from '../../../components/app/use-connecting'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/show-failure'
import { useAction } from '../../../ipc/use-request'
import { useApp, useNow } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { showToast } from '../../../ui/overlays/toast'
import { counted, formatWhole } from '../../../ui/text/format'
import { GatewayBanner } from '../gateway-banner'

/** Wait in ms after which the app is more likely blocked than slow. */
const LATE_MS = 60_000

type Check = { readonly kind: 'waiting' | 'late' | 'listed'; readonly message: string }

/**
 * Checks whether the app has read its tools since `since` (epoch ms of main). A connected app that read them before counts too. `waitedMs`
 * is the user's wait so far.
 */
export function checkOf(
  agent: Pick<AgentView, 'name' | 'listedAt' | 'exposed' | 'connections'>,
  since: number,
  waitedMs: number,
): Check {
  const { name, listedAt, exposed, connections } = agent
  if (listedAt !== undefined && listedAt >= since)
    return {
      kind: 'listed',
      message: `${name} sees ${counted(exposed, 'tool')}. Read after ${formatWhole(listedAt - since)}.`,
    }
  if (listedAt !== undefined && connections > 0)
    return { kind: 'listed', message: `${name} is connected and sees ${counted(exposed, 'tool')}.` }
  if (waitedMs >= LATE_MS) return { kind: 'late', message: `${name} hasn’t read its tools yet.` }
  return { kind: 'waiting', message: `Waiting for ${name} to read its tools.` }
}

/** Returns what to try if an app doesn't connect; `reload` is how the app reads its file again. */
export function lateAdvice(parts: {
  readonly appName: string
  readonly reload: string
  readonly ownCommand: readonly string[]
  /** Without a keychain the command can't read the key. */
  readonly isMemory: boolean
}): readonly string[] {
  const { appName, reload, ownCommand, isMemory } = parts
  return [
    reload,
    `Check the log of ${appName} for the server patchbay. ${appName} must be able to start ${ownCommand[0] ?? 'patchbay'}.`,
    ...(isMemory
      ? [
          'Without a keychain, the command can’t read the key. Replace the key, then set PATCHBAY_AGENT_KEY to it for the app.',
        ]
      : []),
  ]
}

const GLYPH = { waiting: 'starting', late: 'degraded', listed: 'ready' } as const

function Advice({ host }: { readonly host: Pick<HostView, 'name' | 'reload'> }): JSX.Element {
  const ownCommand = useApp(({ app }) => app?.info.ownCommand.argv) ?? []
  const isMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const advice = lateAdvice({ appName: host.name, reload: host.reload, ownCommand, isMemory })
  return (
    <ul className="marked grid gap-1 wrap-anywhere text-muted" aria-label="Troubleshooting">
      {advice.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

/** Waits until an app reads its tools, with the steps that make the app do so. */
export function ConnectionCheck(props: {
  readonly agentId: string
  readonly host: Pick<HostView, 'name' | 'reload'>
  /** Epoch ms of main. */
  readonly since: number
}): JSX.Element {
  const { agentId, host, since } = props
  const agent = useAgent(agentId)
  const gateway = useAgents()?.gateway
  const [from] = useState(() => Date.now())
  const waitedMs = useNow(1_000) - from
  const line = useRef<HTMLDivElement>(null)
  // The pressed button is gone, so the focus moves here.
  useEffect(() => line.current?.focus(), [])
  const { kind, message }: Check = agent
    ? checkOf(agent, since, waitedMs)
    : { kind: 'late', message: `${host.name} removed.` }
  return (
    <>
      <div
        ref={line}
        className={`flex items-center gap-3 rounded-lg border border-line bg-inset p-3 is-${GLYPH[kind]}`}
        tabIndex={-1}
      >
        <StatusGlyph status={GLYPH[kind]} large />
        <div className="min-w-0 flex-1" role="status">
          {message}
        </div>
        {kind !== 'listed' && (
          <span className="text-faint tabular-nums" aria-hidden>
            {formatWhole(waitedMs)}
          </span>
        )}
      </div>
      {kind === 'waiting' && <p className="text-muted">{host.reload}</p>}
      {kind === 'late' && <Advice host={host} />}
      {gateway && <GatewayBanner status={gateway} />}
    </>
  )
}

/** The second step of connecting: whether the app uses its entry, and an undo. */
export function ConnectCheck(props: {
  readonly host: HostView
  readonly connected: Connected
  readonly onClose: () => void
}): JSX.Element {
  const {
    host,
    connected: { agentId, change },
    onClose,
  } = props
  const home = useApp(({ app }) => app?.info.homeDir)
  const path = shortPath(change.path, home)
  const { isBusy, run } = useAction(async () => {
    const outcome = await attempt(call('hosts.undo', { changeId: change.changeId }))
    if (outcome === 'failed') return
    showToast({ message: `${path} restored.` })
    onClose()
  })
  return (
    <>
      <div className="mt-4 grid gap-4">
        <p>
          Added the entry to <code>{path}</code>.
        </p>
        <ConnectionCheck agentId={agentId} host={host} since={change.at} />
      </div>
      <div className="actions mt-5 flex justify-end gap-2">
        <Button size="form" busy={isBusy} onClick={() => run()}>
          Undo
        </Button>
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
