import { Play, RotateCw, Square } from 'lucide-react'
import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ReconnectButton } from '../../components/server/reconnect-button'
import { serverActions } from '../../components/server/server-actions'
import { Button } from '../../ui/controls/button'
import { stopWord } from '../../ui/text/suggested-action'

type Props = { readonly server: ServerView }

function StopButton({ server: { installationId, status } }: Props): JSX.Element | null {
  const word = stopWord(status)
  if (word === null) return null
  return (
    <Button icon={Square} onClick={() => void serverActions.stop(installationId)}>
      {word}
    </Button>
  )
}

/** Start, stop and what lies between, in the bar of a server's page. */
export function RunButtons({ server }: Props): JSX.Element | null {
  const { installationId, status } = server
  switch (status.kind) {
    case 'stopped':
      return (
        <Button
          variant="primary"
          icon={Play}
          onClick={() => void serverActions.start(installationId)}
        >
          Start
        </Button>
      )
    case 'ready':
    case 'degraded':
      return (
        <>
          <span className="hide-small">
            <ReconnectButton server={server} />
          </span>
          <Button icon={RotateCw} onClick={() => void serverActions.restart(installationId)}>
            Restart
          </Button>
          <StopButton server={server} />
        </>
      )
    case 'error':
    case 'backingOff':
    case 'paused':
      // The sentence below the bar holds the one step that helps.
      return <StopButton server={server} />
    case 'starting':
    case 'awaitingSignIn':
    case 'stopping':
    case 'signInNeeded':
      return null
  }
}
