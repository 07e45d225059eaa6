import { describe, expect, it } from 'vitest'

import { startsWhenEnabled, startsWithApp } from './installed-servers'

describe('C8: the start policy of a server', () => {
  it.each([
    ['withApp', true, true],
    ['withApp', false, false],
    ['onFirstUse', true, false],
    ['byHand', true, false],
  ] as const)('%s, turned on: %s, starts with the app: %s', (starts, enabled, does) => {
    expect(startsWithApp({ starts, enabled })).toBe(does)
  })

  it.each([
    ['withApp', true, true],
    ['withApp', false, true],
    ['onFirstUse', true, false],
    ['onFirstUse', false, true],
    ['byHand', true, false],
    ['byHand', false, false],
  ] as const)('%s, listed before: %s, starts when turned on: %s', (starts, isListed, does) => {
    expect(startsWhenEnabled({ starts, enabled: true }, isListed)).toBe(does)
    expect(startsWhenEnabled({ starts, enabled: false }, isListed)).toBe(false)
  })
})
