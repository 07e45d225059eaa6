import { describe, expect, it } from 'vitest'

import type { SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import { listedText, registryStatusMessage } from './registry-messages'

const NOW = Date.parse('2026-06-01T12:00:00Z')

function source(change: Partial<SourceView> = {}): SourceView {
  return {
    ...{ sourceId: 'official', baseUrl: 'https://registry.example', enabled: true },
    ...{ servers: 1_284, waitingPages: 0, leftOut: 0, hasToken: false },
    ...change,
  }
}

describe('D2: status of one registry', () => {
  it.each([
    ['1,284 servers, updated 5 min ago', { completedAt: NOW - 5 * 60_000 }],
    ['1 server, partly synced', { servers: 1 }],
    ['Not synced yet', { servers: 0 }],
    [
      '1,284 servers, updated just now, 2 invalid entries ignored',
      { completedAt: NOW, leftOut: 2 },
    ],
    ['1,284 servers, partly synced, 1 invalid entry ignored', { leftOut: 1 }],
  ])('reads: %s', (text, change) => {
    expect(listedText(source(change), NOW)).toBe(text)
  })
})

describe('D2: registry warnings about an entry', () => {
  it('say for each status what happened and what to do, then quote the registry', () => {
    const all = (['deleted', 'unlisted', 'deprecated'] as const).map((status) =>
      registryStatusMessage({ status }),
    )
    expect(all.map(({ title }) => title)).toEqual([
      'The registry deleted this server.',
      'The registry no longer lists this server.',
      'The publisher no longer maintains this server.',
    ])
    for (const { text } of all) expect(text).toMatch(/^[A-Z].*\.$/u)
    const { text } = registryStatusMessage({
      status: 'deprecated',
      statusMessage: 'Use the other.',
    })
    expect(text).toBe('The server still works but gets no fixes. Message: “Use the other.”')
  })
})
