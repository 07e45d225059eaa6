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
import { visibleText } from '../../ui/text/untrusted-text'
import { formPath, offersSignIn, startLabel, stopLabel } from '../status/status-messages'
import { openSignIn, signOut } from './sign-in-actions'

/** What an action needs from the screen that shows it. */
type ActionContext = {
  readonly navigate: (to: string) => void
  readonly onRemove: () => void
}

/** An action on a server, the same in its menu, buttons, palette and shortcuts. */
export type ServerAction = {
  readonly id: string
  readonly group: 'run' | 'reconnect' | 'edit' | 'signIn' | 'remove'
  readonly label: string
  readonly icon: LucideIcon
  readonly hint?: string
  readonly shortcut?: ShortcutId
  readonly isBusy?: boolean
  readonly run: (context: ActionContext) => void
}

/** Opens the place that main returns, if any. */
function openWhenReady(target: Promise<string | null>, { navigate }: ActionContext): void {
  void attempt(target.then((path) => path !== null && navigate(path)))
}

/** Returns start, restart and stop, if they apply to the status. */
export function runActions({ installationId: id, status }: ServerView): readonly ServerAction[] {
  const stop = stopLabel(status)
  const actions: readonly (ServerAction | false)[] = [
    !isActive(status) && {
      ...{ id: 'start', group: 'run', label: startLabel(status), icon: Play, shortcut: 'run' },
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

/** Returns the action that replaces the connection of a working server; `false` for any other server. */
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

/** Returns all current actions on a server, in menu order. */
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
      run: (context) => openWhenReady(anotherCopyPath(id), context),
    },
    {
      ...{ id: 'update', group: 'edit', label: 'Check for updates', icon: ArrowUpCircle },
      run: (context) => openWhenReady(checkForUpdate(server), context),
    },
    {
      ...{ id: 'vet', group: 'edit', label: 'Check this server', icon: ClipboardCheck },
      run: ({ navigate }) => navigate(`/servers/${id}/report`),
    },
    (signedIn === true || offersSignIn(server)) && {
      ...{ id: 'signIn', group: 'signIn', icon: LogIn },
      label: signedIn === true ? 'Sign in again' : 'Sign in',
      run: () => openSignIn(id),
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

/** Checks the registry for a newer version and shows the outcome. Returns the place of the update or of the file picker, or null. */
async function checkForUpdate(server: {
  readonly installationId: string
  readonly name: string
}): Promise<string | null> {
  const { installationId, name } = server
  const { source } = await call('installation.read', { installationId })
  // A bundle is in no registry: only a newer file can update it.
  if (source === 'bundle') return `/bundle?newer-of=${encodeURIComponent(installationId)}`
  const entry = await call('update.check', { installationId })
  if (entry !== null)
    return `/servers/${installationId}/update/${encodeURIComponent(entry.entryId)}`
  showToast({ message: `${name} is up to date.` })
  return null
}

/** Sends a request to main and shows a toast if it fails; resolves to true on success. */
async function request<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<boolean> {
  return (await attempt(call(channel, input))) === 'done'
}

/** Requests about a server; the outcome arrives as a status. */
export const serverActions = {
  start: (installationId: string) => request('server.start', { installationId }),
  /** Cancels a running start. A second call during a stop ends the process immediately. */
  stop: (installationId: string) => request('server.stop', { installationId }),
  /** Runs a runner's official setup, then starts the server. */
  setUp: (installationId: string, setupId: string) =>
    request('runner.setUp', { installationId, setupId }),
  /** Fetches the package again into the runner's cache, then starts the server. */
  repair: (installationId: string) => request('server.repair', { installationId }),
  restart: (installationId: string) => request('server.restart', { installationId }),
  /** Replaces the connection of a running server without downtime. */
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

/** Returns the place of the port field in the server's form, with a free port filled in; the form if no field certainly holds the port. */
export async function portFieldPath(
  installationId: string,
  usedPort: number | undefined,
): Promise<string> {
  const { fieldKey, port } = await call('server.findPort', { installationId, taken: usedPort })
  const form = fieldKey === null ? 'configure' : formPath(fieldKey, [String(port)])
  return `/servers/${installationId}/${form}`
}

/** Returns the place of the setup screen for another copy of an installation, with the same shared secrets. */
async function anotherCopyPath(installationId: string): Promise<string> {
  const { offer, source } = await call('installation.read', { installationId })
  if (source === 'hand') return `/custom-server?like=${installationId}`
  const { entryId } = await call('catalog.readInstalled', { installationId })
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}?like=${installationId}`
}

/** Turns a server on or off. Turning it off stops it and offers an undo in the toast. */
export async function switchServer(
  { installationId, name }: Pick<ServerView, 'installationId' | 'name'>,
  enabled: boolean,
): Promise<void> {
  const isSaved = await serverActions.setEnabled(installationId, enabled)
  if (!isSaved || enabled) return
  showToast({
    message: `${name} turned off.`,
    action: { label: 'Undo', onAct: () => void serverActions.setEnabled(installationId, true) },
  })
}

/** The server to roll back, and the navigation. */
type Rollback = {
  readonly installationId: string
  readonly name: string
  readonly navigate: (to: string) => void
}

function serverAt(installationId: string): ServerView | undefined {
  const servers = appStore.getState().app?.servers ?? []
  return servers.find((one) => one.installationId === installationId)
}

/** Whether the server should run after the rollback, even if the new version prevents it from running now. */
function shouldRun(installationId: string): boolean {
  const kind = serverAt(installationId)?.status.kind
  return kind !== undefined && kind !== 'stopped' && kind !== 'stopping'
}

/** Returns the current entry for an earlier version; the given one may be outdated. */
function currentVersion(installationId: string, to: EarlierVersionRef): EarlierVersionRef {
  const earlier = serverAt(installationId)?.earlier ?? []
  const isSame = ({ versionKey }: EarlierVersionRef): boolean => versionKey === to.versionKey
  return earlier.find(isSame) ?? earlier.find(({ version }) => version === to.version) ?? to
}

/** Rolls a server back to an earlier version, and opens its form if the command needs approval. Shows the error if main rejects. */
export async function rollBack(server: Rollback, to: EarlierVersionRef): Promise<void> {
  const { installationId, name, navigate } = server
  const { versionKey } = to
  try {
    const start = shouldRun(installationId)
    const { left, asksAgain } = await call('update.rollBack', { installationId, versionKey, start })
    const version = visibleText(to.version)
    showToast({
      message: asksAgain
        ? `${name} rolled back to ${version}. The command needs your approval.`
        : `${name} rolled back to ${version}.`,
      ...rollbackAction(server, left),
    })
    if (asksAgain) navigate(`/servers/${installationId}/configure`)
  } catch (thrown) {
    showFailure(thrown)
  }
}

/** Returns the toast action that undoes a version change; none if no earlier version is kept. */
export function rollbackAction(
  server: Rollback,
  previous: EarlierVersionRef | null,
): Pick<ToastMessage, 'action'> {
  if (previous === null) return {}
  const { installationId } = server
  const label = `Roll back to ${visibleText(previous.version)}`
  return {
    action: { label, onAct: () => void rollBack(server, currentVersion(installationId, previous)) },
  }
}
