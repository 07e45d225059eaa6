import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import type { StartPolicy } from '../../../../src-shared/domain/tool-choice'
import { serverActions } from '../../../server-parts/server-actions'
import { useServerTools } from '../../../stores/tools-store'
import { Segmented } from '../../../ui/controls/segmented'

const POLICIES = [
  { value: 'withApp', label: 'With Patchbay' },
  { value: 'onFirstUse', label: 'On first use' },
  { value: 'byHand', label: 'By hand' },
] as const
const SENTENCE: Readonly<Record<StartPolicy, string>> = {
  withApp: 'It runs as long as Patchbay does.',
  onFirstUse: 'Agents see the tools of its last list, and the first call of one of them starts it.',
  byHand: 'Only you start it. A call of its tools fails while it does not run.',
}

/** When a server starts, as a choice that counts from the next start on. */
export function StartPolicyChoice({
  server: { installationId, enabled },
}: {
  readonly server: ServerView
}): JSX.Element | null {
  const starts = useServerTools(installationId)?.starts
  if (starts === undefined) return null
  return (
    <div className="facts stack at-base faint">
      <span id="start-policy-label">Starts</span>
      <div>
        <Segmented
          label="Starts"
          value={starts}
          options={POLICIES}
          aria-describedby="start-policy-hint"
          onValueChange={(next) => void serverActions.setStarts(installationId, next)}
        />
        <p id="start-policy-hint" className="above-1 soft small">
          {enabled ? SENTENCE[starts] : 'While it is disabled, only you start it.'}
        </p>
      </div>
    </div>
  )
}
