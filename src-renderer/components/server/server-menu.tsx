import {
  ArrowUpCircle,
  CopyPlus,
  Ellipsis,
  LogIn,
  LogOut,
  Play,
  Power,
  PowerOff,
  RotateCw,
  SlidersHorizontal,
  Square,
  Trash2,
  Unplug,
} from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import { isActive } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import { stopWord } from '../../ui/text/suggested-action'
import { checkForUpdate } from './check-for-update'
import { canReconnect, RECONNECT_HELP } from './reconnect-button'
import { RemoveDialog } from './remove-dialog'
import { placeForAnotherCopy, serverActions } from './server-actions'
import { askSignIn, signOut } from './sign-in-actions'
import { switchServer } from './switch-server'

function ReconnectAction({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { installationId, reconnecting } = server
  if (!canReconnect(server)) return null
  return (
    <MenuAction
      icon={Unplug}
      hint={RECONNECT_HELP}
      disabled={reconnecting !== undefined}
      onSelect={() => void serverActions.reconnect(installationId)}
    >
      Reconnect
    </MenuAction>
  )
}

function RunActions({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, status } = server
  const stop = stopWord(status)
  return (
    <>
      {isActive(status) ? (
        <MenuAction icon={RotateCw} onSelect={() => void serverActions.restart(installationId)}>
          Restart
        </MenuAction>
      ) : (
        <MenuAction icon={Play} onSelect={() => void serverActions.start(installationId)}>
          {status.kind === 'backingOff' ? 'Try now' : 'Start'}
        </MenuAction>
      )}
      {stop !== null && (
        <MenuAction icon={Square} onSelect={() => void serverActions.stop(installationId)}>
          {stop}
        </MenuAction>
      )}
      <MenuLine />
    </>
  )
}

function SignInActions({ server }: { readonly server: ServerView }): JSX.Element | null {
  if (server.signedIn !== true) return null
  return (
    <>
      <MenuLine />
      <MenuAction icon={LogIn} onSelect={() => askSignIn(server.installationId)}>
        Sign in again
      </MenuAction>
      <MenuAction icon={LogOut} onSelect={() => void signOut(server.installationId)}>
        Sign out
      </MenuAction>
    </>
  )
}

/** All that can be done with a server; `withRun` adds start, stop and restart where no buttons stand for them. */
export function ServerMenu({
  server,
  label,
  withRun = false,
  onRemoved,
}: {
  readonly server: ServerView
  readonly label: string
  readonly withRun?: boolean
  readonly onRemoved?: () => void
}): JSX.Element {
  const [, navigate] = useLocation()
  const [isRemoving, setIsRemoving] = useState(false)
  const { installationId, enabled } = server
  const follow = async (asked: Promise<string | null>): Promise<void> => {
    const place = await asked
    if (place !== null) navigate(place)
  }
  return (
    <>
      <Menu label={label} trigger={<IconButton label={label} icon={Ellipsis} />}>
        <ReconnectAction server={server} />
        {withRun ? <RunActions server={server} /> : canReconnect(server) && <MenuLine />}
        <MenuAction
          icon={SlidersHorizontal}
          onSelect={() => navigate(`/servers/${installationId}/configure`)}
        >
          Configure
        </MenuAction>
        <MenuAction
          icon={enabled ? PowerOff : Power}
          onSelect={() => void switchServer(server, !enabled)}
        >
          {enabled ? 'Turn off' : 'Turn on'}
        </MenuAction>
        <MenuAction
          icon={CopyPlus}
          onSelect={() => void follow(placeForAnotherCopy(installationId))}
        >
          Set up another copy
        </MenuAction>
        <MenuAction icon={ArrowUpCircle} onSelect={() => void follow(checkForUpdate(server))}>
          Check for updates
        </MenuAction>
        <SignInActions server={server} />
        <MenuLine />
        <MenuAction icon={Trash2} danger onSelect={() => setIsRemoving(true)}>
          Remove…
        </MenuAction>
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
