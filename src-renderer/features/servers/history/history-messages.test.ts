import { describe, expect, it } from 'vitest'

import { factStatus, factText } from './history-row'

describe('messages of the history', () => {
  it('name the event and its details', () => {
    const ready = factText({
      kind: 'ready',
      phases: [
        { phase: 'spawn', ms: 200 },
        { phase: 'handshake', ms: 1_000 },
      ],
    })
    expect(ready).toEqual({ title: 'Ready after 1.2 s', text: 'spawn 0.2 s, handshake 1.0 s' })
    expect(factText({ kind: 'updated', from: '1.0.0', to: '1.1.0' }).text).toBe(
      'From 1.0.0 to 1.1.0',
    )
    expect(factText({ kind: 'wentBack', from: '1.1.0', to: '1.0.0' })).toEqual({
      ...{ title: 'Rolled back', text: 'From 1.1.0 to 1.0.0' },
    })
    expect(factText({ kind: 'configured', changed: ['API token', 'name'] }).text).toBe(
      'API token, name',
    )
    expect(factText({ kind: 'approved' })).toEqual({ title: 'Command approved', text: '' })
    expect(factText({ kind: 'installed', version: '1.0.0' }).text).toBe('Version 1.0.0')
    expect(factText({ kind: 'installed', version: '' }).text).toBe('')
  })

  it('distinguish a failed start from a disconnect', () => {
    const failure = { kind: 'failed', code: 'SERVER_EXITED', message: 'It ended.' } as const
    expect(factText({ ...failure, wasRunning: true }).title).toBe('Disconnected')
    expect(factText({ ...failure, wasRunning: false }).title).toBe('Start failed')
    expect(factStatus({ ...failure, wasRunning: true })).toBe('error')
  })
})
