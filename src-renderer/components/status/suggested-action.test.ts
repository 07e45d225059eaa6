import { describe, expect, it } from 'vitest'

import type { AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { FailedStatus, RunStatus } from '../../../src-shared/domain/running/run-status'
import { causeAction, stopLabel, suggestedAction } from './status-messages'

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

describe('A8, B11: suggested step of a status', () => {
  it('leads to the first missing field, to the review, or to a restart', () => {
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

  it('is an immediate retry during backoff, and a start when paused', () => {
    expect(suggestedAction(backingOff)).toEqual({ kind: 'retry', label: 'Try now' })
    expect(suggestedAction(paused)).toEqual({ kind: 'retry', label: 'Start' })
  })

  it('comes in addition to the step for a known cause', () => {
    const of = (step: FailureCause['step']): RunStatus => ({
      ...backingOff,
      ...{ cause: { causeId: 'any', message: 'It failed.', step } },
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

  it('is empty for a ready server', () => {
    expect(suggestedAction({ kind: 'ready' })).toBeNull()
    expect(suggestedAction({ kind: 'stopped' })).toMatchObject({ kind: 'start' })
    expect(suggestedAction({ kind: 'starting', phase: 'spawn' })).toMatchObject({ kind: 'cancel' })
    expect(suggestedAction({ kind: 'stopping' })).toMatchObject({ kind: 'endNow' })
    expect(suggestedAction(signInNeeded)).toEqual({ kind: 'signIn', label: 'Sign in' })
  })
})

describe('label of the stop action', () => {
  it.each<[string, RunStatus, string | null]>([
    ['a ready server', { kind: 'ready' }, 'Stop'],
    ['a stopping server', { kind: 'stopping' }, 'End now'],
    ['a server in backoff', backingOff, 'Stop retrying'],
    ['a crashed server with leftover processes', withLeftover('processes'), 'Stop'],
    ['a failed server with a running download', withLeftover('download'), 'Stop download'],
    ['a failed server without leftovers', error('SERVER_EXITED'), null],
    ['a paused server', paused, null],
    ['a stopped server', { kind: 'stopped' }, null],
    ['a server that needs a sign-in', signInNeeded, null],
  ])('fits %s', (_what, status, word) => {
    expect(stopLabel(status)).toBe(word)
  })
})

function withLeftover(leftover: 'processes' | 'download'): RunStatus {
  return { ...failure, kind: 'error', leftover }
}
