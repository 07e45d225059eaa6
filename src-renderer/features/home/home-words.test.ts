import { describe, expect, it } from 'vitest'

import type { FailedStatus } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { afterName, homeWords } from './home-words'

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

describe('the answer of the home page', () => {
  it('says first who needs a person, then what is under way, then that all is well', () => {
    const headline = (...servers: Pick<ServerView, 'status'>[]): string =>
      homeWords(servers, 0).headline
    expect(headline()).toBe('No servers yet')
    expect(headline(error, ready, starting)).toBe('One server needs you')
    expect(headline(error, error)).toBe('Two servers need you')
    expect(headline(starting, ready)).toBe('One server is starting')
    expect(headline(ready, ready)).toBe('All servers are ready')
    expect(headline(stopped)).toBe('Nothing is running')
    expect(homeWords([ready, ready, stopped], 0).proof).toBe('two are ready, one is stopped')
    // The headline says all of a single one, and of servers that are all ready.
    expect(homeWords([ready, ready], 0).proof).toBe('')
    expect(homeWords([ready], 0)).toEqual({ headline: 'Your server is ready', proof: '' })
    expect(homeWords([starting], 0).proof).toBe('')
    expect(homeWords([stopped], 0, { held: 0, waiting: 1 }).proof).toBe('')
    expect(homeWords([stopped], 0).proof).toBe('one is stopped')
    expect(homeWords([ready], 0, { held: 1, waiting: 0 }).proof).toBe('one is ready')
  })

  it('counts servers, apps and tools that need the user in one headline, and updates below', () => {
    const beyond = { held: 3, waiting: 0, apps: 1, updates: 2 }
    expect(homeWords([error, error, ready], 0, beyond)).toEqual({
      headline: 'Two servers, one app, and three tools need you',
      proof: 'one is ready, two can be updated',
    })
    expect(homeWords([ready], 0, { held: 0, waiting: 0, apps: 1 })).toEqual({
      headline: 'One app needs you',
      proof: 'one is ready',
    })
    expect(homeWords([ready], 0, { held: 0, waiting: 0, updates: 1 })).toEqual({
      headline: 'Your server is ready',
      proof: 'one is ready, one can be updated',
    })
  })

  it('counts who tries again by itself as no call to a person, and says when', () => {
    const words = homeWords([ready, backingOff(12_000)], 0)
    expect(words.headline).toBe('One server is tried again')
    expect(words.proof).toBe('one is ready, one tries again in 12 s')
    expect(homeWords([backingOff(9_000), backingOff(4_000)], 0).proof).toBe(
      'two try again, the first in 4 s',
    )
    expect(homeWords([paused, backingOff(1)], 0).headline).toBe('One server needs you')
  })

  it('joins a sentence to the name of its server', () => {
    expect(afterName('GitHub', 'The server exited with code 1.')).toBe(' exited with code 1.')
    expect(afterName('GitHub', 'Not started: Token needs a value.')).toBe(
      ' is not started: Token needs a value.',
    )
    expect(afterName('GitHub', 'Two values are missing.')).toBe(': Two values are missing.')
  })

  it('C4, C8: names tools that wait for a decision after servers that need one, and first uses', () => {
    const beyond = { held: 2, waiting: 0 }
    expect(homeWords([ready], 0, beyond).headline).toBe('Two tools wait for your approval')
    expect(homeWords([ready], 0, { ...beyond, held: 1 }).headline).toBe(
      'One tool waits for your approval',
    )
    expect(homeWords([error], 0, beyond).headline).toBe('One server and two tools need you')
    const lazy = homeWords([ready, stopped, stopped, stopped], 0, { held: 0, waiting: 2 })
    expect(lazy).toEqual({
      headline: 'All is well',
      proof: 'one is ready, two wait for their first use, one is stopped',
    })
    expect(homeWords([stopped, stopped], 0, { held: 0, waiting: 2 }).headline).toBe(
      'All servers wait for their first use',
    )
  })
})
