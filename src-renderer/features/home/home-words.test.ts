import { describe, expect, it } from 'vitest'

import type { ServerView } from '../../../src-shared/domain/app-state'
import { afterName, homeWords } from './home-words'

const ready = { status: { kind: 'ready' } } as const
const stopped = { status: { kind: 'stopped' } } as const
const starting = { status: { kind: 'starting', phase: 'spawn' } } as const
const error: Pick<ServerView, 'status'> = {
  status: { kind: 'error', code: 'SERVER_EXITED', message: 'No.', stderrTail: [], fields: [] },
}

describe('the answer of the home page', () => {
  it('says first who needs a person, then what is under way, then that all is well', () => {
    const headline = (...servers: Pick<ServerView, 'status'>[]): string =>
      homeWords(servers).headline
    expect(headline()).toBe('No servers yet')
    expect(headline(error, ready, starting)).toBe('One server needs you')
    expect(headline(error, error)).toBe('Two servers need you')
    expect(headline(starting, ready)).toBe('One server is starting')
    expect(headline(ready, ready)).toBe('All servers are ready')
    expect(headline(stopped)).toBe('Nothing is running')
    expect(homeWords([ready, ready, stopped]).proof).toBe('two are ready, one is stopped')
  })

  it('joins a sentence to the name of its server', () => {
    expect(afterName('GitHub', 'The server exited with code 1.')).toBe(' exited with code 1.')
    expect(afterName('GitHub', 'Not started: Token needs a value.')).toBe(
      ' is not started: Token needs a value.',
    )
    expect(afterName('GitHub', 'Two values are missing.')).toBe(': Two values are missing.')
  })
})
