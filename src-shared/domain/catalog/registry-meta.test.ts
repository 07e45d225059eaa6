import { expect, it } from 'vitest'

import { readRegistryMeta } from './registry-meta'

const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const reported = { status: 'deprecated', publishedAt: '2025-10-01T00:00:00Z' }

it.each([
  ['beside the document', { server: { name: 'a/b' }, _meta: { [OFFICIAL]: reported } }],
  ['inside of the document', { server: { name: 'a/b', _meta: { [OFFICIAL]: reported } } }],
  [
    'as the first schemas have it',
    {
      name: 'a/b',
      status: 'deprecated',
      _meta: { [OFFICIAL]: { published_at: reported.publishedAt } },
    },
  ],
])('reads the registry metadata of an entry %s', (_where, raw) => {
  expect(readRegistryMeta(raw)).toEqual(reported)
})

it('reads the date of a status next to it', () => {
  const statusChangedAt = '2025-11-03T00:00:00Z'
  const raw = { server: { name: 'a/b' }, _meta: { [OFFICIAL]: { ...reported, statusChangedAt } } }
  expect(readRegistryMeta(raw)).toEqual({ ...reported, statusChangedAt })
})

it.each([null, 7, [], {}, { _meta: 1 }, { _meta: { [OFFICIAL]: { status: 'odd' } } }])(
  'treats an entry without a known status as active: %j',
  (raw) => {
    expect(readRegistryMeta(raw)).toEqual({ status: 'active', publishedAt: undefined })
  },
)
