import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { FailedStatus, RunStatus } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import {
  nextRetryBrief,
  nextRetryMessage,
  pausedMessage,
  reconnectMessage,
  statusText,
  untilText,
  waitsForUse,
  waitsForUser,
} from './status-messages'

const NOW = 1_700_000_000_000
const base: Pick<ServerView, 'statusSince' | 'phases' | 'enabled'> = {
  statusSince: NOW - 5_000,
  phases: [],
  enabled: true,
}
const failure: Pick<FailedStatus, 'code' | 'message' | 'stderrTail' | 'fields'> = {
  code: 'SERVER_EXITED',
  message: 'It failed.',
  stderrTail: [],
  fields: [],
}
const error = (code: AppErrorCode, fields: FieldProblem[] = []): ServerView['status'] => ({
  ...failure,
  kind: 'error',
  code,
  fields,
})

describe('status messages', () => {
  it('count the running step against its limit and offer to cancel', () => {
    const words = statusText(
      {
        ...base,
        status: { kind: 'starting', phase: 'handshake' },
        phases: [
          { phase: 'handshake', startedAt: NOW - 3_400, budgetMs: 30_000, outcome: 'running' },
        ],
      },
      NOW,
    )
    expect(words.message).toBe('Handshake, 3 s of 30 s.')
    expect(words.brief).toBe('handshake, 3 s of 30 s')
  })

  it('say that a download waits for its turn, without a clock', () => {
    const words = statusText(
      {
        ...base,
        status: { kind: 'starting', phase: 'install' },
        phases: [
          {
            phase: 'install',
            startedAt: NOW - 3_400,
            budgetMs: 600_000,
            outcome: 'running',
            isWaiting: true,
          },
        ],
      },
      NOW,
    )
    expect(words.message).toBe('Install, waiting for other servers.')
    expect(words.brief).toBe('install, waiting for other servers')
  })

  it('are neutral when the server is ready', () => {
    const since = NOW - (6 * 60 + 12) * 60_000
    const words = statusText({ ...base, status: { kind: 'ready' }, statusSince: since }, NOW)
    expect(words.message).toBe('Ready for 6 h 12 min.')
    const counts = { tools: 0, resources: 0, resourceTemplates: 0, prompts: 0 }
    const empty = { ...base, status: { kind: 'ready' as const }, statusSince: since, counts }
    expect(statusText(empty, NOW).message).toContain('offers no tools, resources, or prompts')
    // A warning that came and went did not interrupt the uptime.
    const again = { ...base, status: { kind: 'ready' as const }, upSince: since }
    expect(statusText(again, NOW).message).toBe('Ready for 6 h 12 min.')
  })

  it('list the warnings of a working server, the first one in the short form', () => {
    const warnings = ['2 lines on stdout were ignored.', 'One message was let go.']
    const words = statusText({ ...base, status: { kind: 'degraded', warnings } }, NOW)
    expect(words.message).toBe('Working. 2 lines on stdout were ignored. One message was let go.')
    expect(words.brief).toBe('2 lines on stdout were ignored')
  })

  it('show the hint of an error once, but not if the error names fields', () => {
    const hinted = (status: ServerView['status']): string =>
      statusText({ ...base, status: { ...status, hint: 'Do this.' } as typeof status }, NOW).message
    const field: FieldProblem = {
      code: 'missing-required',
      fieldKey: 'root',
      label: 'Folder',
      message: 'Enter a value.',
    }
    expect(hinted(error('SERVER_EXITED'))).toBe('It failed. Do this.')
    expect(hinted(error('CONFIG_INCOMPLETE', [field]))).toBe('It failed.')
  })

  it('count a slow stop, and say whether a stopped server ran and is turned off', () => {
    const stopping = statusText({ ...base, status: { kind: 'stopping' } }, NOW - 3_000)
    expect(stopping.message).toBe('Shutting down, 2 s of 5 s.')
    const stopped = statusText({ ...base, status: { kind: 'stopped' }, enabled: false }, NOW)
    expect(stopped.message).toBe('Not started yet. Turned off.')
  })

  it('C2: show the step of a reconnect next to the status of the old connection', () => {
    const server = {
      ...base,
      status: { kind: 'ready' as const },
      reconnecting: 'handshake' as const,
      phases: [
        {
          phase: 'handshake' as const,
          startedAt: NOW - 1_200,
          budgetMs: 30_000,
          outcome: 'running' as const,
        },
      ],
    }
    expect(reconnectMessage(server, NOW)).toBe('Handshake, 1 s of 30 s.')
    expect(statusText(server, NOW).brief).toBe('for 5 s, reconnecting')
    expect(reconnectMessage({ phases: [] }, NOW)).toBeUndefined()
  })

  it('call for a user if the server cannot continue automatically', () => {
    const kinds: ServerView['status'][] = [
      error('SERVER_EXITED'),
      { ...failure, kind: 'paused', reason: 'Five starts failed in a row.' },
      { kind: 'degraded', warnings: [] },
      { ...failure, kind: 'backingOff', because: 'failedStart', attempt: 1, until: NOW },
      { kind: 'signInNeeded', host: 'a.example', message: 'It asks for a sign-in.' },
      { kind: 'ready' },
      { kind: 'stopped' },
    ]
    expect(kinds.filter((status) => waitsForUser({ status })).map(({ kind }) => kind)).toEqual([
      ...['error', 'paused', 'degraded', 'signInNeeded'],
    ])
  })

  it('C10: say that a sign-in is needed and what to do', () => {
    const [message, hint] = ['a.example requires sign-in (401).', 'Sign in.']
    const status = { kind: 'signInNeeded', host: 'a.example', message, hint } as const
    expect(statusText({ ...base, status }, NOW)).toEqual({
      message: `${message} ${hint}`,
      brief: 'at a.example',
    })
  })

  it('C8: say when a server that waits for its first use starts and how old its list is', () => {
    const stopped = { ...base, status: { kind: 'stopped' as const } }
    expect(waitsForUse(stopped, 'onFirstUse')).toBe(true)
    expect(waitsForUser(stopped)).toBe(false)
    expect(waitsForUse(stopped, 'withApp')).toBe(false)
    expect(waitsForUse({ ...stopped, enabled: false }, 'onFirstUse')).toBe(false)
    const done = { phase: 'spawn', startedAt: 0, budgetMs: 1, outcome: 'done' } as const
    expect(waitsForUse({ ...stopped, phases: [done] }, 'onFirstUse')).toBe(false)
    expect(statusText(stopped, NOW, { listedAt: NOW - 180_000 })).toEqual({
      message: 'Starts on demand. Tools last listed 3 min ago.',
      brief: 'starts on demand, listed 3 min ago',
    })
    expect(statusText(stopped, NOW, {}).message).toContain('Start the server once')
  })
})

