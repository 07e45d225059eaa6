import { describe, expect, it } from 'vitest'

import { RequestGate } from './request-gate'

describe('D6: requests of windows during a removal', () => {
  it('are waited for if they began before, and rejected afterwards', async () => {
    const door = new RequestGate()
    const gate = Promise.withResolvers<string>()
    const before = door.pass(() => gate.promise)
    let isShut = false
    const shutting = door.close(60_000).then(() => (isShut = true))
    await expect(door.pass(() => 'late')).rejects.toMatchObject({ code: 'REMOVED' })
    expect(isShut).toBe(false)
    gate.resolve('early')
    expect(await before).toBe('early')
    await shutting
  })

  it('are waited for up to the limit, even if one fails', async () => {
    const door = new RequestGate()
    const failing = door.pass(() => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    door.pass(() => new Promise(() => undefined)).catch(() => undefined)
    await door.close(20)
    expect(door.isClosed).toBe(true)
  })
})
