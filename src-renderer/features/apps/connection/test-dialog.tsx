import type { JSX } from 'react'
import { useState } from 'react'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import type { HostView } from '../../../../src-shared/domain/agents/host'
import { Dialog } from '../../../ui/overlays/dialog'
import { ConnectionCheck } from './connect-check'

/** Tests the connection of an app by the app itself: connected, or waiting for it to read its tools. */
export function TestDialog({
  agent: { agentId, name },
  host = { name, reload: `Restart ${name}.` },
  onClose,
}: {
  readonly agent: AgentView
  readonly host?: Pick<HostView, 'name' | 'reload'> | undefined
  readonly onClose: () => void
}): JSX.Element {
  const [since] = useState(() => Date.now())
  return (
    <Dialog onClose={onClose} title={`Test connection of ${name}`} leave="Close">
      <div className="stack gap-3 above-3">
        <ConnectionCheck agentId={agentId} host={host} since={since} />
      </div>
    </Dialog>
  )
}