type BackingOff = Extract<RunStatus, { kind: 'backingOff' }>

const waiting = (part: Partial<BackingOff>): BackingOff => ({
  kind: 'backingOff',
  ...failure,
  message: 'The server exited with code 1.',
  because: 'failedStart',
  attempt: 3,
  until: NOW + 11_500,
  ...part,
})

describe('A8, B11: messages of a failed server', () => {
  it('count down to the next retry and number the attempts', () => {
    expect(nextRetryMessage(waiting({ of: 5 }), NOW)).toBe('Next try in 12 s, attempt 3 of 5.')
    expect(nextRetryBrief(waiting({ of: 5 }), NOW)).toBe('next try in 12 s, attempt 3 of 5')
    const lost = waiting({ because: 'lostSession', attempt: 2, until: NOW + 4_000 })
    expect(nextRetryMessage(lost, NOW)).toBe('Next try in 4 s, attempt 2.')
  })

  it('give the reason for the cool-down, with the numbers behind it if known', () => {
    const rests = waiting({ because: 'rest', attempt: 1, until: NOW + 48_000 })
    const rule = { losses: 5, withinMs: 120_000 }
    expect(nextRetryMessage({ ...rests, ...rule }, NOW)).toBe(
      'Cooling down after 5 disconnects within 2 min. Test start in 48 s.',
    )
    expect(nextRetryMessage(rests, NOW)).toContain('Cooling down after repeated disconnects.')
    expect(nextRetryMessage({ ...rests, ...rule, attempt: 2, of: 5 }, NOW)).toBe(
      'Cooling down again after a failed test start. Test start in 48 s, attempt 2 of 5.',
    )
    expect(nextRetryBrief(rests, NOW)).toBe('cooling down, test start in 48 s')
  })

  it('say that this computer is offline if the retry waits for that', () => {
    const away = waiting({ because: 'unreached', attempt: 7, code: 'REMOTE_UNREACHABLE' })
    expect(nextRetryMessage(away, NOW)).toBe('Next try in 12 s, attempt 7.')
    expect(nextRetryMessage({ ...away, isOffline: true }, NOW)).toBe(
      'This computer is offline. Next try in 12 s, attempt 7, or as soon as you’re back online.',
    )
    expect(nextRetryBrief({ ...away, isOffline: true }, NOW)).toBe(
      'offline, next try in 12 s, attempt 7',
    )
  })

  it('never count below zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (ahead) => {
        const words = untilText(NOW + ahead, NOW)
        expect(words).toMatch(ahead <= 0 ? /^now$/ : /^in [1-9]\d* (s|min|h|d)( |$)/)
      }),
    )
  })

  it('say why a server is paused and what it waits for', () => {
    const { kind, because, attempt, until, ...failure } = waiting({ hint: 'Look at its log.' })
    expect([kind, because, attempt, until]).toHaveLength(4)
    expect(
      pausedMessage({ ...failure, kind: 'paused', reason: 'Five starts failed in a row.' }),
    ).toBe('Five starts failed in a row. The server exited with code 1. Look at its log.')
  })
})
