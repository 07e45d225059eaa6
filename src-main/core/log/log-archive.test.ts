import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { LogArchive } from './log-archive'

const DAY = 86_400_000
const MEGABYTE = 1024 * 1024

let home = ''
let folder = ''
const archives: LogArchive[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'patchbay-logs-'))
  folder = join(home, 'logs')
})
afterEach(async () => {
  await Promise.all(archives.splice(0).map((archive) => archive.close()))
  rmSync(home, { recursive: true, force: true })
})

type Opened = {
  archive: LogArchive
  limits: { maxBytes: number; maxAgeMs: number }
  troubles: string[]
}

function open(limits = { maxBytes: 2 * MEGABYTE, maxAgeMs: 10 * DAY }): Opened {
  const troubles: string[] = []
  const archive = new LogArchive({
    folder,
    limits: () => limits,
    onProblem: (id, message) => troubles.push(`${id}: ${message}`),
    onSweepProblem: (message) => troubles.push(message),
  })
  archives.push(archive)
  return { archive, limits, troubles }
}

const entry = (seq: number, part: Partial<LogEntry> = {}): LogEntry => ({
  seq,
  at: 0,
  source: 'stderr',
  level: 'info',
  text: `line ${String(seq)}`,
  ...part,
})

const current = (id = 'a'): string => readFileSync(join(folder, id, 'server.log'), 'utf8')

const untilFiles = (archive: LogArchive, count: number): Promise<void> =>
  expect.poll(async () => (await archive.usage()).files).toBeGreaterThanOrEqual(count)

function plant(id: string, name: string, bytes: number, daysAgo: number): void {
  mkdirSync(join(folder, id), { recursive: true })
  const file = join(folder, id, name)
  writeFileSync(file, 'x'.repeat(bytes))
  const at = new Date(Date.now() - daysAgo * DAY)
  utimesSync(file, at, at)
}

describe("B1: a server's log files", () => {
  it('contain its lines as text, in a private folder with private files', async () => {
    const { archive } = open()
    archive.append('a', entry(0))
    archive.append('a', entry(1, { level: 'warn', source: 'stdout', text: 'x', continues: true }))
    await archive.close()
    expect(current()).toBe(
      '1970-01-01T00:00:00.000Z  stderr  info  line 0\n1970-01-01T00:00:00.000Z  stdout  warn  x …\n',
    )
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'a', 'server.log')).mode & 0o777).toBe(0o600)
  })

  it('continue where they ended', async () => {
    for (const seq of [0, 0]) {
      const { archive } = open()
      archive.append('a', entry(seq))
      await archive.close()
    }
    expect(current().split('\n')).toHaveLength(3)
  })

  it('count missing lines', async () => {
    const { archive } = open()
    archive.append('a', entry(0))
    archive.append('a', entry(5))
    await archive.close()
    expect(current().split('\n')[1]).toContain('(4 lines are missing here')
  })

  it('stay within their limit and keep the newest lines', async () => {
    const { archive } = open()
    let most = 0
    for (let seq = 0; seq < 60_000; seq += 1) {
      archive.append('a', entry(seq, { text: 'x'.repeat(100) }))
      if (seq % 2_000 > 0) continue
      await pause(5)
      most = Math.max(most, (await archive.usage()).bytes)
    }
    archive.append('a', entry(60_000, { text: 'the last one' }))
    await archive.close()
    expect(most).toBeLessThanOrEqual(2 * MEGABYTE)
    const usage = await archive.usage()
    expect(usage.bytes).toBeGreaterThan(MEGABYTE)
    expect(usage.files).toBeGreaterThan(3)
    expect(current()).toContain('the last one')
    for (const name of readdirSync(join(folder, 'a'))) {
      expect(statSync(join(folder, 'a', name)).mode & 0o777).toBe(0o600)
    }
  })

  it('shrink with their limit while being written', async () => {
    const { archive, limits } = open()
    for (let seq = 0; seq < 15_000; seq += 1)
      archive.append('a', entry(seq, { text: 'x'.repeat(100) }))
    await archive.sweep()
    limits.maxBytes = MEGABYTE
    await archive.sweep()
    archive.append('a', entry(15_000, { text: 'after it' }))
    await archive.close()
    expect((await archive.usage()).bytes).toBeLessThanOrEqual(MEGABYTE)
    expect(current()).toContain('after it')
  })

  it('are deleted when too old, even for stopped servers', async () => {
    plant('a', 'server-1-1.log', 10, 11)
    plant('a', 'server.log', 10, 9)
    plant('b', 'server.log', 10, 11)
    plant('b', 'notes.txt', 10, 11)
    await open().archive.sweep()
    expect(readdirSync(join(folder, 'a'))).toEqual(['server.log'])
    expect(readdirSync(join(folder, 'b'))).toEqual(['notes.txt'])
  })

  it('get a new file each day', async () => {
    plant('a', 'server.log', 10, 2)
    const { archive } = open()
    archive.append('a', entry(0))
    await archive.close()
    expect(readdirSync(join(folder, 'a'))).toHaveLength(2)
    expect(current()).toContain('line 0')
  })

  it('can all be deleted, and later lines are written again', async () => {
    plant('gone', 'server.log', 500, 1)
    const { archive } = open()
    archive.append('a', entry(0))
    await untilFiles(archive, 2)
    expect(await archive.usage()).toMatchObject({ files: 2, folder })
    await archive.clear()
    expect(await archive.usage()).toEqual({ bytes: 0, files: 0, folder })
    archive.append('a', entry(1))
    await archive.close()
    expect(current()).toMatch(/^[^\n]*line 1\n$/u)
  })

  it('are deleted with their server', async () => {
    const { archive } = open()
    archive.append('a', entry(0))
    await untilFiles(archive, 1)
    await archive.remove('a')
    expect(readdirSync(folder)).toEqual([])
  })
})

