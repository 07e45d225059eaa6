import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type AuditThread, buildAuditThread } from '../../../../e2e/fixtures/audit-thread'
import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { testCall, testQuery } from '../../../../e2e/fixtures/test-calls'
import { systemTime } from '../../lifecycle/system-time'
import { createRedactor } from '../../masking/redact'
import { auditPath } from './audit-call'
import { CallAudit, type CallAuditOptions } from './call-audit'

const DAY_MS = 86_400_000
const threads: AuditThread[] = []

beforeAll(async () => {
  threads.push(await buildAuditThread())
}, 60_000)

afterAll(() => {
  for (const { remove } of threads) remove()
})

function open(more: Partial<CallAuditOptions> = {}) {
  const workers: Worker[] = []
  const troubles: (string | undefined)[] = []
  const lost: string[] = []
  const folder = more.folder ?? join(tempFolder('audit'), 'activity')
  const audit = new CallAudit({
    folder,
    createWorker: (options) => {
      const worker = threads[0]?.createWorker(options)
      if (!worker) throw new Error('The thread was not built.')
      workers.push(worker)
      return worker
    },
    mask: (text) => text.replaceAll('hunter2', '••••'),
    days: () => 30,
    onTrouble: (message) => troubles.push(message),
    onLost: (loss) => lost.push(loss),
    time: systemTime,
    ...more,
  })
  onTestFinished(() => audit.close())
  return { audit, folder, workers, troubles, lost }
}

