import { describe, expect, it } from 'vitest'

import { compareDocuments } from './registry-catalog'

const entry = (server: object, more: object = {}) => JSON.stringify({ server, ...more })

describe('D2: the differences of two versions', () => {
  it('are the changed lines of server.json with their context', () => {
    const made = (version: string) => ({
      ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index}`, index])),
      version,
    })
    const lines = compareDocuments(entry(made('1'), { _meta: 1 }), entry(made('2'), { _meta: 2 }))
    expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: '  "version": "1"' },
      { kind: 'added', text: '  "version": "2"' },
    ])
    expect(lines[0]?.text).toContain('key9')
    expect(lines).toHaveLength(6)
  })

  it("are empty if only the registry's metadata differs", () => {
    expect(compareDocuments(entry({ a: 1 }, { _meta: 1 }), entry({ a: 1 }, { _meta: 2 }))).toEqual(
      [],
    )
  })

  it('are found quickly in documents with nothing in common', () => {
    const lines = (seed: number): object => ({
      list: Array.from({ length: 40_000 }, (_, index) => `${(index * seed) % 65_521}`),
    })
    expect(compareDocuments(entry(lines(7)), entry(lines(31))).length).toBeLessThanOrEqual(1_000)
  })
})
