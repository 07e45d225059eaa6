import type { JSX } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { RUNNER_OPTIONS } from '../../../src-shared/form/runner-options'
import type { ButtonVariant } from '../../ui/controls/button'
import { Button, ButtonLink } from '../../ui/controls/button'
import { settingsPlace } from '../settings/setting-sections'
import type { SuggestedAction } from '../status/suggested-action'
import { placeForPort, serverActions } from './server-actions'
import { askSignIn } from './sign-in-actions'

/** The form of an installation, at one of its fields. */
export function fieldPlace(installationId: string, fieldKey: string): string {
  return `/servers/${installationId}/configure?field=${encodeURIComponent(fieldKey)}`
}

/** The form of an installation with these values proposed for a field. */
function proposedPlace(installationId: string, field: string, values: readonly string[]): string {
  const proposed = values.map((value) => `&value=${encodeURIComponent(value)}`)
  return `${fieldPlace(installationId, field)}${proposed.join('')}`
}

/** The form of an installation with this address filled in. */
export function addressPlace(installationId: string, address: string): string {
  return proposedPlace(installationId, 'url', [address])
}

/** The parts of a server's pages that steps lead to; the other steps are wishes to main. */
const PARTS: Partial<Record<SuggestedAction['kind'], string>> = {
  viewLog: 'log',
  review: 'configure',
  configure: 'configure',
  setUpInTerminal: 'settings',
}

/** The place where a suggested step is taken, or null when it is a wish to main. */
function placeOf(installationId: string, action: SuggestedAction): string | null {
  if (action.kind === 'setRunner') return `/settings?runner=${action.runner}`
  if (action.kind === 'network') return settingsPlace('network')
  if (action.kind === 'fillIn') return fieldPlace(installationId, action.fieldKey)
  if (action.kind === 'addOptions')
    return proposedPlace(installationId, RUNNER_OPTIONS, action.options)
  if (action.kind === 'runInFolder') return proposedPlace(installationId, 'cwd', [action.folder])
  if (action.kind === 'setCommand') return proposedPlace(installationId, 'command', action.words)
  if (action.kind === 'useAddress') return addressPlace(installationId, action.address)
  if (action.kind === 'addHttp') return `/by-hand?url=${encodeURIComponent(action.url)}`
  if (action.kind === 'viewServer') return `/servers/${installationId}`
  const part = PARTS[action.kind]
  return part === undefined ? null : `/servers/${installationId}/${part}`
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
  const [, navigate] = useLocation()
  const spoken = inList ? { 'aria-label': `${action.label}, ${name}` } : {}
  const label = <span className="cut">{action.label}</span>
  const place = placeOf(installationId, action)
  if (place !== null) {
    return (
      <ButtonLink size="small" variant={variant} className="narrow" href={place} {...spoken}>
        {label}
      </ButtonLink>
    )
  }
  return (
    <Button
      size="small"
      variant={variant}
      className="narrow"
      onClick={() => {
        if (action.kind === 'pickPort')
          void placeForPort(installationId, action.taken).then((to) => to !== null && navigate(to))
        else take(installationId, action.kind)
        if (focusAfterId !== undefined) document.getElementById(focusAfterId)?.focus()
      }}
      {...spoken}
    >
      {label}
    </Button>
  )
}
