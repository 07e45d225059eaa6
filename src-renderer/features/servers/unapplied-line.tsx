import './unapplied-line.css'

import { RotateCw } from 'lucide-react'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import { serverActions } from '../../server-parts/server-actions'
import { Banner } from '../../ui/banner'
import { Button } from '../../ui/button'

/** Says what changed since a server was started, with the button that applies it. */
export function UnappliedLine({ server }: { readonly server: ServerView }): ReactElement {
  const { installationId, unapplied } = server
  // Stays while it is empty, so that its words are spoken when they come.
  if (unapplied.length === 0) return <div role="status" />
  return (
    <div className="unapplied-line" role="status">
      <Banner
        severity="info"
        title="Restart to apply."
        action={
          <Button
            size="small"
            icon={RotateCw}
            onClick={() => void serverActions.restart(installationId)}
          >
            Restart now
          </Button>
        }
      >
        {unapplied.join(' ')}
      </Banner>
    </div>
  )
}
