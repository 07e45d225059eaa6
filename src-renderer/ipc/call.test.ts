import { expect, it } from 'vitest'

import type { Bridge } from '../../src-shared/ipc/contract'
import { call, hasPendingRequest, setLine } from './call'

it('reports whether a request is pending, until it resolves or rejects', async () => {
  const answers: PromiseWithResolvers<unknown>[] = []
  const ask = (): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>()
    answers.push(answer)
    return answer.promise
  }
  setLine({ requests: new Proxy({}, { get: () => ask }) } as unknown as Bridge)
  expect(hasPendingRequest()).toBe(false)
  const found = call('runner.find', {})
  const rejected = call('runner.find', {})
  expect(hasPendingRequest()).toBe(true)
  answers[0]?.resolve({ ok: true, value: ['npx'] })
  expect(await found).toEqual(['npx'])
  expect(hasPendingRequest()).toBe(true)
  answers[1]?.resolve({ ok: false, error: { code: 'INTERNAL', message: 'No.' } })
  await expect(rejected).rejects.toThrow('No.')
  expect(hasPendingRequest()).toBe(false)
})

it('rejects with a message if the bridge throws', async () => {
  const refuse = (): never => {
    throw new TypeError('Electron contextBridge recursion depth exceeded.')
  }
  setLine({ requests: new Proxy({}, { get: () => refuse }) } as unknown as Bridge)
  await expect(call('runner.find', {})).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'This can’t be sent to Patchbay.',
    hint: 'Electron contextBridge recursion depth exceeded.',
  })
  expect(hasPendingRequest()).toBe(false)
})
