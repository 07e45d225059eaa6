import { afterEach, describe, expect, it, vi } from 'vitest'

import { serverView } from '../../e2e/fixtures/server-view'
import type { UserRequest } from '../../src-shared/domain/agents/user-request'
import type { RunStatus } from '../../src-shared/domain/running/run-status'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { newRequests, statusChanges } from './app-shell'

function server(status: RunStatus, part: Partial<ServerView> = {}): ServerView {
  const upSince = ['ready', 'degraded'].includes(status.kind) ? 1_000 : undefined
  return serverView({ status, upSince, ...part })
}

const failure = {
  code: 'SERVER_EXITED' as const,
  message: 'The server exited with code 1.',
  stderrTail: [],
  fields: [],
}
const backingOff = (until: number): RunStatus => ({
  ...failure,
  kind: 'backingOff',
  because: 'failedStart',
  attempt: 3,
  of: 5,
  until,
})

afterEach(() => {
  vi.useRealTimers()
})

describe('A8, B11: announcements about a server', () => {
  it('include a wait once, with its sentence, even if its time changes', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const until = Date.now() + 11_500
    expect(statusChanges([server({ kind: 'ready' })], [server(backingOff(until))])).toEqual([
      'Fetch is retrying. The server exited with code 1. Next try in 12 s, attempt 3 of 5.',
    ])
    expect(statusChanges([server(backingOff(until))], [server(backingOff(until + 9_000))])).toEqual(
      [],
    )
  })

  it('include a pause with its reason', () => {
    const paused: RunStatus = { ...failure, kind: 'paused', reason: 'Its start failed 5 times.' }
    expect(statusChanges([server(backingOff(0))], [server(paused)])).toEqual([
      'Fetch is paused. Its start failed 5 times. The server exited with code 1.',
    ])
  })

  it('include the start of a reconnect, but not each of its steps', () => {
    const ready = server({ kind: 'ready' })
    const spawning = server({ kind: 'ready' }, { reconnecting: 'spawn' })
    const shaking = server({ kind: 'ready' }, { reconnecting: 'handshake' })
    expect(statusChanges([ready], [spawning])).toEqual(['Fetch is reconnecting.'])
    expect(statusChanges([spawning], [shaking])).toEqual([])
  })

  it('include the end of a reconnect: the new connection, or the failure', () => {
    const ready = server({ kind: 'ready' })
    const shaking = server({ kind: 'ready' }, { reconnecting: 'handshake' })
    const again = server({ kind: 'ready' }, { upSince: 2_000 })
    const warnings = [
      'Two lines on stdout were ignored.',
      'Reconnecting failed, so the previous session stays in use. The server exited with code 3.',
    ]
    const stays = server({ kind: 'degraded', warnings })
    expect(statusChanges([shaking], [again])).toEqual(['Fetch has a new connection.'])
    expect(statusChanges([{ ...shaking, status: stays.status }], [again])).toEqual([
      'Fetch has a new connection. Fetch is ready.',
    ])
    const failed = [`Fetch is degraded. ${warnings[1]}`]
    expect(statusChanges([shaking], [stays])).toEqual(failed)
    expect(statusChanges([{ ...stays, reconnecting: 'spawn' }], [stays])).toEqual(failed)
    expect(statusChanges([shaking], [ready])).toEqual(['Reconnecting Fetch failed.'])
    expect(statusChanges([shaking], [server({ kind: 'stopping' })])).toEqual(['Fetch is stopping.'])
  })

  it('do not include a server that is new in the list', () => {
    expect(statusChanges([], [server({ kind: 'ready' })])).toEqual([])
  })
})

describe('announcements about requests of servers', () => {
  it('include each request once, when it arrives', () => {
    const request = (requestId: string): UserRequest => ({
      requestId,
      installationId: 'unknown',
      requestedAt: 0,
      until: 1,
      body: { kind: 'form', message: '', fields: [] },
    })
    const [a, b] = [request('a'), request('b')]
    expect(newRequests([a], [a, b])).toEqual(['A server asks for details.'])
    expect(newRequests([a, b], [b])).toEqual([])
  })
})
