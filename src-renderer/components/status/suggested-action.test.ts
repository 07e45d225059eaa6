import { describe, expect, it } from 'vitest'

import type { AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { FailedStatus, RunStatus } from '../../../src-shared/domain/running/run-status'
import { causeAction, stopWord, suggestedAction } from './status-messages'

const failure: Pick<FailedStatus, 'code' | 'message' | 'stderrTail' | 'fields'> = {
  code: 'SERVER_EXITED',
  message: 'It failed.',
  stderrTail: [],
  fields: [],
}
const error = (code: AppErrorCode, fields: FieldProblem[] = []): RunStatus => ({
  ...failure,
  kind: 'error',
  code,
  fields,
})
const backingOff: RunStatus = {
  ...failure,
  kind: 'backingOff',
  because: 'failedStart',
  attempt: 2,
  until: 0,
}
const signInNeeded: RunStatus = { kind: 'signInNeeded', host: 'a.example', message: 'It asks.' }
const paused: RunStatus = { ...failure, kind: 'paused', reason: 'Five starts failed in a row.' }

describe('A8, B11: the step that a status suggests', () => {
  it('leads to the first missing field, to the review, or to another try', () => {
    const field: FieldProblem = {
      code: 'missing-required',
      fieldKey: 'root',
      label: 'Folder',
      message: 'Enter a value.',
    }
    expect(suggestedAction(error('CONFIG_INCOMPLETE', [field]))).toEqual({
      kind: 'open',
      label: 'Fill in Folder',
      place: 'configure?field=root',
    })
    expect(suggestedAction(error('CONSENT_REQUIRED'))).toMatchObject({ place: 'configure' })
    expect(suggestedAction(error('SERVER_EXITED'))).toEqual({ kind: 'retry', label: 'Restart' })
  })

  it('is a try immediately while it waits, and a start once it is paused', () => {
    expect(suggestedAction(backingOff)).toEqual({ kind: 'retry', label: 'Try now' })
    expect(suggestedAction(paused)).toEqual({ kind: 'retry', label: 'Start' })
  })

  it('of a cause that is known stands beside another try', () => {
    const of = (step: FailureCause['step']): RunStatus => ({
      ...backingOff,
      ...{ cause: { causeId: 'any', sentence: 'It failed.', step } },
    })
    const filled = of({ kind: 'configure', variable: 'NOTES_KEY' })
    expect(causeAction(filled)).toEqual({
      ...{ kind: 'open', label: 'Fill in NOTES_KEY', place: 'configure?field=env_NOTES_KEY' },
    })
    expect(suggestedAction(filled)).toEqual({ kind: 'retry', label: 'Try now' })
    expect(causeAction(of({ kind: 'configure' }))).toMatchObject({ place: 'configure' })
    expect(causeAction(of({ kind: 'repair' }))).toEqual({
      ...{ kind: 'repair', label: 'Repair and restart' },
    })
    expect(causeAction(of({ kind: 'pickPort', taken: 3_000 }))).toEqual({
      ...{ kind: 'pickPort', label: 'Pick a free port', taken: 3_000 },
    })
    expect(causeAction(of({ kind: 'useAddress', address: 'https://acme.example/mcp' }))).toEqual({
      ...{ kind: 'open', label: 'Use this address' },
      place: 'configure?field=url&value=https%3A%2F%2Facme.example%2Fmcp',
    })
    expect(causeAction(of({ kind: 'viewLog' }))).toMatchObject({ place: 'log' })
    expect(causeAction(of({ kind: 'setRunner', runner: 'npx' }))).toEqual({
      ...{ kind: 'open', label: 'Set npx path', place: '/settings?runner=npx' },
    })
    const network = { label: 'Open network settings', place: '/settings?at=network' }
    expect(causeAction(of({ kind: 'network' }))).toMatchObject(network)
    expect(causeAction(error('REMOTE_UNTRUSTED'))).toMatchObject(network)
    expect([causeAction(backingOff), causeAction({ kind: 'ready' })]).toEqual([null, null])
  })

  it('is none for what is ready', () => {
    expect(suggestedAction({ kind: 'ready' })).toBeNull()
    expect(suggestedAction({ kind: 'stopped' })).toMatchObject({ kind: 'start' })
    expect(suggestedAction({ kind: 'starting', phase: 'spawn' })).toMatchObject({ kind: 'cancel' })
    expect(suggestedAction({ kind: 'stopping' })).toMatchObject({ kind: 'endNow' })
    expect(suggestedAction(signInNeeded)).toEqual({ kind: 'signIn', label: 'Sign in' })
  })
})

describe('what a stop is called', () => {
  it.each<[string, RunStatus, string | null]>([
    ['a server that works', { kind: 'ready' }, 'Stop'],
    ['one that stops', { kind: 'stopping' }, 'End now'],
    ['one that is tried again', backingOff, 'Stop retrying'],
    ['one that was lost and has left processes', withLeftover('processes'), 'Stop'],
    ['one whose download goes on', withLeftover('download'), 'Stop download'],
    ['one that failed and left nothing', error('SERVER_EXITED'), null],
    ['one that is paused', paused, null],
    ['one that is stopped', { kind: 'stopped' }, null],
    ['one that wants a sign-in', signInNeeded, null],
  ])('of %s', (_what, status, word) => {
    expect(stopWord(status)).toBe(word)
  })
})

function withLeftover(leftover: 'processes' | 'download'): RunStatus {
  return { ...failure, kind: 'error', leftover }
}
