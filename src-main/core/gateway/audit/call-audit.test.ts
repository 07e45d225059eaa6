import { EventEmitter } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as settled } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { builtThread } from '../../../../e2e/fixtures/built-program'
import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { testCall, testCalls, testQuery } from '../../../../e2e/fixtures/test-calls'
import type { ActivityState } from '../../../../src-shared/domain/agents/activity'
import { systemTime } from '../../lifecycle/system-time'
import { ThreadEnd } from '../../lifecycle/thread-ends'
import { createRedactor } from '../../masking/redact'
import type { NewCall } from './audit-call'
import { CallAudit, type CallAuditOptions } from './call-audit'

const DAY_MS = 86_400_000
const startThread = builtThread('audit')

function open(more: Partial<CallAuditOptions> = {}) {
  const troubles: (string | undefined)[] = []
  const folder = more.folder ?? join(tempFolder('audit'), 'activity')
  const createWorker = vi.fn(startThread)
  const audit = new CallAudit({
    ...{ folder, createWorker },
    mask: (text) => text.replaceAll('hunter2', '••••'),
    days: () => 30,
    onLost: () => undefined,
    onProblem: (message) => troubles.push(message),
    time: systemTime,
    ...more,
  })
  onTestFinished(() => audit.close())
  return { audit, folder, createWorker, troubles }
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('A7: secrets in the call log', () => {
  it('are masked before a text is cut', async () => {
    const { audit } = open()
    const args = `${'x'.repeat(7_996)}hunter2${'x'.repeat(100_000)}`
    audit.record(testCall({ message: 'Not hunter2.', target: 'file:///hunter2', arguments: args }))
    const [call] = (await audit.query(testQuery())).calls
    expect(call).toMatchObject({ message: 'Not ••••.', target: 'file:///••••' })
    expect(call?.arguments).toBe(`${'x'.repeat(7_996)}••••…`)
  })

  it('are masked if they became known after a call was stored, also in a cut text', async () => {
    const secrets: string[] = []
    const { audit } = open({ mask: (text) => createRedactor(secrets)(text) })
    const args = `${'x '.repeat(3_998)}tok"en-1 and more`
    audit.record(testCall({ target: 'file:///tok"en-1', message: 'tok"en-1', arguments: args }))
    expect((await audit.query(testQuery())).calls).toMatchObject([{ message: 'tok"en-1' }])
    secrets.push('tok"en-1')
    const { calls } = await audit.query(testQuery())
    expect(calls).toMatchObject([{ target: 'file:///••••••••', message: '••••••••' }])
    expect(calls[0]?.arguments?.slice(-12)).toBe(' x ••••••••…')
    expect(JSON.parse((await audit.export({})).text)).toEqual(calls[0])
  })
})

describe('D6: the call log', () => {
  it('is exported in parts, each call once', async () => {
    const { audit } = open()
    for (const call of testCalls(500)) audit.record(call)
    const targets: string[] = []
    let before: number | undefined
    do {
      const { text, count, next } = await audit.export({ before })
      const lines = text.split('\n').slice(0, -1)
      expect(lines).toHaveLength(count)
      targets.push(...lines.map((line) => (JSON.parse(line) as { target: string }).target))
      before = next
    } while (before !== undefined)
    expect(targets).toEqual(Array.from({ length: 500 }, (_, index) => `t${499 - index}`))
  })

  it('starts no thread before the first call, even for a query', async () => {
    const { audit, folder, createWorker } = open()
    expect(await audit.query(testQuery())).toEqual({ calls: [], total: 0, newest: 0 })
    expect(await audit.export({})).toEqual({ text: '', count: 0 })
    await audit.clear()
    expect(createWorker).not.toHaveBeenCalled()
    expect(existsSync(folder)).toBe(false)
  })

  it('shows a new call immediately in a query, and notifies listeners at most twice a second', async () => {
    const { audit } = open()
    let notified = 0
    audit.onDidChange(() => void (notified += 1))
    fakeTimers()
    for (const call of testCalls(60)) {
      audit.record(call)
      expect((await audit.query(testQuery({ limit: 1 }))).calls).toMatchObject([call])
    }
    vi.advanceTimersByTime(499)
    expect(notified).toBe(1)
    vi.advanceTimersByTime(1)
    expect([notified, audit.state.kept]).toEqual([2, 60])
  })

  it('writes pending calls when the app ends', async () => {
    const { audit, folder } = open()
    for (const call of testCalls(1_000)) audit.record(call)
    // Fake timers stop the limit of 3 s: a busy computer may take longer to start the thread alone.
    fakeTimers()
    await audit.close()
    vi.useRealTimers()
    audit.record(testCall())
    expect(await open({ folder }).audit.query(testQuery())).toMatchObject({ total: 1_000 })
  })

  it('removes calls by the days of the settings, and once a day automatically', async () => {
    const days = { kept: 30 }
    const time = new ManualClock()
    const { audit } = open({ days: () => days.kept, time })
    audit.record(testCall({ at: time.now() - 10 * DAY_MS }))
    audit.record(testCall({ at: time.now() - DAY_MS }))
    expect(await audit.query(testQuery())).toMatchObject({ total: 2 })
    days.kept = 5
    expect(await audit.query(testQuery())).toMatchObject({ total: 1 })
    time.pass(5 * DAY_MS)
    await expect.poll(() => audit.state.kept).toBe(0)
  })

  it('blocks no call while the disk fails, reports that once, and writes the calls later', async () => {
    const time = new ManualClock()
    const folder = join(tempFolder('audit'), 'activity')
    writeFileSync(folder, 'in the way')
    const { audit, troubles } = open({ folder, time })
    for (let index = 0; index < 3; index += 1) {
      audit.record(testCall())
      time.pass(10_000)
    }
    const report = expect.stringMatching(/^Calls can’t be written to disk \(.+\)\.$/u) as string
    await expect.poll(() => troubles).toEqual([report])
    rmSync(folder)
    audit.record(testCall())
    time.pass(10_000)
    await expect.poll(() => troubles).toEqual([report, undefined])
    expect((await audit.query(testQuery())).total).toBe(4)
  })
})

describe('D6: pending calls', () => {
  /** Opens a call log over a disk that a test can block, delay and resume. */
  function openQueue() {
    const time = new ManualClock()
    const written: string[][] = []
    const disk: { error?: Error; gate?: Promise<void> } = {}
    const append = async (calls: readonly NewCall[]): Promise<ActivityState> => {
      await disk.gate
      if (disk.error) throw disk.error
      written.push(calls.map(({ target }) => target))
      return { newest: 0, kept: 0 }
    }
    const { audit, troubles } = open({ time, createWorker: () => workerOf({ append }) })
    const add = (target: string, count = 1): void => {
      for (const call of testCalls(count, () => ({ target }))) audit.record(call)
    }
    const hold = (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      disk.gate = promise
      return () => resolve(undefined)
    }
    return { audit, add, time, written, troubles, disk, hold }
  }

  /** Creates a worker that runs in this thread. */
  function workerOf(calls: object): Worker {
    const [main, thread] = [new EventEmitter(), new EventEmitter()]
    const port = Object.assign(thread, {
      postMessage: (message: unknown): boolean => main.emit('message', message),
    })
    new ThreadEnd(port as unknown as Worker).serve({ ...calls, close: () => undefined })
    const postMessage = (message: unknown): boolean => thread.emit('message', message)
    return Object.assign(main, { postMessage, terminate: () => undefined }) as unknown as Worker
  }

  it('are written together a moment after the first, and immediately if there are many', async () => {
    const { add, time, written } = openQueue()
    add('a')
    time.pass(249)
    await settled()
    expect(written).toEqual([])
    add('b')
    time.pass(1)
    await settled()
    expect(written.splice(0)).toEqual([['a', 'b']])
    add('t', 1_200)
    await settled()
    expect(written.map(({ length }) => length)).toEqual([500, 500])
    time.pass(250)
    await settled()
    expect(written.flat()).toHaveLength(1_200)
  })

  it('are dropped beyond limits by number and size', async () => {
    const { audit, add, written, troubles, hold } = openQueue()
    const release = hold()
    add('small', 25_000)
    expect(troubles).toEqual([
      'Calls arrive faster than the disk can record them. Some are missing from the history.',
    ])
    release()
    await audit.counts()
    expect(written.flat()).toHaveLength(20_000)
    expect(troubles.slice(1)).toEqual([undefined])
    add('x'.repeat(65_536), 1_000)
    await audit.counts()
    expect(written.flat().length).toBeLessThan(20_140)
  })

  it.each([
    ['on a working disk', undefined, [['under way'], ['after']]],
    ['on a failing disk', new Error('database or disk is full'), [['after']]],
  ])(
    "don't return once they are cleared, and take no other call with them, %s",
    async (_, error, expected) => {
      const { audit, add, time, written, disk, hold } = openQueue()
      const release = hold()
      if (error) disk.error = error
      add('under way')
      time.pass(250)
      add('waits')
      const cleared = audit.clear()
      add('after')
      release()
      await cleared
      delete disk.error
      await audit.counts()
      expect(written).toEqual(expected)
    },
  )
})
