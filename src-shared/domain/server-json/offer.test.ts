import { describe, expect, it } from 'vitest'

import { offerId, parseOfferId } from './offer'

describe('A1: the offer in an address', () => {
  it.each([
    { kind: 'package', index: 0 },
    { kind: 'remote', index: 12 },
  ] as const)('is read as it was written: %j', (ref) => {
    expect(parseOfferId(offerId(ref))).toEqual(ref)
  })

  it.each([
    '',
    'package',
    'package-',
    'package--1',
    'package-12345',
    'script-1',
    ' remote-1',
    'remote-1x',
  ])('is not read from %j', (text) => {
    expect(parseOfferId(text)).toBeUndefined()
  })
})
