import { Ellipsis } from 'lucide-react'
import { Fragment, type JSX, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { attempt } from '../../ipc/show-failure'
import { Button, ButtonLink, type ButtonVariant, IconButton } from '../../ui/controls/button'
import { Menu, MenuAction, MenuSeparator } from '../../ui/controls/menu'
import type { SuggestedAction } from '../status/status-messages'
import { actionsOf, portFieldPath, serverActions } from './actions'
import { RemoveDialog } from './remove-dialog'
import { openSignIn } from './sign-in-actions'

function runSuggestion(installationId: string, kind: SuggestedAction['kind']): void {
  if (kind === 'signIn') openSignIn(installationId)
  else if (kind === 'repair') void serverActions.repair(installationId)
  else if (kind === 'cancel' || kind === 'endNow') void serverActions.stop(installationId)
  else void serverActions.start(installationId)
}

/** The button of a suggested step; in a list its accessible name includes the server. */
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
  /** Id of the element that gets the focus when the button disappears with its status. */
  readonly focusAfterId?: string
}): JSX.Element {
  const [, navigate] = useLocation()
  const labelProps = inList ? { 'aria-label': `${action.label}, ${name}` } : {}
  const label = <span className="truncate">{action.label}</span>
  if (action.kind === 'open') {
    const { place: path } = action
    const ownHref = `/servers/${installationId}${path === '' ? '' : `/${path}`}`
    const href = path.startsWith('/') ? path : ownHref
    return (
      <ButtonLink size="small" variant={variant} className="max-w-64" href={href} {...labelProps}>
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
          void attempt(portFieldPath(installationId, action.taken).then(navigate))
        else runSuggestion(installationId, action.kind)
        if (focusAfterId !== undefined) document.getElementById(focusAfterId)?.focus()
      }}
      {...labelProps}
    >
      {label}
    </Button>
  )
}

/** The menu of a server; `withRun` adds start, stop and restart if no buttons show them. */
export function ServerMenu(props: {
  readonly server: ServerView
  readonly label: string
  readonly withRun?: boolean
  readonly onRemoved?: () => void
}): JSX.Element {
  const { server, label, withRun = false, onRemoved } = props
  const [, navigate] = useLocation()
  const [isRemoving, setIsRemoving] = useState(false)
  const actions = actionsOf(server).filter(({ group }) => withRun || group !== 'run')
  const context = { navigate, onRemove: () => setIsRemoving(true) }
  return (
    <>
      <Menu label={label} trigger={<IconButton label={label} icon={Ellipsis} />}>
        {actions.map((action, index) => (
          <Fragment key={action.id}>
            {index > 0 && action.group !== actions[index - 1]?.group && <MenuSeparator />}
            <MenuAction
              icon={action.icon}
              hint={action.hint}
              danger={action.id === 'remove'}
              disabled={action.isBusy === true}
              onSelect={() => action.run(context)}
            >
              {action.label}
            </MenuAction>
          </Fragment>
        ))}
      </Menu>
      {isRemoving && (
        <RemoveDialog
          servers={[server]}
          onClose={() => setIsRemoving(false)}
          onRemoved={onRemoved}
        />
      )}
    </>
  )
}
