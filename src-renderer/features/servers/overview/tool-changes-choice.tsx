import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import type { ToolChanges } from '../../../../src-shared/domain/tool-choice'
import { serverActions } from '../../../components/server/server-actions'
import { useServerTools } from '../../../stores/tools-store'
import { Segmented } from '../../../ui/controls/segmented'

const CHOICES = [
  { value: 'review', label: 'Review' },
  { value: 'follow', label: 'Follow' },
] as const
const SENTENCE: Readonly<Record<ToolChanges, string>> = {
  review: 'New and changed tools wait until you approve them.',
  follow:
    'Agents get new and changed tools without a review. Choose this only for a server you trust.',
}

/** Whether a server may change its tools without a review. */
export function ToolChangesChoice({
  server: { installationId },
}: {
  readonly server: ServerView
}): JSX.Element | null {
  const changes = useServerTools(installationId)?.changes
  if (changes === undefined) return null
  return (
    <div className="facts stack at-base faint">
      <span>Tool changes</span>
      <div>
        <Segmented
          label="Tool changes"
          value={changes}
          options={CHOICES}
          aria-describedby="tool-changes-hint"
          onValueChange={(next) => void serverActions.setChanges(installationId, next)}
        />
        <p id="tool-changes-hint" className="above-1 soft small">
          {SENTENCE[changes]}
        </p>
      </div>
    </div>
  )
}
