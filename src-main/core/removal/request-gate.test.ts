import { describe, expect, it } from 'vitest'

import { RequestGate } from './request-gate'

describe('D6 the requests of windows while everything is removed', () => {
  it('are waited for where they began before, and rejected after', async () => {
    const door = new RequestGate()
    const gate = Promise.withResolvers<string>()
    const before = door.pass(() => gate.promise)
    let isShut = false
    const shutting = door.shut(60_000).then(() => (isShut = true))
    await expect(door.pass(() => 'late')).rejects.toMatchObject({ code: 'REMOVED' })
    expect(isShut).toBe(false)
    gate.resolve('early')
    expect(await before).toBe('early')
    await shutting
  })

  it('are not waited for longer than the limit, and one that fails holds nothing up', async () => {
    const door = new RequestGate()
    const failing = door.pass(() => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    door.pass(() => new Promise(() => undefined)).catch(() => undefined)
    await door.shut(20)
    expect(door.isShut).toBe(true)
  })
})
