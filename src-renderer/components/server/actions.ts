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

import type { EarlierVersionRef } from '../../../src-shared/domain/installation/earlier-version'
import { isActive, isWorking } from '../../../src-shared/domain/running/run-status'
import { offerId } from '../../../src-shared/domain/server-json/offer'
import type { Sharing } from '../../../src-shared/domain/sharing'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { StartPolicy, ToolChanges } from '../../../src-shared/domain/tool-choice'
import type { RequestChannel, RequestInput } from '../../../src-shared/ipc/contract'
import { call } from '../../ipc/call'
import { attempt, showFailure } from '../../ipc/show-failure'
import { appStore } from '../../stores/app-store'
import type { ShortcutId } from '../../ui/marks/shortcuts'
import { showToast, type ToastMessage } from '../../ui/overlays/toast'
import { visibleText } from '../../ui/text/format'
import { formPlace, offersSignIn, startWord, stopWord } from '../status/status-messages'
import { askSignIn, signOut } from './sign-in-actions'

/** What an action needs of the place where it is shown. */
type ActionPlace = {
  readonly navigate: (to: string) => void
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

/** Sends a request to main and shows a toast when it is rejected; true when it was noted. */
async function request<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<boolean> {
  return (await attempt(call(channel, input))) === 'done'
}

/** What a user can ask of a server; the outcome comes back as a status. */
export const serverActions = {
  start: (installationId: string) => request('server.start', { installationId }),
  /** While it is starting this cancels; a second one while stopping ends the process immediately. */
  stop: (installationId: string) => request('server.stop', { installationId }),
  /** Runs an official setup of a runner, then starts the server. */
  setUp: (installationId: string, setupId: string) =>
    request('runner.setUp', { installationId, setupId }),
  /** Fetches again what a runner keeps of its package, then starts the server. */
  repair: (installationId: string) => request('server.repair', { installationId }),
  restart: (installationId: string) => request('server.restart', { installationId }),
  /** Replaces the connection of a running server by a new one, without a gap. */
  reconnect: (installationId: string) => request('server.reconnect', { installationId }),
  setEnabled: (installationId: string, enabled: boolean) =>
    request('installation.setEnabled', { installationId, enabled }),
  setChanges: (installationId: string, changes: ToolChanges) =>
    request('tools.setChanges', { installationId, changes }),
  setStarts: (installationId: string, starts: StartPolicy) =>
    request('tools.setStarts', { installationId, starts }),
  setSharing: (installationId: string, sharing: Sharing) =>
    request('server.setSharing', { installationId, sharing }),
  /** Stops one process that not all apps share. */
  endInstance: (installationId: string, instanceId: number) =>
    request('server.endInstance', { installationId, instanceId }),
  remove: (installationId: string, deleteSecrets: boolean) =>
    request('installation.remove', { installationId, deleteSecrets, canTakeBack: true }),
  takeBack: (installationId: string) => request('installation.takeBack', { installationId }),
} as const

/** The form of a server at the field of its port, with a free one in it; where no field surely holds it, the form. */
export async function placeForPort(
  installationId: string,
  taken: number | undefined,
): Promise<string> {
  const { fieldKey, port } = await call('server.findPort', { installationId, taken })
  const form = fieldKey === null ? 'configure' : formPlace(fieldKey, [String(port)])
  return `/servers/${installationId}/${form}`
}

/** The set-up screen for another copy of an installation, which begins with the same stored secrets. */
async function placeForAnotherCopy(installationId: string): Promise<string> {
  const { offer, source } = await call('installation.read', { installationId })
  if (source === 'hand') return `/by-hand?like=${installationId}`
  const { entryId } = await call('catalog.readInstalled', { installationId })
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}?like=${installationId}`
}

/** Switches a server on or off; one that is switched off stops, which can be taken back for a moment. */
export async function switchServer(
  { installationId, name }: Pick<ServerView, 'installationId' | 'name'>,
  enabled: boolean,
): Promise<void> {
  const isNoted = await serverActions.setEnabled(installationId, enabled)
  if (!isNoted || enabled) return
  showToast({
    message: `${name} turned off.`,
    action: { label: 'Undo', onAct: () => void serverActions.setEnabled(installationId, true) },
  })
}

/** The server that goes back, and how other pages are reached. */
type GoingBack = {
  readonly installationId: string
  readonly name: string
  readonly navigate: (to: string) => void
}

function serverAt(installationId: string): ServerView | undefined {
  const servers = appStore.getState().app?.servers ?? []
  return servers.find((one) => one.installationId === installationId)
}

/** Whether it shall run: also one that a new version keeps from running. */
function isMeantToRun(installationId: string): boolean {
  const kind = serverAt(installationId)?.status.kind
  return kind !== undefined && kind !== 'stopped' && kind !== 'stopping'
}

/** The one that is meant: what is known of it may be older than another way back to the same version. */
function meantBy(installationId: string, to: EarlierVersionRef): EarlierVersionRef {
  const earlier = serverAt(installationId)?.earlier ?? []
  const isSame = ({ versionKey }: EarlierVersionRef): boolean => versionKey === to.versionKey
  return earlier.find(isSame) ?? earlier.find(({ version }) => version === to.version) ?? to
}

/**
 * Brings an earlier version of a server back, and leads to its command where that has to be approved; says why where
 * main rejects.
 */
export async function goBack(server: GoingBack, to: EarlierVersionRef): Promise<void> {
  const { installationId, name, navigate } = server
  const { versionKey } = to
  try {
    const start = isMeantToRun(installationId)
    const { left, asksAgain } = await call('update.goBack', { installationId, versionKey, start })
    const version = visibleText(to.version)
    showToast({
      message: asksAgain
        ? `${name} rolled back to ${version}. The command needs your approval.`
        : `${name} rolled back to ${version}.`,
      ...backAction(server, left),
    })
    if (asksAgain) navigate(`/servers/${installationId}/configure`)
  } catch (thrown) {
    showFailure(thrown)
  }
}

/** The button of a toast that takes a move to another version back; none where nothing is kept. */
export function backAction(
  server: GoingBack,
  left: EarlierVersionRef | null,
): Pick<ToastMessage, 'action'> {
  if (left === null) return {}
  const { installationId } = server
  const label = `Roll back to ${visibleText(left.version)}`
  return {
    action: { label, onAct: () => void goBack(server, meantBy(installationId, left)) },
  }
}
