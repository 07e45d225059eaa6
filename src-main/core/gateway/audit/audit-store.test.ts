import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, it, onTestFinished } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { testCall, testQuery } from '../../../../e2e/fixtures/test-calls'
import { auditPath, type NewCall } from './audit-call'
import { type AuditBounds, AuditStore } from './audit-store'

const BOUNDS: AuditBounds = { calls: 10_000, bytes: 64 * 1024 * 1024, exportBytes: 1_000_000 }

type Opened = { readonly store: AuditStore; readonly lost: string[] }

function open(folder: string, bounds: Partial<AuditBounds> = {}): Opened {
  const lost: string[] = []
  const onLost = (loss: string) => void lost.push(loss)
  const store = new AuditStore({ folder, bounds: { ...BOUNDS, ...bounds }, onLost })
  onTestFinished(() => store[Symbol.dispose]())
  return { store, lost }
}

function numbered(
  count: number,
  more: (index: number) => Partial<NewCall> = () => ({}),
): NewCall[] {
  return Array.from({ length: count }, (_, index) =>
    testCall({ target: `t${index}`, ...more(index) }),
  )
}

describe('D6 the calls on the disk', () => {
  it('are paged newest first, and what is newer than a call is found from it on', () => {
    const { store } = open(tempFolder('audit'))
    store.append(numbered(250), 0)
    const first = store.page(testQuery(), 0)
    expect(first).toMatchObject({ total: 250, newest: 250 })
    expect(first.calls.map(({ callId }) => callId).slice(0, 3)).toEqual([250, 249, 248])
    const second = store.page(testQuery({ before: first.calls.at(-1)?.callId }), 0)
    const third = store.page(testQuery({ before: second.calls.at(-1)?.callId }), 0)
    expect([second, third].map(({ calls, total }) => [calls.length, total])).toEqual([
      [100, 250],
      [50, 250],
    ])
    expect(third.calls.at(-1)?.target).toBe('t0')
    expect(store.page(testQuery({ after: 248, limit: 1 }), 0)).toMatchObject({
      calls: [{ callId: 250 }],
      total: 2,
    })
  })

  it('come back as they were told, also those with nothing but what must be there', () => {
    const { store } = open(tempFolder('audit'))
    const bare = testCall({ installationId: undefined, serverName: undefined, outcome: 'rejected' })
    const full = testCall({ message: 'No such file.', arguments: '{"path":"/tmp"}' })
    store.append([bare, full], 0)
    expect(store.page(testQuery(), 0).calls).toEqual([
      { callId: 2, ...full },
      { callId: 1, ...bare },
    ])
  })

  it('outlive the app, and their numbers go on', () => {
    const folder = tempFolder('audit')
    const first = open(folder).store
    first.append(numbered(3), 0)
    first[Symbol.dispose]()
    const { store } = open(folder)
    expect(store.state).toEqual({ newest: 3, kept: 3 })
    expect(store.append(numbered(1), 0)).toEqual({ newest: 4, kept: 4 })
  })
})

describe('D6 the bounds of what is kept', () => {
  it('leave no more calls than they allow, the newest', () => {
    const { store } = open(tempFolder('audit'), { calls: 1_000 })
    for (let round = 0; round < 30; round += 1) store.append(numbered(100), 0)
    const { kept, newest } = store.append([], 0)
    expect(newest).toBe(3_000)
    expect(kept).toBeLessThanOrEqual(1_010)
    expect(kept).toBeGreaterThanOrEqual(1_000)
    expect(store.page(testQuery({ limit: 1 }), 0)).toMatchObject({
      calls: [{ callId: 3_000 }],
      total: kept,
    })
  })

  it('leave no more bytes than they allow, and the file gives its room back', () => {
    const folder = tempFolder('audit')
    const { store } = open(folder, { bytes: 1024 * 1024 })
    for (let round = 0; round < 40; round += 1)
      store.append(
        numbered(50, () => ({ arguments: 'x'.repeat(4_000) })),
        0,
      )
    const { kept } = store.append([], 0)
    expect(kept).toBeGreaterThan(100)
    store[Symbol.dispose]()
    expect(statSync(auditPath(folder)).size).toBeLessThan(1.5 * 1024 * 1024)
  })

  it('leave nothing that is older than the days that are kept', () => {
    const { store } = open(tempFolder('audit'))
    const day = 86_400_000
    const now = 100 * day
    store.append(
      numbered(10, (index) => ({ at: now - index * day })),
      now - 30 * day,
    )
    expect(store.append([], now - 5 * day).kept).toBe(6)
    // Looked for again only when an hour has passed.
    expect(store.append([], now - 5 * day + 1_000).kept).toBe(6)
    expect(store.page(testQuery(), now - 4 * day).total).toBe(5)
  })

  it.each([10_000, 1])(
    'are exported in parts of a size, none twice and none left out',
    (exportBytes) => {
      const { store } = open(tempFolder('audit'), { exportBytes })
      store.append(numbered(500), 0)
      const targets: string[] = []
      let before: number | undefined
      for (let part = 0; part < 501; part += 1) {
        const { text, count, next } = store.export({ before }, 0)
        const lines = text.split('\n').slice(0, -1)
        expect(lines).toHaveLength(count)
        if (count > 1) expect(text.length).toBeLessThanOrEqual(exportBytes)
        targets.push(...lines.map((line) => (JSON.parse(line) as { target: string }).target))
        before = next
        if (next === undefined) break
      }
      expect(targets).toEqual(Array.from({ length: 500 }, (_, index) => `t${499 - index}`))
    },
  )
})

