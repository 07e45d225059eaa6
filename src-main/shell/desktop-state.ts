import {
  isActive,
  isFailed,
  isWanted,
  isWorking,
  STATUS_WORD,
} from '../../src-shared/domain/running/run-status'
import type { AppState } from '../../src-shared/domain/state/app-state'

/** State used by tray, notifications and the app's life. */
export type DesktopState = Pick<AppState, 'servers' | 'userRequests' | 'agents' | 'settings'>

/** The action of a menu item or notification. */
export type DesktopCommand =
  /** Shows the window, at a path such as `/servers`. */
  | { readonly kind: 'open'; readonly place?: string }
  | { readonly kind: 'start' | 'stop' | 'restart'; readonly installationId: string }
  | { readonly kind: 'about' | 'openProfile' | 'quit' | 'setUp' | 'showLog' }

/** Whether a server is running, or an agent may call at any time. */
export function isInUse({ servers, agents }: DesktopState): boolean {
  return servers.some(({ status }) => isWanted(status)) || agents.agents.length > 0
}

/** Summarizes the app in one line, such as "2 of 3 servers running, 1 failed, 1 request waiting". */
export function summaryOf({ servers, userRequests }: DesktopState): string {
  const running = servers.filter(({ status }) => isWorking(status)).length
  const failed = servers.filter(({ status }) => isFailed(status)).length
  const waiting = userRequests.length
  const parts = [
    servers.length === 0
      ? 'No servers'
      : `${String(running)} of ${String(servers.length)} ${servers.length === 1 ? 'server' : 'servers'} running`,
    ...(failed === 0 ? [] : [`${String(failed)} failed`]),
    ...(waiting === 0
      ? []
      : [`${String(waiting)} ${waiting === 1 ? 'request' : 'requests'} waiting`]),
  ]
  return parts.join(', ')
}

/** An entry of the tray menu, as plain data. */
export type TrayEntry =
  | { readonly kind: 'separator' }
  | {
      readonly kind: 'item'
      readonly label: string
      /** Absent for a mere label. */
      readonly command?: DesktopCommand
      readonly entries?: readonly TrayEntry[]
    }

/** A longer menu wouldn't fit a screen. */
const MAX_SERVERS = 15
const MAX_NAME = 40

/** The tray menu: status, open requests, each server with its actions, and the app. */
export function trayMenu(state: DesktopState): readonly TrayEntry[] {
  const { servers, userRequests } = state
  const open = (label: string, place?: string): TrayEntry => ({
    kind: 'item',
    label,
    command: { kind: 'open', ...(place !== undefined && { place }) },
  })
  const separator: TrayEntry = { kind: 'separator' }
  return [
    { kind: 'item', label: summaryOf(state) },
    ...(userRequests.length === 0
      ? []
      : [open(userRequests.length === 1 ? 'Answer request' : 'Answer requests')]),
    ...(servers.length === 0 ? [] : [separator, ...servers.slice(0, MAX_SERVERS).map(serverEntry)]),
    ...(servers.length > MAX_SERVERS ? [open('All servers', '/servers')] : []),
    separator,
    open('Open Patchbay'),
    open('Settings…', '/settings'),
    separator,
    { kind: 'item', label: 'Quit Patchbay', command: { kind: 'quit' } },
  ]
}

function serverEntry({ installationId, name, status }: DesktopState['servers'][number]): TrayEntry {
  const act = (kind: 'start' | 'stop' | 'restart', label: string): TrayEntry => ({
    kind: 'item',
    label,
    command: { kind, installationId },
  })
  const actions = isActive(status)
    ? [act('stop', 'Stop'), act('restart', 'Restart')]
    : [act('start', 'Start'), ...(isWanted(status) ? [act('stop', 'Stop')] : [])]
  return {
    kind: 'item',
    label: `${shownName(name)}: ${STATUS_WORD[status.kind]}`,
    entries: [
      ...actions,
      {
        kind: 'item',
        label: 'Open',
        command: { kind: 'open', place: `/servers/${installationId}` },
      },
    ],
  }
}

/** The name of a server or tool for system UI: one short line, without characters that some notification services treat as markup. */
export function shownName(name: string): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .trim()
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line
}

/** A notification to show while the window isn't in front. */
export type DesktopNotification = {
  /** Id of the request or server. */
  readonly id: string
  readonly title: string
  readonly body: string
  readonly command: DesktopCommand
  /** Whether someone waits for an answer. */
  readonly isUrgent: boolean
}

/** The notifications for a state change, according to the user's settings. */
export function newNotifications(
  before: DesktopState,
  after: DesktopState,
): readonly DesktopNotification[] {
  const { notifyApprovals, notifyRequests, notifyFailures } = after.settings
  const known = new Set(before.userRequests.map(({ requestId }) => requestId))
  const requests = after.userRequests.filter(
    ({ requestId, body }) =>
      !known.has(requestId) && (body.kind === 'call' ? notifyApprovals : notifyRequests),
  )
  const nameOf = (id: string): string =>
    shownName(after.servers.find(({ installationId }) => installationId === id)?.name ?? 'A server')
  const statusBefore = new Map(
    before.servers.map(({ installationId, status }) => [installationId, status.kind]),
  )
  const failures = !notifyFailures
    ? []
    : after.servers.flatMap((server) => {
        const title = failureTitle(server.status.kind)
        const isNew =
          title !== undefined &&
          statusBefore.has(server.installationId) &&
          failureTitle(statusBefore.get(server.installationId)) !== title
        return isNew ? [failureOf(server, title)] : []
      })
  return [...requests.map((request) => requestNotification(request, nameOf)), ...failures]
}

function requestNotification(
  { requestId, installationId, agent, body }: DesktopState['userRequests'][number],
  nameOf: (installationId: string) => string,
): DesktopNotification {
  const server = nameOf(installationId)
  const who = agent === undefined ? 'An agent' : shownName(agent)
  const shared = { id: requestId, command: { kind: 'open' }, isUrgent: true } as const
  switch (body.kind) {
    case 'call':
      return {
        ...shared,
        title: `${who} wants to call ${shownName(body.tool)}`,
        body: `${server} waits for your approval.`,
      }
    case 'form':
      return { ...shared, title: `${server} asks for details`, body: 'Open Patchbay to answer.' }
    case 'page':
      return {
        ...shared,
        title: `${server} asks you to open a page`,
        body: 'Open Patchbay to answer.',
      }
  }
}

/** Titles of states that only the user can end. */
function failureTitle(kind: string | undefined): string | undefined {
  if (kind === 'error' || kind === 'paused') return 'failed'
  return kind === 'signInNeeded' || kind === 'awaitingSignIn' ? 'needs you to sign in' : undefined
}

function failureOf(
  { installationId, name }: DesktopState['servers'][number],
  title: string,
): DesktopNotification {
  return {
    id: installationId,
    title: `${shownName(name)} ${title}`,
    body: 'Open Patchbay for details.',
    command: { kind: 'open', place: `/servers/${installationId}` },
    isUrgent: false,
  }
}
