import { describe, expect, it } from 'vitest'

import type { UserRequest } from '../../src-shared/domain/agents/user-request'
import type { RunStatus } from '../../src-shared/domain/running/run-status'
import { Settings } from '../../src-shared/domain/state/settings'
import {
  type DesktopState,
  isInUse,
  newNotifications,
  shownName,
  summaryOf,
  trayMenu,
} from './desktop-state'

type Server = DesktopState['servers'][number]

function serverOf(name: string, kind: RunStatus['kind']): Server {
  return { installationId: name, name, status: { kind } } as unknown as Server
}

function questionOf(requestId: string, body: object, agent?: string): UserRequest {
  return { requestId, installationId: 'git', agent, body } as unknown as UserRequest
}

function stateOf(change: Partial<DesktopState> = {}, settings: Partial<Settings> = {}) {
  const agents = { gateway: { kind: 'off' }, agents: [] } as DesktopState['agents']
  return {
    ...{ servers: [], userRequests: [], agents },
    settings: Settings.parse(settings),
    ...change,
  } satisfies DesktopState
}

const call = questionOf('q1', { kind: 'call', tool: 'delete_repo' }, 'Claude')
const form = questionOf('q2', { kind: 'form', message: '', fields: [] })

describe('D8: the state of the tray', () => {
  it('counts as in use while a server is running or starting, or an agent exists', () => {
    const agents = { gateway: { kind: 'off' }, agents: [{}] } as unknown as DesktopState['agents']
    expect(isInUse(stateOf())).toBe(false)
    expect(isInUse(stateOf({ servers: [serverOf('a', 'stopped')] }))).toBe(false)
    expect(isInUse(stateOf({ servers: [serverOf('a', 'backingOff')] }))).toBe(true)
    expect(isInUse(stateOf({ agents }))).toBe(true)
  })

  it('is summarized in one line', () => {
    expect(summaryOf(stateOf())).toBe('No servers')
    const servers = [serverOf('a', 'degraded'), serverOf('b', 'paused')]
    expect(summaryOf(stateOf({ servers, userRequests: [call] }))).toBe(
      '1 of 2 servers running, 1 failed, 1 request waiting',
    )
  })
})

describe('D8: the tray menu', () => {
  it('offers the actions of each status', () => {
    const actionsAt = (kind: RunStatus['kind']): unknown => {
      const menu = trayMenu(stateOf({ servers: [serverOf('a', kind)] }))
      const item = menu.find((one) => one.kind === 'item' && one.entries !== undefined)
      return item?.kind === 'item' && item.entries?.map((one) => one.kind === 'item' && one.label)
    }
    expect(actionsAt('stopped')).toEqual(['Start', 'Open'])
    expect(actionsAt('ready')).toEqual(['Stop', 'Restart', 'Open'])
    expect(actionsAt('backingOff')).toEqual(['Start', 'Stop', 'Open'])
    expect(actionsAt('signInNeeded')).toEqual(['Start', 'Open'])
  })

  it("uses the screens' words for each status", () => {
    const servers = [serverOf('a', 'degraded'), serverOf('b', 'error')]
    const labels = trayMenu(stateOf({ servers })).map((one) => one.kind === 'item' && one.label)
    expect(labels).toEqual(expect.arrayContaining(['a: Degraded', 'b: Error']))
  })

  it('links to open requests, and to the servers page if there are many', () => {
    const servers = Array.from({ length: 20 }, (_, at) => serverOf(`s${String(at)}`, 'ready'))
    const labels = trayMenu(stateOf({ servers, userRequests: [call, form] })).flatMap((one) =>
      one.kind === 'item' ? [one.label] : [],
    )
    expect(labels).toContain('Answer requests')
    expect(labels.filter((label) => label.endsWith(': Ready'))).toHaveLength(15)
    expect(labels).toContain('All servers')
  })
})

describe('D8: a notification', () => {
  const git = serverOf('git', 'ready')

  it('names the server and the request, once per request', () => {
    const before = stateOf({ servers: [git] })
    const after = stateOf({ servers: [git], userRequests: [call, form] })
    expect(newNotifications(before, after)).toMatchObject([
      { id: 'q1', title: 'Claude wants to call delete_repo', isUrgent: true },
      { id: 'q2', title: 'git asks for details', isUrgent: true },
    ])
    expect(newNotifications(after, after)).toEqual([])
  })

  it.each([
    ['error', 'git failed'],
    ['paused', 'git failed'],
    ['signInNeeded', 'git needs you to sign in'],
  ] as const)('reports a server at %s, and links to it', (kind, title) => {
    const after = stateOf({ servers: [serverOf('git', kind)] })
    const command = { kind: 'open', place: '/servers/git' }
    expect(newNotifications(stateOf({ servers: [git] }), after)).toMatchObject([{ title, command }])
    expect(newNotifications(after, after)).toEqual([])
  })

  it('is not shown for a retry or a new server', () => {
    const retrying = stateOf({ servers: [serverOf('git', 'backingOff')] })
    expect(newNotifications(stateOf({ servers: [git] }), retrying)).toEqual([])
    const failed = stateOf({ servers: [serverOf('git', 'error')] })
    expect(newNotifications(stateOf(), failed)).toEqual([])
  })

  it.each([
    ['notifyApprovals', ['git asks for details', 'git failed']],
    ['notifyRequests', ['Claude wants to call delete_repo', 'git failed']],
    ['notifyFailures', ['Claude wants to call delete_repo', 'git asks for details']],
  ] as const)('is turned off only by %s', (setting, titles) => {
    const before = stateOf({ servers: [git] })
    const after = stateOf(
      { servers: [serverOf('git', 'error')], userRequests: [call, form] },
      { [setting]: false },
    )
    expect(newNotifications(before, after).map(({ title }) => title)).toEqual(titles)
  })

  it('shows foreign names as one short line without markup', () => {
    expect(shownName('a\n<b>b</b>\u202E')).toBe('a ‹b›b‹/b›')
    expect(shownName('x'.repeat(99))).toHaveLength(40)
  })
})
