import { describe, expect, it } from 'vitest'

import { type BothResults, lossOf, serverRowOf, shareOf } from './server-page'
import type { ScenarioResult } from './suite'

const STREAMS = 'server-sse-multiple-streams'
const SAMPLING = 'tools-call-sampling'

/** A scenario's result, with this many passed, failed and warned checks. */
function went(scenario: string, passed: number, failed = 0, warnings = 0): ScenarioResult {
  const said = failed + warnings > 0 ? ['check: it said | no'] : []
  return { scenario, isPassed: failed === 0, passed, failed, warnings, said, output: '' }
}
const both = (directly: ScenarioResult, through: ScenarioResult): BothResults => ({
  directly,
  through,
})

describe('D6: losses on the conformance page', () => {
  it('include a scenario that only passes directly', () => {
    expect(lossOf(both(went('ping', 1), went('ping', 0, 1)))).toBe('It passes directly alone.')
    expect(lossOf(both(went(STREAMS, 2), went(STREAMS, 0, 2)))).toBe('It passes directly alone.')
  })

  it('include a check that only passes directly, even if the scenario passes', () => {
    expect(lossOf(both(went('ping', 2), went('ping', 1, 0, 1)))).toBe(
      '1 of its checks pass directly alone.',
    )
    expect(lossOf(both(went('ping', 5), went('ping', 3)))).toBe(
      '2 of its checks pass directly alone.',
    )
    expect(lossOf(both(went(SAMPLING, 2, 1), went(SAMPLING, 1, 1)))).toContain('1 of its checks')
  })

  it('exclude a check known not to be made, unless it warns', () => {
    expect(lossOf(both(went(STREAMS, 2), went(STREAMS, 1)))).toBeUndefined()
    expect(lossOf(both(went(STREAMS, 2), went(STREAMS, 1, 0, 1)))).toBeDefined()
  })

  it('exclude results that are equal on both sides, or better through the gateway', () => {
    expect(lossOf(both(went('ping', 1), went('ping', 1)))).toBeUndefined()
    expect(lossOf(both(went('ping', 0, 1), went('ping', 1)))).toBeUndefined()
    expect(lossOf(both(went(SAMPLING, 1, 1), went(SAMPLING, 1, 1)))).toBeUndefined()
  })
})

describe('D6: the conformance page', () => {
  it('says for each row why some checks fail', () => {
    expect(serverRowOf(both(went('ping', 1), went('ping', 1)))).toBeUndefined()
    expect(serverRowOf(both(went('ping', 2), went('ping', 1, 1)))).toBe(
      String.raw`| ping | passed, 2 of 2 | **failed**, 1 of 2 | check: it said \| no |`,
    )
    expect(serverRowOf(both(went(STREAMS, 2), went(STREAMS, 1)))).toContain(
      'answers a list as JSON',
    )
    expect(serverRowOf(both(went(STREAMS, 2), went(STREAMS, 2)))).toBeUndefined()
    expect(serverRowOf(both(went(SAMPLING, 1, 1), went(SAMPLING, 1, 1)))).toContain(
      'needs sampling',
    )
  })

  it('counts what passes through the gateway, and names what is rejected', () => {
    const rejected = both(went(SAMPLING, 1, 1), went(SAMPLING, 1, 1))
    const fine = both(went('ping', 1), went('ping', 1))
    const lost = both(went('tools-list', 1), went('tools-list', 0, 1))
    expect(shareOf([fine, fine])).toBe('Through the gateway 2 of 2 (100.0%) pass.')
    const share = shareOf([fine, fine, lost, rejected])
    expect(share).toContain('Through the gateway 2 of 4 (50.0%) pass.')
    expect(share).toContain('`tools-call-sampling`.')
    expect(share).toContain('Of the others 2 of 3 (66.6%) pass.')
  })
})
