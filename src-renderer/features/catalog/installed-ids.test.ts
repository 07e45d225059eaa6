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

describe('D2: installation of a catalog entry', () => {
  it('is the newest one from the same registry', () => {
    const idOf = installedIds([installed('1', 'own'), installed('2', 'own')])
    expect(idOf({ sourceId: 'own', name: NAME })).toBe('2')
    expect(idOf({ sourceId: 'own', name: 'com.acme/other' })).toBeUndefined()
    for (const sourceId of ['other', OFFICIAL_SOURCE, STARTER_SOURCE, PASTED_SOURCE])
      expect(idOf({ sourceId, name: NAME })).toBeUndefined()
  })

  it('is the same for starter servers, pasted ones and the official registry', () => {
    const idOf = installedIds([installed('1', OFFICIAL_SOURCE)])
    for (const sourceId of [OFFICIAL_SOURCE, STARTER_SOURCE, PASTED_SOURCE])
      expect(idOf({ sourceId, name: NAME })).toBe('1')
    expect(idOf({ sourceId: 'own', name: NAME })).toBeUndefined()
  })

  it('is missing for servers without a registry, whatever their name', () => {
    const idOf = installedIds([installed('1')])
    for (const sourceId of [OFFICIAL_SOURCE, STARTER_SOURCE, 'own'])
      expect(idOf({ sourceId, name: NAME })).toBeUndefined()
  })
})
