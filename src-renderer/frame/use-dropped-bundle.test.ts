import { describe, expect, it } from 'vitest'

import { bundleAmong } from './use-dropped-bundle'

describe('A1: files that are dropped on the window', () => {
  it.each([
    [['a.txt', 'One.MCPB', 'two.dxt'], 'One.MCPB'],
    [['old.dxt'], 'old.dxt'],
    [['mcpb', 'a.mcpb.zip'], undefined],
    [[], undefined],
  ])('of the kind %j open %j', (names, expected) => {
    expect(bundleAmong(names.map((name) => ({ name })))?.name).toBe(expected)
  })
})
