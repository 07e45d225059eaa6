import { RotateCw } from 'lucide-react'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { canReconnect, ReconnectButton } from '../../components/server/reconnect-button'
import { serverActions } from '../../components/server/server-actions'
import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'

/** Says what changed since a server was started, with the buttons that apply it. */
export function UnappliedLine({ server }: { readonly server: ServerView }): ReactElement {
  const { installationId, unapplied } = server
  // Stays while it is empty, so that its words are spoken when they come.
  if (unapplied.length === 0) return <div role="status" />
  const reconnects = canReconnect(server)
  return (
    <div className="page-line fixed" role="status">
      <Banner
        severity="info"
        title={reconnects ? 'Reconnect or restart to apply changes.' : 'Restart to apply changes.'}
        action={
          <>
            {reconnects && <ReconnectButton size="small" server={server} />}
            <Button
              size="small"
              icon={RotateCw}
              onClick={() => void serverActions.restart(installationId)}
            >
              Restart
            </Button>
          </>
        }
      >
        {unapplied.join(' ')}
        {reconnects && ' Reconnecting causes no downtime.'}
      </Banner>
    </div>
  )
}
