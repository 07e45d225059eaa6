import { describe, expect, it } from 'vitest'

import type { AddedServer } from '../../../../src-shared/domain/installation/configuration'
import { afterAdding } from './use-paste'

const added = (index: number): AddedServer => ({
  starts: false,
  index,
  installationId: `id-${String(index)}`,
  name: `server ${String(index)}`,
})
const problem = { code: 'SECRET_STORE_FAILED', message: 'The keychain is locked.' } as const
const step = {
  kind: 'servers',
  servers: [],
  picked: new Set([0, 1, 2, 4]),
  choices: new Map(),
  added: [],
  problem: null,
} as const

describe('adding the servers of a configuration', () => {
  it('deselects the added servers if one fails, so that none is added twice', () => {
    const next = afterAdding(step, { added: [added(0), added(1)], problem })
    expect(next).toEqual({
      ...step,
      picked: new Set([2, 4]),
      added: [added(0), added(1)],
      problem,
    })
  })

  it('ends with all added servers, including those of the first attempt', () => {
    const next = afterAdding(step, { added: [added(0)], problem })
    if (next.kind !== 'servers') throw new Error('it ended')
    expect(afterAdding(next, { added: [added(1), added(2)], problem: null })).toEqual({
      kind: 'added',
      servers: [added(0), added(1), added(2)],
    })
  })
})