describe("B1: a log that can't be written", () => {
  it('reports that once and continues in bounded memory', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'a'), 'a file in its place')
    const { archive, troubles } = open()
    for (let seq = 0; seq < 60_000; seq += 1) {
      archive.append('a', entry(seq, { text: 'x'.repeat(100) }))
      if (seq % 5_000 === 0) await pause(10)
    }
    await archive.close()
    expect(troubles).toHaveLength(1)
    expect(troubles[0]).toMatch(/^a: The log file couldn’t be written \(.+\)\. /u)
  })

  it("doesn't follow a link out of the profile", async () => {
    const elsewhere = join(home, 'elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(folder)
    symlinkSync(elsewhere, join(folder, 'a'))
    writeFileSync(join(elsewhere, 'server.log'), 'precious')
    const { archive, troubles } = open({ maxBytes: MEGABYTE, maxAgeMs: -1 })
    await archive.sweep()
    archive.append('a', entry(0))
    await archive.close()
    await archive.clear()
    expect(troubles).toHaveLength(1)
    expect(readFileSync(join(elsewhere, 'server.log'), 'utf8')).toBe('precious')
  })

  it("doesn't write through a link in place of its file", async () => {
    const elsewhere = join(home, 'elsewhere.log')
    writeFileSync(elsewhere, 'precious')
    mkdirSync(join(folder, 'a'), { recursive: true })
    symlinkSync(elsewhere, join(folder, 'a', 'server.log'))
    const { archive, troubles } = open()
    archive.append('a', entry(0))
    await archive.close()
    expect(troubles).toHaveLength(1)
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
  })

  it("has no file if its id isn't a valid folder name", async () => {
    const { archive } = open()
    for (const id of ['../up', 'a/b', '..', '', 'c:d']) archive.append(id, entry(0))
    await archive.remove('../..')
    await archive.close()
    expect(readdirSync(home)).toEqual([])
  })
})
