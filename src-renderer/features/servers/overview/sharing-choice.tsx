import type { JSX } from 'react'

import type { Sharing } from '../../../../src-shared/domain/sharing'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions } from '../../../components/server/server-actions'
import { Segmented } from '../../../ui/controls/segmented'
import { WarnText } from '../../../ui/fields/warn-text'
import { sharingSentence } from './instance-messages'

const CHOICES = [
  { value: 'shared', label: 'Shared' },
  { value: 'perApp', label: 'Per app' },
  { value: 'perSession', label: 'Per session' },
] as const satisfies readonly { value: Sharing; label: string }[]

/** Which apps share a process of a server, and its state. */
export function SharingChoice({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name, sharing, holdsState } = server
  return (
    <div className="facts stack at-base faint">
      <span>Processes</span>
      <div>
        <Segmented
          label="Processes"
          value={sharing}
          options={CHOICES}
          aria-describedby="sharing-hint"
          onValueChange={(next) => void serverActions.setSharing(installationId, next)}
        />
        <p id="sharing-hint" className="above-1 soft small">
          {sharingSentence(server)}
        </p>
        <WarnText>
          {holdsState && sharing === 'shared'
            ? `${name} seems to keep state, such as an open page or a shell. To keep apps apart, choose Per app.`
            : undefined}
        </WarnText>
      </div>
    </div>
  )
}