describe('D6 the file of calls', () => {
  function bytesOf(folder: string): string {
    const names = readdirSync(folder)
    return names.map((name) => readFileSync(join(folder, name), 'latin1')).join('')
  }

  it('keeps nothing of what was cleared, in no journal and in nothing that was set aside', () => {
    const folder = tempFolder('audit')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'activity.set-aside.db'), 'WHISPER')
    const { store } = open(folder)
    store.append([testCall({ arguments: '{"word":"WHISPER"}' })], 0)
    expect(bytesOf(folder)).toContain('WHISPER')
    expect(store.clear()).toEqual({ newest: 1, kept: 0 })
    expect(bytesOf(folder)).not.toContain('WHISPER')
    expect(store.append([testCall()], 0)).toEqual({ newest: 2, kept: 1 })
  })

  it.skipIf(process.platform === 'win32')('is its account’s alone, with its journals', () => {
    const folder = join(tempFolder('audit'), 'activity')
    mkdirSync(folder)
    writeFileSync(auditPath(folder), '', { mode: 0o644 })
    const { store } = open(folder)
    store.append([testCall()], 0)
    const names = readdirSync(folder).toSorted()
    expect(names).toEqual(['activity.db', 'activity.db-shm', 'activity.db-wal'])
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['corrupt', (path: string) => writeFileSync(path, 'This is no database. '.repeat(500))],
    ['corrupt', (path: string) => withDatabase(path, 'PRAGMA user_version = 1')],
    ['newer', (path: string) => withDatabase(path, 'PRAGMA user_version = 99')],
    ['corrupt', (path: string) => symlinkSync('/dev/null', path)],
  ])('that cannot be used (%s) is set aside, and calls are kept in a new one', (loss, spoil) => {
    const folder = tempFolder('audit')
    spoil(auditPath(folder))
    const { store, lost } = open(folder)
    expect(lost).toEqual([loss])
    expect(store.append([testCall()], 0).kept).toBe(1)
    expect(readdirSync(folder)).toContain('activity.set-aside.db')
  })

  it('that is damaged while it is open is begun anew in the middle of the work', () => {
    const folder = tempFolder('audit')
    const { store, lost } = open(folder)
    store.append(
      numbered(2_000, () => ({ arguments: 'x'.repeat(1_000) })),
      0,
    )
    store[Symbol.dispose]()
    const bytes = readFileSync(auditPath(folder))
    bytes.fill(0x5a, 4_096)
    writeFileSync(auditPath(folder), bytes)
    expect(store.append([testCall({ target: 'after' })], 0).kept).toBe(1)
    expect(lost).toEqual(['corrupt'])
    expect(store.page(testQuery(), 0).calls).toMatchObject([{ target: 'after' }])
  })

  it('that was set aside goes when it is older than the days that are kept', () => {
    const folder = tempFolder('audit')
    const aside = join(folder, 'activity.set-aside.db')
    writeFileSync(aside, 'old')
    utimesSync(aside, 0, 0)
    const { store } = open(folder)
    store.append([], Date.now() - 3_600_000)
    expect(readdirSync(folder)).toContain('activity.set-aside.db')
    store.append([], Date.now() + 3_600_000)
    expect(readdirSync(folder)).not.toContain('activity.set-aside.db')
  })
})

function withDatabase(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
