import { describe, expect, it } from 'vitest'

import type { FailedStatus } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { homeText } from './home-page'

const ready = { status: { kind: 'ready' } } as const
const stopped = { status: { kind: 'stopped' } } as const
const starting = { status: { kind: 'starting', phase: 'spawn' } } as const
const failure: Pick<FailedStatus, 'code' | 'message' | 'stderrTail' | 'fields'> = {
  code: 'SERVER_EXITED',
  message: 'No.',
  stderrTail: [],
  fields: [],
}
const error: Pick<ServerView, 'status'> = {
  status: { ...failure, kind: 'error' },
}
const paused: Pick<ServerView, 'status'> = {
  status: { ...failure, kind: 'paused', reason: 'Five starts failed in a row.' },
}
const backingOff = (until: number): Pick<ServerView, 'status'> => ({
  status: { ...failure, kind: 'backingOff', because: 'lostSession', attempt: 1, until },
})

describe('Home headline', () => {
  it('says who needs the user, then what is in progress, then that everything works', () => {
    const headline = (...servers: Pick<ServerView, 'status'>[]): string =>
      homeText(servers, 0).headline
    expect(headline()).toBe('No servers yet')
    expect(headline(error, ready, starting)).toBe('1 server needs attention')
    expect(headline(error, error)).toBe('2 servers need attention')
    expect(headline(starting, ready)).toBe('1 server is starting')
    expect(headline(ready, ready)).toBe('All servers are ready')
    expect(headline(stopped)).toBe('All servers are stopped')
    expect(homeText([ready, ready, stopped], 0).proof).toBe('2 ready, 1 stopped')
    // The headline is sufficient for a single server and if all servers are ready.
    expect(homeText([ready, ready], 0).proof).toBe('')
    expect(homeText([ready], 0)).toEqual({ headline: 'Your server is ready', proof: '' })
    expect(homeText([starting], 0).proof).toBe('')
    expect(homeText([stopped], 0, { needsReview: 0, waiting: 1 }).proof).toBe('')
    expect(homeText([stopped], 0).proof).toBe('1 stopped')
    expect(homeText([ready], 0, { needsReview: 1, waiting: 0 }).proof).toBe('1 ready')
  })

  it('counts servers, apps and tools that need the user; updates go to the line below', () => {
    const beyond = { needsReview: 3, waiting: 0, apps: 1, updates: 2 }
    expect(homeText([error, error, ready], 0, beyond)).toEqual({
      headline: '2 servers, 1 app, and 3 tools need attention',
      proof: '1 ready, 2 updates available',
    })
    expect(homeText([ready], 0, { needsReview: 0, waiting: 0, apps: 1 })).toEqual({
      headline: '1 app needs attention',
      proof: '1 ready',
    })
    expect(homeText([ready], 0, { needsReview: 0, waiting: 0, updates: 1 })).toEqual({
      headline: 'Your server is ready',
      proof: '1 ready, 1 update available',
    })
  })

  it('counts automatic retries as no attention, and says when they happen', () => {
    const words = homeText([ready, backingOff(12_000)], 0)
    expect(words.headline).toBe('1 server is retrying')
    expect(words.proof).toBe('1 ready, 1 retrying in 12 s')
    expect(homeText([backingOff(9_000), backingOff(4_000)], 0).proof).toBe(
      '2 retrying, the first in 4 s',
    )
    expect(homeText([paused, backingOff(1)], 0).headline).toBe('1 server needs attention')
  })

  it('C4, C8: names tools that wait for approval after servers, and servers that start on demand', () => {
    const beyond = { needsReview: 2, waiting: 0 }
    expect(homeText([ready], 0, beyond).headline).toBe('2 tools need your approval')
    expect(homeText([ready], 0, { ...beyond, needsReview: 1 }).headline).toBe(
      '1 tool needs your approval',
    )
    expect(homeText([error], 0, beyond).headline).toBe('1 server and 2 tools need attention')
    const lazy = homeText([ready, stopped, stopped, stopped], 0, { needsReview: 0, waiting: 2 })
    expect(lazy).toEqual({
      headline: '1 of 4 servers ready',
      proof: '1 ready, 2 start on first use, 1 stopped',
    })
    expect(homeText([stopped, stopped], 0, { needsReview: 0, waiting: 2 }).headline).toBe(
      'All servers start on first use',
    )
  })
})
