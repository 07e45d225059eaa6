import { describe, expect, it } from 'vitest'

import { AppError } from '../../src-shared/domain/app-error'
import { REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import { answer, type Handlers } from './answer'

const refuse = (): never => {
  throw new Error('/home/me/token')
}
const refusing = Object.fromEntries(
  REQUEST_CHANNELS.map((channel) => [channel, refuse]),
) as unknown as Handlers

describe('D7: requests', () => {
  it('are rejected without reaching a handler if they break the contract', async () => {
    const reply = await answer(refusing, 'server.start', { id: 1 })
    expect(reply).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } })
  })

  it("get the contract's defaults", async () => {
    const seen: unknown[] = []
    const handlers: Handlers = {
      ...refusing,
      'log.rows': (input) => {
        seen.push(input)
        return { viewId: 0, first: 0, end: 0, place: -1, rows: [] }
      },
    }
    await answer(handlers, 'log.rows', { query: { servers: ['a'] }, from: 0, count: 1 })
    expect(seen).toEqual([{ query: { servers: ['a'], level: 'debug' }, from: 0, count: 1 }])
  })

  it('pass on code, message and hint of an AppError', async () => {
    const error = new AppError('SPAWN_FAILED', 'npx was not found', { hint: 'Install Node.js' })
    const handlers: Handlers = { ...refusing, 'server.start': () => Promise.reject(error) }
    expect(await answer(handlers, 'server.start', { installationId: 'a' })).toEqual({
      ok: false,
      error: { code: 'SPAWN_FAILED', message: 'npx was not found', hint: 'Install Node.js' },
    })
  })

  it('keep the text of an unexpected error in the main process', async () => {
    const seen: unknown[] = []
    const reply = await answer(
      refusing,
      'server.stop',
      { installationId: 'a' },
      (_channel, error) => seen.push(error),
    )
    expect(JSON.stringify(reply)).not.toContain('token')
    expect(seen).toEqual([new Error('/home/me/token')])
  })
})
