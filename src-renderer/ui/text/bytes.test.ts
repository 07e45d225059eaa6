import { expect, it } from 'vitest'

import { formatBytes } from './bytes'

it('says a size in the unit that fits', () => {
  expect([0, 1_023, 1_024, 12_345, 1_468_006, 10_485_760, 5e9].map(formatBytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1 KB',
    '12 KB',
    '1.4 MB',
    '10 MB',
    '4.7 GB',
  ])
})
