import {
  ArrowUpCircle,
  CopyPlus,
  Ellipsis,
  Play,
  Power,
  PowerOff,
  RotateCw,
  SlidersHorizontal,
  Square,
  Trash2,
} from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../src-shared/domain/app-state'
import { isActive } from '../../src-shared/domain/run-status'
import { IconButton } from '../ui/icon-button'
import { Menu, MenuAction, MenuLine } from '../ui/menu'
import { stopWord } from '../ui/status-words'
import { checkForUpdate } from './check-for-update'
import { RemoveDialog } from './remove-dialog'
import { placeForAnotherCopy, serverActions } from './server-actions'

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
          Start
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
  const copy = async (): Promise<void> => {
    const place = await placeForAnotherCopy(installationId)
    if (place !== null) navigate(place)
  }
  const look = async (): Promise<void> => {
    const place = await checkForUpdate(server)
    if (place !== null) navigate(place)
  }
  return (
    <>
      <Menu label={label} trigger={<IconButton label={label} icon={Ellipsis} />}>
        {withRun && <RunActions server={server} />}
        <MenuAction
          icon={SlidersHorizontal}
          onSelect={() => navigate(`/servers/${installationId}/configure`)}
        >
          Configure
        </MenuAction>
        <MenuAction
          icon={enabled ? PowerOff : Power}
          onSelect={() => void serverActions.setEnabled(installationId, !enabled)}
        >
          {enabled ? 'Disable' : 'Enable'}
        </MenuAction>
        <MenuAction icon={CopyPlus} onSelect={() => void copy()}>
          Set up another copy
        </MenuAction>
        <MenuAction icon={ArrowUpCircle} onSelect={() => void look()}>
          Check for a newer version
        </MenuAction>
        <MenuLine />
        <MenuAction icon={Trash2} danger onSelect={() => setIsRemoving(true)}>
          Remove…
        </MenuAction>
      </Menu>
      <RemoveDialog
        server={server}
        open={isRemoving}
        onOpenChange={setIsRemoving}
        {...(onRemoved ? { onRemoved } : {})}
      />
    </>
  )
}
