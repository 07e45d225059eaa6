import { describe, expect, it } from 'vitest'

import { consumeToken, storeToken } from './bridge'

function page(hash: string) {
  const kept = new Map<string, string>()
  const shown: string[] = []
  const places = {
    location: { hash },
    history: { replaceState: (_state: unknown, _title: string, to: string) => shown.push(to) },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    },
  } as unknown as Pick<Window, 'location' | 'history' | 'sessionStorage'>
  return { places, shown }
}

describe('the token of the link', () => {
  it('is read from the fragment and removed from the address', () => {
    const { places, shown } = page('#token=ab_C-9')
    expect(consumeToken(places)).toBe('ab_C-9')
    expect(shown).toEqual(['#/'])
  })

  it('is the stored one if the address has none, and null if there is none', () => {
    const { places, shown } = page('#/servers')
    expect(consumeToken(places)).toBeNull()
    storeToken(places, 'tab')
    expect(consumeToken(places)).toBe('tab')
    expect(shown).toEqual([])
  })
})
