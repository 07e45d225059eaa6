import { describe, expect, it } from 'vitest'

import {
  OFFICIAL_SOURCE,
  PASTED_SOURCE,
  STARTER_SOURCE,
} from '../../../src-shared/domain/catalog/listed-ref'
import { installedIds } from './catalog-page'

const NAME = 'com.acme/notes'
const installed = (installationId: string, sourceId?: string) => ({
  ...{ installationId, entryName: NAME, sourceId },
})

describe('D2 what of the catalog is installed', () => {
  it('is what came from the same registry, and of several the one that was made last', () => {
    const idOf = installedIds([installed('1', 'own'), installed('2', 'own')])
    expect(idOf({ sourceId: 'own', name: NAME })).toBe('2')
    expect(idOf({ sourceId: 'own', name: 'com.acme/other' })).toBeUndefined()
    for (const sourceId of ['other', OFFICIAL_SOURCE, STARTER_SOURCE, PASTED_SOURCE])
      expect(idOf({ sourceId, name: NAME })).toBeUndefined()
  })

  it('is one server where it comes with Patchbay, was pasted or is in the official registry', () => {
    const idOf = installedIds([installed('1', OFFICIAL_SOURCE)])
    for (const sourceId of [OFFICIAL_SOURCE, STARTER_SOURCE, PASTED_SOURCE])
      expect(idOf({ sourceId, name: NAME })).toBe('1')
    expect(idOf({ sourceId: 'own', name: NAME })).toBeUndefined()
  })

  it('is nothing that goes by no registry, whatever it calls itself', () => {
    const idOf = installedIds([installed('1')])
    for (const sourceId of [OFFICIAL_SOURCE, STARTER_SOURCE, 'own'])
      expect(idOf({ sourceId, name: NAME })).toBeUndefined()
  })
})
