import './vet.css'

import { CheckCircle2, CircleDashed, LoaderCircle } from 'lucide-react'
import type { JSX } from 'react'

import type { VetGroup, VetReport } from '../../../src-shared/domain/vet/vet-report'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { useRequest } from '../../ipc/use-request'

const PROGRESS_MS = 500

/** How far a check is, by group. */
export function VetProgressView(props: {
  readonly subject: RequestInput<'vet.progress'>
}): JSX.Element {
  const { subject } = props
  const { value } = useRequest('vet.progress', subject, { everyMs: PROGRESS_MS })
  const { done = 0, of = 1, group, groups = [] } = value ?? {}
  return (
    <div className="grid gap-4">
      <div className="grid gap-2" role="status">
        <p>
          {group === undefined ? 'Starting the server' : GROUP_LABELS[group]}
          <span className="text-faint tabular-nums">
            {' '}
            {value ? `${String(done)} of ${String(of)}` : ''}
          </span>
        </p>
        <progress
          className="vet-progress w-full appearance-none bg-press"
          max={of}
          value={done}
          aria-label="Checks done"
        />
      </div>
      <ul className="grid gap-2">
        {groups.map((one) => {
          const isRunning = one.group === group
          const Icon = one.done === one.of ? CheckCircle2 : isRunning ? LoaderCircle : CircleDashed
          return (
            <li
              key={one.group}
              className="flex items-center gap-2"
              aria-current={isRunning ? 'step' : undefined}
            >
              <Icon
                className={isRunning ? 'icon spin flex-none' : 'icon flex-none text-faint'}
                aria-hidden
              />
              <span className={isRunning ? 'font-medium' : 'text-muted'}>
                {GROUP_LABELS[one.group]}
              </span>
              <span className="text-small text-faint tabular-nums">
                {one.done} of {one.of}
              </span>
            </li>
          )
        })}
      </ul>
      <p className="text-muted">
        The server is started a few times.
        {'installationId' in subject && ' The one that your apps use goes on.'}
      </p>
    </div>
  )
}

export const GROUP_LABELS: Readonly<Record<VetGroup, string>> = {
  package: 'Package',
  start: 'Start',
  protocol: 'Protocol',
  tools: 'Tools for models',
  errors: 'Errors',
  end: 'End',
  reach: 'Reach',
  secrets: 'Secrets',
}

export type ReportChange = {
  readonly id: string
  readonly title: string
  readonly kind: 'new' | 'fixed' | 'changed'
}

/** Checks that found something in one of two reports, or something else in each; those that were not done in one are ignored. */
export function changesBetween(before: VetReport, after: VetReport): ReportChange[] {
  const earlier = new Map(before.checks.map((check) => [check.id, check]))
  return after.checks.flatMap(({ id, title, outcome, findings }): ReportChange[] => {
    const was = earlier.get(id)
    if (!was || outcome === 'notChecked' || was.outcome === 'notChecked') return []
    if (outcome !== was.outcome) return [{ id, title, kind: outcome === 'found' ? 'new' : 'fixed' }]
    const texts = (list: typeof findings): string => list.map(({ message }) => message).join('\n')
    return texts(findings) === texts(was.findings) ? [] : [{ id, title, kind: 'changed' }]
  })
}