describe('D6 the activity', () => {
  it('masks what became known as a secret after a call was kept, also where it was cut', async () => {
    const secrets = ['hunter2']
    const mask: CallAuditOptions['mask'] = (text) => createRedactor(secrets)(text)
    const { audit } = open({ mask })
    const long = `${'x '.repeat(3_998)}tok`
    audit.record(
      testCall({
        target: 'file:///tok"en-1',
        message: 'hunter2 and tok"en-1',
        arguments: `${long}"en-1 and more`,
      }),
    )
    expect((await audit.query(testQuery())).calls).toMatchObject([
      { target: 'file:///tok"en-1', message: '•••••••• and tok"en-1' },
    ])
    secrets.push('tok"en-1')
    const { calls } = await audit.query(testQuery())
    expect(calls).toMatchObject([{ target: 'file:///••••••••', message: '•••••••• and ••••••••' }])
    expect(calls[0]?.arguments?.slice(-12)).toBe(' x ••••••••…')
    const { text } = await audit.export({})
    expect(text.split('\n')).toHaveLength(2)
    expect(JSON.parse(text)).toEqual(calls[0])
  })

  it('costs nothing before the first call, also when somebody looks', async () => {
    const { audit, folder, workers } = open()
    expect(await audit.query(testQuery())).toEqual({ calls: [], total: 0, newest: 0 })
    expect(await audit.export({})).toEqual({ text: '', count: 0 })
    await audit.clear()
    expect(workers).toHaveLength(0)
    expect(existsSync(folder)).toBe(false)
  })

  it('shows a call at once to who asks, and tells the others', async () => {
    const { audit } = open()
    const told: number[] = []
    audit.onDidChange(() => told.push(audit.state.newest))
    audit.record(testCall({ target: 'first' }))
    expect(audit.state).toEqual({ newest: 0, kept: 0 })
    await expect.poll(() => audit.state).toEqual({ newest: 1, kept: 1 })
    audit.record(testCall({ target: 'second' }))
    const { calls } = await audit.query(testQuery())
    expect(calls.map(({ target }) => target)).toEqual(['second', 'first'])
    await expect.poll(() => told).toEqual([1, 2])
  })

  it('tells of many calls twice a second at most', async () => {
    const { audit } = open()
    let told = 0
    audit.onDidChange(() => void (told += 1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let index = 0; index < 60; index += 1) {
      audit.record(testCall())
      await audit.query(testQuery({ limit: 1 }))
    }
    expect([audit.state.kept, told]).toEqual([60, 1])
    vi.advanceTimersByTime(499)
    expect(told).toBe(1)
    vi.advanceTimersByTime(1)
    expect(told).toBe(2)
    vi.advanceTimersByTime(2_000)
    expect(told).toBe(2)
  })

  it('lets its thread end when nobody calls or asks, and goes on with the next', async () => {
    const { audit, workers } = open({ restMs: 50 })
    audit.record(testCall())
    await expect.poll(() => audit.state.kept).toBe(1)
    await expect.poll(() => audit.isAwake).toBe(false)
    audit.record(testCall())
    expect(await audit.query(testQuery())).toMatchObject({ total: 2, newest: 2 })
    expect(workers).toHaveLength(2)
  })

  it('writes what waits when the app ends', async () => {
    const { audit, folder } = open()
    for (let index = 0; index < 1_000; index += 1) audit.record(testCall())
    // The 3 s that it takes at most do not pass: a busy computer may need longer for the thread alone.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await audit.close()
    vi.useRealTimers()
    audit.record(testCall())
    expect(await open({ folder }).audit.query(testQuery())).toMatchObject({ total: 1_000 })
  })

  it('loses nothing that waits when its thread crashes', async () => {
    const { audit, workers } = open()
    audit.record(testCall())
    await audit.query(testQuery())
    await workers[0]?.terminate()
    audit.record(testCall())
    await expect.poll(() => audit.state.kept).toBe(2)
  })

  it('masks again what it is told, before it cuts it', async () => {
    const { audit } = open()
    audit.record(
      testCall({
        message: 'Wrong password hunter2.',
        target: 'file:///hunter2',
        arguments: `${'x'.repeat(7_996)}hunter2${'x'.repeat(100_000)}`,
      }),
    )
    const [call] = (await audit.query(testQuery())).calls
    expect(call).toMatchObject({ message: 'Wrong password ••••.', target: 'file:///••••' })
    expect(call?.arguments).toBe(`${'x'.repeat(7_996)}••••…`)
  })

  it('forgets all when it is told to, also what has not been written yet', async () => {
    const { audit } = open()
    audit.record(testCall())
    await audit.query(testQuery())
    audit.record(testCall())
    await audit.clear()
    expect(audit.state.kept).toBe(0)
    expect(await audit.query(testQuery())).toMatchObject({ calls: [], total: 0 })
  })

  it('forgets by the days of the settings, and once a day by itself', async () => {
    const days = { kept: 30 }
    const time = new HandClock()
    const { audit } = open({ days: () => days.kept, time })
    audit.record(testCall({ at: time.now() - 10 * DAY_MS }))
    audit.record(testCall({ at: time.now() - DAY_MS }))
    expect(await audit.query(testQuery())).toMatchObject({ total: 2 })
    days.kept = 5
    expect(await audit.query(testQuery())).toMatchObject({ total: 1 })
    expect(audit.state.kept).toBe(1)
    time.pass(5 * DAY_MS)
    await expect.poll(() => audit.state.kept).toBe(0)
  })
})

describe('D6 a disk that does not take calls', () => {
  it('stops no call, is told once, and what waited is there when it does again', async () => {
    const time = new HandClock()
    const parent = tempFolder('audit')
    const folder = join(parent, 'activity')
    writeFileSync(folder, 'in the way')
    const { audit, troubles } = open({ folder, time })
    for (let index = 0; index < 3; index += 1) {
      expect(() => audit.record(testCall())).not.toThrow()
      time.pass(10_000)
    }
    await expect.poll(() => troubles).toHaveLength(1)
    expect(troubles[0]).toMatch(/^Calls can’t be written to disk \(.+\)\.$/u)
    rmSync(folder)
    audit.record(testCall())
    time.pass(10_000)
    await expect.poll(() => troubles).toHaveLength(2)
    expect(troubles[1]).toBeUndefined()
    expect((await audit.query(testQuery())).total).toBe(4)
  })

  it('and a damaged file is told of, set aside, and stops no call either', async () => {
    const { audit, folder } = open()
    audit.record(testCall())
    await audit.close()
    writeFileSync(auditPath(folder), 'This is no database. '.repeat(500))
    const again = open({ folder })
    again.audit.record(testCall({ target: 'after' }))
    expect(await again.audit.query(testQuery())).toMatchObject({ calls: [{ target: 'after' }] })
    expect(again.lost).toEqual(['corrupt'])
    expect(again.troubles).toEqual([])
  })
})
