import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { entryOfVersion, parseEntryId, registryEntryId } from './registry-catalog'

describe('D2: the id of a registry entry', () => {
  it('contains registry, server and version, with any characters', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const ref = fc.record({ sourceId: part, name: part, version: part })
    fc.assert(
      fc.property(ref, (one) => {
        expect(parseEntryId(registryEntryId(one))).toEqual(one)
      }),
    )
    const broken = registryEntryId({ sourceId: 'a', name: 'b/c', version: '1\ud800' })
    expect(parseEntryId(broken)?.version).toBe('1\ufffd')
  })

  it('is not parsed from another kind of entry', () => {
    for (const text of [
      'starter:a/b',
      'pasted:0123',
      'bundle:00:11',
      'registry:a',
      'registry:%:a:b',
      '',
    ])
      expect(parseEntryId(text), text).toBeUndefined()
  })

  it('belongs to the starter list if the entry does', () => {
    const version = { version: '1', status: 'active', raw: '{"name":"a/b","version":"1"}' } as const
    expect(entryOfVersion({ sourceId: 'starter', name: 'a/b' }, version)).toMatchObject({
      entryId: 'starter:a/b',
      source: 'starter',
    })
    expect(entryOfVersion({ sourceId: 'acme', name: 'a/b' }, version)).toMatchObject({
      entryId: 'registry:acme:a%2Fb:1',
      sourceId: 'acme',
      source: 'registry',
    })
  })
})
