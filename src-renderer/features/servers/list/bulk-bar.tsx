import type { JSX } from 'react'
import { useState } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { Button } from '../../../ui/controls/button'
import { showToast } from '../../../ui/overlays/toast'
import { counted, formatCount } from '../../../ui/text/format'
import { BULK_WORDS, type BulkAct, concerned, runBulk, undoOf } from './bulk-acts'

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
