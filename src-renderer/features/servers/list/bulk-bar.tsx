import { type JSX, useState } from 'react'

import { isActive, isWanted } from '../../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions } from '../../../components/server/server-actions'
import { Button } from '../../../ui/controls/button'
import { showToast } from '../../../ui/overlays/toast'
import { counted, formatCount } from '../../../ui/text/format'

/** What can be asked of several servers at once. */
type BulkAct = 'start' | 'stop' | 'restart' | 'enable' | 'disable'

type Chosen = Pick<ServerView, 'installationId' | 'status' | 'enabled'>

/** The words of each: on its button, and of what is done. */
const BULK_WORDS: Readonly<Record<BulkAct, { readonly label: string; readonly done: string }>> = {
  start: { label: 'Start', done: 'starting' },
  stop: { label: 'Stop', done: 'stopping' },
  restart: { label: 'Restart', done: 'restarting' },
  enable: { label: 'Turn on', done: 'turned on' },
  disable: { label: 'Turn off', done: 'turned off' },
}

/** The servers for which an act changes something. */
export function concerned<S extends Chosen>(servers: readonly S[], act: BulkAct): S[] {
  return servers.filter(({ status, enabled }) => {
    switch (act) {
      case 'start':
        return !isActive(status)
      case 'stop':
        return isWanted(status)
      case 'restart':
        return isActive(status) && status.kind !== 'stopping'
      case 'enable':
        return !enabled
      case 'disable':
        return enabled
    }
  })
}

const SEND: Readonly<Record<BulkAct, (installationId: string) => Promise<boolean>>> = {
  start: serverActions.start,
  stop: serverActions.stop,
  restart: serverActions.restart,
  enable: (installationId) => serverActions.setEnabled(installationId, true),
  disable: (installationId) => serverActions.setEnabled(installationId, false),
}

/** Asks one after the other; tells after each how many were asked, and in the end which main took. */
export async function runBulk(
  ids: readonly string[],
  act: BulkAct,
  onProgress: (count: number) => void,
): Promise<readonly string[]> {
  const done: string[] = []
  for (const [index, id] of ids.entries()) {
    if (await SEND[act](id)) done.push(id)
    onProgress(index + 1)
  }
  return done
}

/** What takes an act back; only switching on and off can be. */
export function undoOf(act: BulkAct): BulkAct | undefined {
  if (act === 'enable') return 'disable'
  return act === 'disable' ? 'enable' : undefined
}

const ACTS = ['start', 'stop', 'restart', 'enable', 'disable'] as const satisfies readonly BulkAct[]

type BulkBarProps = {
  readonly chosen: readonly ServerView[]
  /** Asks before they are removed. */
  readonly onRemove: () => void
  readonly onClear: () => void
}

/** What can be done with the servers that are chosen, and how far it is. */
export function BulkBar({ chosen, onRemove, onClear }: BulkBarProps): JSX.Element {
  const [running, setRunning] = useState<{ act: BulkAct; done: number; all: number } | null>(null)
  const run = async (act: BulkAct, ids: readonly string[]): Promise<void> => {
    setRunning({ act, done: 0, all: ids.length })
    const done = await runBulk(ids, act, (count) =>
      setRunning({ act, done: count, all: ids.length }),
    )
    setRunning(null)
    const back = undoOf(act)
    // What a start or a stop does is seen in the rows.
    if (back === undefined || done.length === 0) return
    showToast({
      message: `${counted(done.length, 'server')} ${BULK_WORDS[act].done}.`,
      action: { label: 'Undo', onAct: () => void runBulk(done, back, () => undefined) },
    })
  }
  return (
    <div
      className="bulk-bar sticks row wrap gap-2 pad-row below-3 box subtle"
      role="group"
      aria-label="Selected servers"
    >
      <span className="num medium" role="status">
        {running
          ? `${formatCount(running.done)} of ${formatCount(running.all)} ${BULK_WORDS[running.act].done}`
          : `${formatCount(chosen.length)} selected`}
      </span>
      {ACTS.map((act) => {
        const ids = concerned(chosen, act).map(({ installationId }) => installationId)
        return (
          <Button
            key={act}
            size="small"
            busy={running?.act === act}
            aria-disabled={ids.length === 0 || undefined}
            onClick={() => {
              if (ids.length > 0 && running === null) void run(act, ids)
            }}
          >
            {BULK_WORDS[act].label}
          </Button>
        )
      })}
      <Button
        size="small"
        variant="danger"
        aria-disabled={running !== null || undefined}
        onClick={running === null ? onRemove : undefined}
      >
        Remove…
      </Button>
      <span className="grow" />
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  )
}
