import { Play } from 'lucide-react'
import {
  type JSX,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react'
import { create } from 'zustand'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { useNow } from '../../stores/app-store'
import { cancelToolRun, useToolRunProgress } from '../../stores/tool-run-store'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/choice'
import { KeyCap } from '../../ui/marks/key-cap'
import { formatWhole } from '../../ui/text/format'
import { progressText } from './messages'

/** Maximum time of a run without a response or progress, in ms; undefined for the server's call limit. */
export const DEADLINES = [
  { value: undefined, label: 'Default' },
  { value: 5_000, label: '5 s' },
  { value: 15_000, label: '15 s' },
  { value: 60_000, label: '1 min' },
  { value: 300_000, label: '5 min' },
  { value: 3_600_000, label: '1 hour' },
] as const

/** The deadline for all runs of this window; undefined for the server's call limit. */
export const useDeadline = create<{ readonly deadlineMs?: number | undefined }>(() => ({}))

/** Interval between progress announcements to screen readers, in ms. */
const ANNOUNCE_MS = 5_000

function Elapsed({ from }: { readonly from: number }): JSX.Element {
  const now = useNow(500)
  return <span className="text-muted tabular-nums">{formatWhole(Math.max(0, now - from))}</span>
}

/** Returns the newest text, throttled for screen readers; empty at first. */
function useThrottledText(text: string): string {
  const [announced, setAnnounced] = useState('')
  const newest = useEffectEvent(() => setAnnounced(`Progress: ${text}`))
  useEffect(() => {
    const timer = setInterval(() => newest(), ANNOUNCE_MS)
    return () => clearInterval(timer)
  }, [])
  return announced
}

/** The progress of a run: elapsed time and the newest step that the server reported. */
export function ToolRunProgressBar({ toolRun }: { readonly toolRun: ToolRun }): JSX.Element {
  const progress = useToolRunProgress(toolRun.toolRunId)
  const total = progress?.total
  const hasTotal = progress !== undefined && total !== undefined && total > 0
  const text = progress === undefined ? 'Waiting for the server…' : progressText(progress)
  const announcement = useThrottledText(text)
  return (
    <div className="flex flex-wrap items-center gap-3 gap-y-1">
      <progress
        className="tool-run-progress meter h-1.5 flex-[0_1_16rem] appearance-none gap-px overflow-hidden rounded-full bg-press"
        aria-label="Progress"
        {...(hasTotal && { value: Math.min(progress.progress, total), max: total })}
      />
      <Elapsed from={toolRun.startedAt} />
      <p className="min-w-0 flex-1 wrap-anywhere text-muted">{text}</p>
      <p role="status" aria-label="Step" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}

/** The send button with its deadline, and during a run the cancel button. */
export function ToolRunBar(props: {
  readonly verb: string
  readonly running: ToolRun | undefined
  readonly buttonRef: Ref<HTMLButtonElement>
  readonly onRun: () => void
  readonly more?: ReactNode
}): JSX.Element {
  const { verb, running, buttonRef, onRun, more } = props
  const id = useId()
  const { deadlineMs } = useDeadline()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        ref={buttonRef}
        variant="primary"
        size="form"
        icon={Play}
        busy={running !== undefined}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onClick={onRun}
      >
        {verb}
      </Button>
      {running !== undefined && (
        <Button
          size="form"
          aria-keyshortcuts="Escape"
          onClick={() => cancelToolRun(running.toolRunId)}
        >
          Cancel
        </Button>
      )}
      {running === undefined && (
        <span className="inline-flex items-center" aria-hidden>
          <KeyCap keys={['Ctrl', 'Enter']} />
        </span>
      )}
      <div className="ms-2 flex flex-wrap items-center gap-2 whitespace-nowrap text-muted">
        <label htmlFor={id}>Timeout</label>
        <Select
          id={id}
          title="Time without a response or progress"
          value={String(deadlineMs)}
          onValueChange={(value) =>
            useDeadline.setState({ deadlineMs: value === 'undefined' ? undefined : Number(value) })
          }
          options={DEADLINES.map(({ value, label }) => ({ value: String(value), label }))}
        />
      </div>
      <span className="min-w-0 flex-1" />
      {more}
    </div>
  )
}
