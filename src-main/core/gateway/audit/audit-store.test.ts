import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { testCall, testCalls, testQuery } from '../../../../e2e/fixtures/test-calls'
import { CallOutcome } from '../../../../src-shared/domain/agents/activity'
import { auditPath, type NewCall } from './audit-call'
import { type AuditBounds, AuditStore, type CallFilter } from './audit-store'

const BOUNDS: AuditBounds = { calls: 10_000, bytes: 64 * 1024 * 1024 }
const HALF_HOUR = 1_800_000
const DAY_MS = 86_400_000

function open(bounds: Partial<AuditBounds> = {}, folder = tempFolder('audit')) {
  const lost: string[] = []
  const onLost = (loss: string) => void lost.push(loss)
  const store = new AuditStore(folder, onLost, { ...BOUNDS, ...bounds })
  onTestFinished(() => store.close())
  return { store, lost, folder }
}

describe('D6: stored calls', () => {
  it('are paged newest first, and calls newer than a given one can be queried', () => {
    const { store } = open()
    store.append(testCalls(250), 0)
    for (const [before, first, count] of [
      [undefined, 250, 100],
      [151, 150, 100],
      [51, 50, 50],
    ] as const) {
      const { calls, total, newest } = store.page(testQuery({ before }), 0)
      expect({ total, newest }).toEqual({ total: 250, newest: 250 })
      const ids = Array.from({ length: count }, (_, index) => first - index)
      expect(calls.map(({ callId }) => callId)).toEqual(ids)
    }
    const newer = store.page(testQuery({ after: 248, limit: 1 }), 0)
    expect(newer).toMatchObject({ calls: [{ callId: 250 }], total: 2 })
  })

  it('survive a restart of the app unchanged, and their numbers continue', () => {
    const { store, folder } = open()
    const bare = testCall({ installationId: undefined, serverName: undefined, outcome: 'rejected' })
    const full = testCall({ message: 'No such file.', arguments: '{"path":"/tmp"}' })
    store.append([bare, full], 0)
    store.close()
    const later = open({}, folder).store
    expect(later.page(testQuery(), 0).calls).toEqual([
      { callId: 2, ...full },
      { callId: 1, ...bare },
    ])
    expect(later.append(testCalls(1), 0)).toEqual({ newest: 3, kept: 3 })
  })

  it('are counted by the half hour over the last day, the newest last', () => {
    const { store } = open()
    const now = 1_000 * HALF_HOUR + 60_000
    const at = (step: number): number => (953 + step) * HALF_HOUR
    const failed = [
      testCall({ at: at(47), outcome: 'timedOut' }),
      testCall({ at: now, outcome: 'toolError' }),
    ]
    const denied = testCall({ at: at(46) + 5, outcome: 'denied' })
    const ok = [at(0) - 1, at(0), now].map((one) => testCall({ at: one }))
    store.append([...failed, denied, ...ok], 0)
    const { from, stepMs, steps } = store.counts(now)
    expect([from, stepMs, steps.length]).toEqual([at(0), HALF_HOUR, 48])
    const shown = [0, 1, 46, 47].map((step) => Object.values(steps[step] ?? {}).join('/'))
    expect(shown).toEqual(['1/0', '0/0', '1/0', '3/2'])
  })
})

describe('D6: the search for calls', () => {
  it('finds exactly the calls that a naive filter finds, regardless of case', () => {
    const word = fc.constantFrom('a', 'B', 'ab', '%', '_', 'ü', 'Ü', '\\', "'")
    const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(''))
    const agentId = fc.constantFrom('one', 'two')
    const installationId = fc.constantFrom('i', 'j')
    const time = fc.integer({ min: 0, max: 9 })
    const call = fc.record({
      ...{ target: text, message: text, agentName: text, serverName: text, arguments: text },
      ...{ agentId, at: time, installationId },
      outcome: fc.constantFrom(...CallOutcome.options),
    })
    const query = fc.record(
      {
        text: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
        ...{ agentId, installationId, from: time, to: time },
        outcomes: fc.subarray([...CallOutcome.options], { maxLength: 4 }),
      },
      { requiredKeys: ['text', 'outcomes'] },
    )
    const { store } = open()
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), query, (parts, asked) => {
        store.clear()
        const { newest } = store.append(parts.map(testCall), 0)
        const first = newest - parts.length + 1
        const expected = parts.flatMap((one, index) => (fits(one, asked) ? [first + index] : []))
        const page = store.page(testQuery(asked), 0)
        expect(page.calls.map(({ callId }) => callId)).toEqual(expected.toReversed())
        expect(store.page(testQuery({ ...asked, limit: 1 }), 0).total).toBe(expected.length)
      }),
      { numRuns: 150 },
    )
  })

  function fits(call: Partial<NewCall>, { text = '', outcomes = [], ...asked }: CallFilter) {
    const texts = [call.target, call.message, call.agentName, call.serverName, call.arguments]
    const { at = 0, outcome = 'ok' } = call
    const has = (word: string): boolean =>
      texts.some((one = '') => one.toLowerCase().includes(word.toLowerCase()))
    return (
      text.split(' ').every(has) &&
      (outcomes.length === 0 || outcomes.includes(outcome)) &&
      (asked.agentId ?? call.agentId) === call.agentId &&
      (asked.installationId ?? call.installationId) === call.installationId &&
      at >= (asked.from ?? 0) &&
      at < (asked.to ?? 10)
    )
  }
})

