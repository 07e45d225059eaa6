import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import type { StartPolicy } from '../../../../src-shared/domain/tool-choice'
import { serverActions } from '../../../components/server/server-actions'
import { useServerTools } from '../../../stores/tools-store'
import { Segmented } from '../../../ui/controls/segmented'

const POLICIES = [
  { value: 'withApp', label: 'At launch' },
  { value: 'onFirstUse', label: 'On demand' },
  { value: 'byHand', label: 'Manually' },
] as const
const SENTENCE: Readonly<Record<StartPolicy, string>> = {
  withApp: 'Runs while Patchbay is open.',
  onFirstUse: 'Agents see the tools from the last start. The first call starts the server.',
  byHand: 'Only you start the server. Tool calls fail while the server is stopped.',
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
          {enabled
            ? SENTENCE[starts]
            : 'A server that is turned off starts only when you start it.'}
        </p>
      </div>
    </div>
  )
}
