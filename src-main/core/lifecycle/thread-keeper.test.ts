import { Worker } from 'node:worker_threads'

import { expect, it, onTestFinished } from 'vitest'

import { type ThreadCalls, ThreadKeeper } from './thread-keeper'

type Calls = ThreadCalls & { double(value: number): number }

/** A thread that answers calls as birpc frames them, and whose end fails. */
const CODE = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ i, m, a }) => {
  if (m === 'close') parentPort.postMessage({ t: 's', i, e: new Error('the file is in use') })
  else parentPort.postMessage({ t: 's', i, r: a[0] * 2 })
})`

it('a resting thread whose end fails is replaced at the next call, and ends nothing else', async () => {
  let ends = 0
  const keeper = new ThreadKeeper<Calls, object>({
    what: 'The test thread',
    start: () => new Worker(CODE, { eval: true }),
    hostCalls: {},
    restMs: 20,
    onEnded: () => (ends += 1),
  })
  const unhandled: unknown[] = []
  const note = (error: unknown): unknown => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  expect(await keeper.call((remote) => remote.double(4))).toBe(8)
  await expect.poll(() => ends).toBe(1)
  expect(await keeper.call((remote) => remote.double(5))).toBe(10)
  expect(unhandled).toEqual([])
  await keeper[Symbol.asyncDispose]().catch(() => undefined)
})
