import {
  ArrowUpCircle,
  ClipboardCheck,
  CopyPlus,
  LogIn,
  LogOut,
  type LucideIcon,
  Play,
  Power,
  PowerOff,
  RotateCw,
  SlidersHorizontal,
  Square,
  Trash2,
  Unplug,
} from 'lucide-react'

import { isActive, isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import type { ShortcutId } from '../../ui/marks/shortcuts'
import { showToast } from '../../ui/overlays/toast'
import { offersSignIn } from '../status/status-messages'
import { startWord, stopWord } from '../status/suggested-action'
import { placeForAnotherCopy, serverActions, switchServer } from './server-actions'
import { askSignIn, signOut } from './sign-in-actions'

/** What an action needs of the place where it is shown. */
type ActionPlace = {
  readonly navigate: (to: string) => void
  /** Asks before the server is removed. */
  readonly onRemove: () => void
}

/** One thing to do with a server: the same in its menu, its buttons, the palette and the shortcuts. */
export type ServerAction = {
  readonly id: string
  readonly group: 'run' | 'reconnect' | 'edit' | 'signIn' | 'remove'
  readonly label: string
  readonly icon: LucideIcon
  readonly hint?: string
  readonly shortcut?: ShortcutId
  readonly isBusy?: boolean
  readonly run: (place: ActionPlace) => void
}

/** Leads to a place that main names first, where there is one. */
function follow(asked: Promise<string | null>, { navigate }: ActionPlace): void {
  void attempt(asked.then((place) => place !== null && navigate(place)))
}

/** Start, restart and stop, as far as they apply to the status. */
export function runActions({ installationId: id, status }: ServerView): readonly ServerAction[] {
  const stop = stopWord(status)
  const actions: readonly (ServerAction | false)[] = [
    !isActive(status) && {
      ...{ id: 'start', group: 'run', label: startWord(status), icon: Play, shortcut: 'run' },
      run: () => void serverActions.start(id),
    },
    isActive(status) &&
      status.kind !== 'stopping' && {
        ...{ id: 'restart', group: 'run', label: 'Restart', icon: RotateCw, shortcut: 'restart' },
        run: () => void serverActions.restart(id),
      },
    stop !== null && {
      ...{ id: 'stop', group: 'run', label: stop, icon: Square, shortcut: 'run' },
      run: () => void serverActions.stop(id),
    },
  ]
  return actions.filter((action) => action !== false)
}

/** Replaces the connection of a server that works; `false` where there is none. */
export function reconnectAction(server: ServerView): ServerAction | false {
  return (
    isWorking(server.status) && {
      ...{ id: 'reconnect', group: 'reconnect', label: 'Reconnect', icon: Unplug },
      hint: 'Reconnects without downtime.',
      isBusy: server.reconnecting !== undefined,
      run: () => void serverActions.reconnect(server.installationId),
    }
  )
}

/** All that can be done with a server now, in the order of its menu. */
export function actionsOf(server: ServerView): readonly ServerAction[] {
  const { installationId: id, enabled, signedIn } = server
  const actions: readonly (ServerAction | false)[] = [
    ...runActions(server),
    reconnectAction(server),
    {
      ...{ id: 'edit', group: 'edit', label: 'Edit', icon: SlidersHorizontal },
      run: ({ navigate }) => navigate(`/servers/${id}/configure`),
    },
    {
      ...{ id: 'switch', group: 'edit', label: enabled ? 'Turn off' : 'Turn on' },
      icon: enabled ? PowerOff : Power,
      run: () => void switchServer(server, !enabled),
    },
    {
      ...{ id: 'copy', group: 'edit', label: 'Set up another copy', icon: CopyPlus },
      run: (place) => follow(placeForAnotherCopy(id), place),
    },
    {
      ...{ id: 'update', group: 'edit', label: 'Check for updates', icon: ArrowUpCircle },
      run: (place) => follow(checkForUpdate(server), place),
    },
    {
      ...{ id: 'vet', group: 'edit', label: 'Check this server', icon: ClipboardCheck },
      run: ({ navigate }) => navigate(`/servers/${id}/report`),
    },
    (signedIn === true || offersSignIn(server)) && {
      ...{ id: 'signIn', group: 'signIn', icon: LogIn },
      label: signedIn === true ? 'Sign in again' : 'Sign in',
      run: () => askSignIn(id),
    },
    signedIn === true && {
      ...{ id: 'signOut', group: 'signIn', label: 'Sign out', icon: LogOut },
      run: () => signOut(id),
    },
    {
      ...{ id: 'remove', group: 'remove', label: 'Remove…', icon: Trash2 },
      run: ({ onRemove }) => onRemove(),
    },
  ]
  return actions.filter((action) => action !== false)
}

/** Asks the registry for a newer version and tells the outcome; the place that shows it, or that opens a file of one, or null. */
async function checkForUpdate(server: {
  readonly installationId: string
  readonly name: string
}): Promise<string | null> {
  const { installationId, name } = server
  const { source } = await call('installation.read', { installationId })
  // No registry has it: a newer file is what there can be.
  if (source === 'bundle') return `/bundle?newer-of=${encodeURIComponent(installationId)}`
  const entry = await call('update.check', { installationId })
  if (entry !== null)
    return `/servers/${installationId}/update/${encodeURIComponent(entry.entryId)}`
  showToast({ message: `${name} is up to date.` })
  return null
}
