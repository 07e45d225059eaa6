import { describe, expect, it } from 'vitest'

import { ALL_LINES, queryOf, timeOf } from './log-filter'

describe('D4: log filters', () => {
  it('let every line through at first', () => {
    expect(queryOf(['a'], ALL_LINES, 5)).toEqual({ servers: ['a'], level: 'debug' })
  })

  it('become the query to main', () => {
    const filter = { ...ALL_LINES, level: 'warn', source: 'stdout', clearedAt: 7 } as const
    const time = { kind: 'span', since: 1, until: 2 } as const
    expect(queryOf(['a', 'b'], { ...filter, time }, 5)).toEqual({
      ...{ servers: ['a', 'b'], level: 'warn', source: 'stdout' },
      ...{ since: 1, until: 2, after: 7 },
    })
  })

  it('count a time span back from the moment of the choice, or start at the last start', () => {
    const at = 3_600_000
    expect(queryOf(['a'], { ...ALL_LINES, time: timeOf('15', at) }, 5)).toMatchObject({
      since: 2_700_000,
    })
    expect(queryOf(['a'], { ...ALL_LINES, time: timeOf('start', at) }, 5)).toMatchObject({
      since: 5,
    })
  })
})
