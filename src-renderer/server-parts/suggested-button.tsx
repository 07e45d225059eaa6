import type { JSX } from 'react'

import type { ServerView } from '../../src-shared/domain/state/app-state'
import type { ButtonVariant } from '../ui/controls/button'
import { Button, ButtonLink } from '../ui/controls/button'
import type { SuggestedAction } from '../ui/text/suggested-action'
import { serverActions } from './server-actions'
import { askSignIn } from './sign-in-actions'

/** The form of an installation, at one of its fields. */
export function fieldPlace(installationId: string, fieldKey: string): string {
  return `/servers/${installationId}/configure?field=${encodeURIComponent(fieldKey)}`
}

/** The place where a suggested step is taken, or null when it is a wish to main. */
function placeOf(installationId: string, action: SuggestedAction): string | null {
  switch (action.kind) {
    case 'viewLog':
      return `/servers/${installationId}/log`
    case 'setRunner':
      return `/settings?runner=${action.runner}`
    case 'review':
    case 'configure':
      return `/servers/${installationId}/configure`
    case 'fillIn':
      return fieldPlace(installationId, action.fieldKey)
    case 'start':
    case 'retry':
    case 'cancel':
    case 'endNow':
    case 'signIn':
    case 'repair':
      return null
  }
}

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
  const spoken = inList ? { 'aria-label': `${action.label}, ${name}` } : {}
  const label = <span className="cut">{action.label}</span>
  const place = placeOf(installationId, action)
  if (place !== null) {
    return (
      <ButtonLink size="small" variant={variant} className="btn-bounded" href={place} {...spoken}>
        {label}
      </ButtonLink>
    )
  }
  return (
    <Button
      size="small"
      variant={variant}
      className="btn-bounded"
      onClick={() => {
        take(installationId, action.kind)
        if (focusAfterId !== undefined) document.getElementById(focusAfterId)?.focus()
      }}
      {...spoken}
    >
      {label}
    </Button>
  )
}
