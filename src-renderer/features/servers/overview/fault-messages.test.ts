import { describe, expect, it } from 'vitest'

import { NO_FAULTS } from '../../../../src-shared/domain/running/protocol-faults'
import { faultWords } from './overview'

describe('the words for protocol faults', () => {
  it('name what happened, how often, and nothing else', () => {
    expect(faultWords(NO_FAULTS)).toBe('')
    expect(faultWords({ ...NO_FAULTS, noiseLines: 2_500, lateAnswers: 1 })).toBe(
      '2,500 invalid lines, 1 late answer',
    )
  })
})