describe('D6: the limits of the call store', () => {
  it('keep only the newest calls within number and bytes, and shrink the file', () => {
    const { store } = open({ calls: 1_000 })
    for (let round = 0; round < 30; round += 1) store.append(testCalls(100), 0)
    const { calls, total } = store.page(testQuery({ limit: 1 }), 0)
    expect(calls).toMatchObject([{ callId: 3_000 }])
    expect(total).toBeGreaterThanOrEqual(1_000)
    expect(total).toBeLessThanOrEqual(1_010)
    const { store: small, folder } = open({ bytes: 1024 * 1024 })
    const large = testCalls(50, () => ({ arguments: 'x'.repeat(4_000) }))
    for (let round = 0; round < 40; round += 1) small.append(large, 0)
    expect(small.append([], 0).kept).toBeGreaterThan(100)
    small.close()
    expect(statSync(auditPath(folder)).size).toBeLessThan(1.5 * 1024 * 1024)
  })

  it('remove and overwrite calls that are older than the stored days', () => {
    const { store, folder } = open()
    const now = 100 * DAY_MS
    const calls = testCalls(10, (index) => ({
      at: now - index * DAY_MS,
      message: `SAID-${index}.`,
    }))
    store.append(calls, now - 30 * DAY_MS)
    expect(store.append([], now - 5 * DAY_MS).kept).toBe(6)
    expect(store.page(testQuery(), now - 4 * DAY_MS).total).toBe(5)
    store.close()
    const marks = readFileSync(auditPath(folder), 'latin1').match(/SAID-\d/gu)
    expect(marks?.toSorted()).toEqual([0, 1, 2, 3, 4].map((index) => `SAID-${index}`))
  })
})

describe('D6: the file of calls', () => {
  it('keeps no cleared data, in no journal and no file that was moved aside', () => {
    const { store, folder } = open()
    const bytes = (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('')
    writeFileSync(join(folder, 'activity.set-aside.db'), 'WHISPER')
    store.append([testCall({ arguments: '{"word":"WHISPER"}' })], 0)
    expect(bytes()).toContain('WHISPER')
    expect(store.clear()).toEqual({ newest: 1, kept: 0 })
    expect(bytes()).not.toContain('WHISPER')
    expect(store.append([testCall()], 0)).toEqual({ newest: 2, kept: 1 })
  })

  it.skipIf(process.platform === 'win32')(
    'is private to its account, and so are its journals',
    () => {
      const folder = join(tempFolder('audit'), 'activity')
      mkdirSync(folder)
      writeFileSync(auditPath(folder), '', { mode: 0o644 })
      open({}, folder).store.append([testCall()], 0)
      const names = readdirSync(folder).toSorted()
      expect(names).toEqual(['activity.db', 'activity.db-shm', 'activity.db-wal'])
      for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    },
  )

  const withDatabase = (path: string, sql: string): void => {
    using database = new DatabaseSync(path)
    database.exec(sql)
  }
  const linkTo = (text: string, path: string): void => {
    const other = join(tempFolder('elsewhere'), 'other')
    writeFileSync(other, text)
    symlinkSync(other, path)
  }
  it.each([
    ['corrupt', (path: string) => writeFileSync(path, 'This is no database. '.repeat(500))],
    ['corrupt', (path: string) => withDatabase(path, 'PRAGMA user_version = 1')],
    ['newer', (path: string) => withDatabase(path, 'PRAGMA user_version = 99')],
    ['corrupt', (path: string) => linkTo('This is no database either.', path)],
  ])('is moved aside if unusable (%s), and calls go to a new one', (loss, spoil) => {
    const folder = tempFolder('audit')
    spoil(auditPath(folder))
    const { store, lost } = open({}, folder)
    expect(store.append([testCall()], 0).kept).toBe(1)
    expect(lost).toEqual([loss])
    expect(readdirSync(folder)).toContain('activity.set-aside.db')
    // The moved file is deleted once it is older than the stored days.
    store.append([], Date.now() + 3_600_000)
    expect(readdirSync(folder)).not.toContain('activity.set-aside.db')
  })

  it('is replaced if it turns out to be damaged while open', () => {
    const { store, lost, folder } = open()
    store.append(
      testCalls(2_000, () => ({ arguments: 'x'.repeat(1_000) })),
      0,
    )
    store.close()
    const bytes = readFileSync(auditPath(folder))
    writeFileSync(auditPath(folder), bytes.fill(0x5a, 4_096))
    expect(store.append([testCall({ target: 'after' })], 0).kept).toBe(1)
    expect(lost).toEqual(['corrupt'])
    expect(store.page(testQuery(), 0).calls).toMatchObject([{ target: 'after' }])
  })
})
