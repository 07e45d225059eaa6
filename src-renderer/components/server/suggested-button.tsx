import type { JSX } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { attempt } from '../../ipc/show-failure'
import { Button, ButtonLink, type ButtonVariant } from '../../ui/controls/button'
import type { SuggestedAction } from '../status/status-messages'
import { placeForPort, serverActions } from './actions'
import { askSignIn } from './sign-in-actions'

function take(installationId: string, kind: SuggestedAction['kind']): void {
  if (kind === 'signIn') askSignIn(installationId)
  else if (kind === 'repair') void serverActions.repair(installationId)
  else if (kind === 'cancel' || kind === 'endNow') void serverActions.stop(installationId)
  else void serverActions.start(installationId)
}

/** The button of a suggested step; in a list its spoken name also names the server. */
export function SuggestedButton({
  server: { installationId, name },
  action,
  variant = 'default',
  inList = false,
  focusAfterId,
}: {
  readonly server: Pick<ServerView, 'installationId' | 'name'>
  readonly action: SuggestedAction
  readonly variant?: ButtonVariant
  readonly inList?: boolean
  /** Element id of what has the focus once the button is gone with the status that it belongs to. */
  readonly focusAfterId?: string
}): JSX.Element {
  const [, navigate] = useLocation()
  const spoken = inList ? { 'aria-label': `${action.label}, ${name}` } : {}
  const label = <span className="truncate">{action.label}</span>
  if (action.kind === 'open') {
    const { place } = action
    const own = `/servers/${installationId}${place === '' ? '' : `/${place}`}`
    const href = place.startsWith('/') ? place : own
    return (
      <ButtonLink size="small" variant={variant} className="max-w-64" href={href} {...spoken}>
        {label}
      </ButtonLink>
    )
  }
  return (
    <Button
      size="small"
      variant={variant}
      className="max-w-64"
      onClick={() => {
        if (action.kind === 'pickPort')
          void attempt(placeForPort(installationId, action.taken).then(navigate))
        else take(installationId, action.kind)
        if (focusAfterId !== undefined) document.getElementById(focusAfterId)?.focus()
      }}
      {...spoken}
    >
      {label}
    </Button>
  )
}
