import './vet.css'

import { CheckCircle2, CircleDashed, LoaderCircle } from 'lucide-react'
import type { JSX } from 'react'

import type { VetProgress } from '../../../src-shared/domain/vet/vet-report'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { useRequest } from '../../ipc/use-request'
import { GROUP_LABELS } from './vet-changes'

const PROGRESS_MS = 500

function GroupProgress({
  progress,
  isRunning,
}: {
  readonly progress: VetProgress['groups'][number]
  readonly isRunning: boolean
}): JSX.Element {
  const { group, done, of } = progress
  const Icon = done === of ? CheckCircle2 : isRunning ? LoaderCircle : CircleDashed
  return (
    <li className="row gap-2" aria-current={isRunning ? 'step' : undefined}>
      <Icon className={isRunning ? 'icon fixed spin' : 'icon fixed faint'} aria-hidden />
      <span className={isRunning ? 'medium' : 'soft'}>{GROUP_LABELS[group]}</span>
      <span className="faint small num">
        {done} of {of}
      </span>
    </li>
  )
}

/** How far a check is, by group. */
export function VetProgressView({
  subject,
}: {
  readonly subject: RequestInput<'vet.progress'>
}): JSX.Element {
  const { value } = useRequest('vet.progress', subject, { everyMs: PROGRESS_MS })
  const { done = 0, of = 1, group, groups = [] } = value ?? {}
  return (
    <div className="stack gap-4">
      <div className="stack gap-2" role="status">
        <p>
          {group === undefined ? 'Starting the server' : GROUP_LABELS[group]}
          <span className="faint num"> {value ? `${String(done)} of ${String(of)}` : ''}</span>
        </p>
        <progress className="vet-progress" max={of} value={done} aria-label="Checks done" />
      </div>
      <ul className="vet-groups stack gap-2">
        {groups.map((one) => (
          <GroupProgress key={one.group} progress={one} isRunning={one.group === group} />
        ))}
      </ul>
      <p className="soft">
        The server is started a few times.
        {'installationId' in subject && ' The one that your apps use goes on.'}
      </p>
    </div>
  )
}
