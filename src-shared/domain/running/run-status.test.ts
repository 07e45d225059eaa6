import { describe, expect, it } from 'vitest'

import { isActive, isFailed, isWanted, isWorking, RunStatus } from './run-status'

const TABLE = [
  ['stopped', []],
  ['starting', ['active', 'wanted']],
  ['ready', ['working', 'active', 'wanted']],
  ['degraded', ['working', 'active', 'wanted']],
  ['error', ['failed']],
  ['backingOff', ['failed', 'wanted']],
  ['paused', ['failed']],
  ['awaitingSignIn', ['active', 'wanted']],
  ['signInNeeded', []],
  ['stopping', ['active', 'wanted']],
] as const

describe('A8, B11: categories of a status', () => {
  it.each(TABLE)('classify %s', (kind, means) => {
    const status = { kind } as RunStatus
    const said = { working: isWorking, active: isActive, failed: isFailed, wanted: isWanted }
    const true_ = Object.entries(said).filter(([, is]) => is(status))
    expect(true_.map(([name]) => name).sort()).toEqual([...means].sort())
  })

  it('cover every kind of status', () => {
    const kinds = RunStatus.options.map((option) => option.shape.kind.value)
    expect(TABLE.map(([kind]) => kind).sort()).toEqual([...kinds].sort())
  })
})
