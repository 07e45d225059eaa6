import { Unplug } from 'lucide-react'
import type { JSX } from 'react'

import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Button } from '../../ui/controls/button'
import { Tooltip } from '../../ui/controls/tooltip'
import { serverActions } from './server-actions'

/** What a reconnect does, in one line. */
export const RECONNECT_HELP = 'Reconnects without downtime.'

/** Whether a server has a connection that another one can take the place of. */
export function canReconnect({ status }: Pick<ServerView, 'status'>): boolean {
  return isWorking(status)
}

/** Asks for a new connection while the one in use goes on; turns while one is brought up. */
export function ReconnectButton({
  server,
  size = 'default',
}: {
  readonly server: Pick<ServerView, 'installationId' | 'reconnecting'>
  readonly size?: 'small' | 'default'
}): JSX.Element {
  const { installationId, reconnecting } = server
  return (
    <Tooltip content={RECONNECT_HELP}>
      <Button
        icon={Unplug}
        size={size}
        busy={reconnecting !== undefined}
        onClick={() => void serverActions.reconnect(installationId)}
      >
        Reconnect
      </Button>
    </Tooltip>
  )
}
