import { Worker } from 'node:worker_threads'

import { expect, it, onTestFinished } from 'vitest'

import { type ThreadCalls, ThreadKeeper } from './thread-keeper'

type Calls = ThreadCalls & { double(value: number): number }

/** A thread that answers like `ThreadEnd` and fails at its end. */
const CODE = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ id, name, args }) => {
  const answer = { kind: 'answer', id }
  if (name === 'close') parentPort.postMessage({ ...answer, error: new Error('the file is in use') })
  else parentPort.postMessage({ ...answer, value: args[0] * 2 })
})`

it('replaces an idle thread that fails at its end with the next call, and ends nothing else', async () => {
  const threads: Worker[] = []
  const keeper = new ThreadKeeper<Calls>({
    what: 'The test thread',
    start: () => {
      const worker = new Worker(CODE, { eval: true })
      threads.push(worker)
      return worker
    },
    hostCalls: {},
    idleMs: 20,
  })
  const unhandled: unknown[] = []
  const note = (error: unknown): unknown => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  expect(await keeper.call((remote) => remote.double(4))).toBe(8)
  await expect.poll(() => threads[0]?.threadId).toBe(-1)
  expect(await keeper.call((remote) => remote.double(5))).toBe(10)
  expect(threads).toHaveLength(2)
  expect(unhandled).toEqual([])
  await keeper[Symbol.asyncDispose]().catch(() => undefined)
})
