import { describe, expect, it } from 'vitest'

import type { ServerView } from '../../src-shared/domain/app-state'
import type { FieldProblem } from '../../src-shared/domain/launch-plan'
import { statusWords, stopWord } from './status-words'

const NOW = 1_700_000_000_000
const base: Pick<ServerView, 'statusSince' | 'phases' | 'enabled'> = {
  statusSince: NOW - 5_000,
  phases: [],
  enabled: true,
}
const error = (
  code: Extract<ServerView['status'], { kind: 'error' }>['code'],
  fields: FieldProblem[] = [],
): ServerView['status'] => ({ kind: 'error', code, message: 'It failed.', stderrTail: [], fields })

describe('what a status says', () => {
  it('counts the running step against its limit and offers to cancel', () => {
    const words = statusWords(
      {
        ...base,
        status: { kind: 'starting', phase: 'handshake' },
        phases: [
          { phase: 'handshake', startedAt: NOW - 3_400, budgetMs: 30_000, outcome: 'running' },
        ],
      },
      NOW,
    )
    expect(words.sentence).toBe('Handshake, 3 s of 30 s.')
    expect(words.brief).toBe('handshake, 3 s of 30 s')
    expect(words.action).toEqual({ kind: 'cancel', label: 'Cancel' })
  })

  it('says that a download waits for its turn, without a clock', () => {
    const words = statusWords(
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
    expect(words.sentence).toBe('Install, waiting for its turn: others go first.')
    expect(words.brief).toBe('install, waiting for its turn')
    expect(words.action).toMatchObject({ kind: 'cancel' })
  })

  it('is calm when ready', () => {
    const since = NOW - (6 * 60 + 12) * 60_000
    const words = statusWords({ ...base, status: { kind: 'ready' }, statusSince: since }, NOW)
    expect(words.sentence).toBe('Ready for 6 h 12 min.')
    expect(words.action).toBeNull()
  })

  it('leads to the first missing field, to the review, or to another try', () => {
    const field: FieldProblem = {
      code: 'missing-required',
      fieldKey: 'root',
      label: 'Folder',
      message: 'Enter a value.',
    }
    const actionOf = (status: ServerView['status']) => statusWords({ ...base, status }, NOW).action
    expect(actionOf(error('CONFIG_INCOMPLETE', [field]))).toEqual({
      kind: 'fillIn',
      label: 'Fill in Folder',
      fieldKey: 'root',
    })
    expect(actionOf(error('CONSENT_REQUIRED'))).toMatchObject({ kind: 'review' })
    expect(actionOf(error('SERVER_EXITED'))).toEqual({ kind: 'retry', label: 'Restart' })
  })

  it('gives the hint of an error once, and leaves it to the named fields where there are some', () => {
    const hinted = (status: ServerView['status']): string =>
      statusWords({ ...base, status: { ...status, hint: 'Do this.' } as typeof status }, NOW)
        .sentence
    const field: FieldProblem = {
      code: 'missing-required',
      fieldKey: 'root',
      label: 'Folder',
      message: 'Enter a value.',
    }
    expect(hinted(error('SERVER_EXITED'))).toBe('It failed. Do this.')
    expect(hinted(error('CONFIG_INCOMPLETE', [field]))).toBe('It failed.')
  })

  it('offers to end a slow stop and to start what is stopped', () => {
    const stopping = statusWords({ ...base, status: { kind: 'stopping' } }, NOW - 3_000)
    expect(stopping.sentence).toBe('Asked to finish, 2 s of 5 s.')
    expect(stopping.action).toMatchObject({ kind: 'endNow' })
    const stopped = statusWords({ ...base, status: { kind: 'stopped' }, enabled: false }, NOW)
    expect(stopped.sentence).toBe('Not started yet. It does not start with the app.')
    expect(stopped.action).toMatchObject({ kind: 'start' })
  })
})

describe('what a stop is called', () => {
  const failed = error('SERVER_EXITED')
  it.each<[string, ServerView['status'], string | null]>([
    ['a server that works', { kind: 'ready' }, 'Stop'],
    ['one that stops', { kind: 'stopping' }, 'End now'],
    ['one that was lost and has left processes', withLeftover('processes'), 'Stop'],
    ['one whose download goes on', withLeftover('download'), 'Stop download'],
    ['one that failed and left nothing', failed, null],
    ['one that is stopped', { kind: 'stopped' }, null],
  ])('of %s', (_what, status, word) => {
    expect(stopWord(status)).toBe(word)
  })
})

function withLeftover(leftover: 'processes' | 'download'): ServerView['status'] {
  const status = error('SERVER_EXITED')
  return status.kind === 'error' ? { ...status, leftover } : status
}
