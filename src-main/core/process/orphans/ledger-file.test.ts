import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { noticeOf } from './ledger-notices'
import { type LedgerEvent, LedgerFile, OrphanLedger, parseLedger } from './orphan-ledger'
import type { RunRecord } from './reap-orphans'

let profileDir: string
beforeEach(() => {
  profileDir = mkdtempSync(join(tmpdir(), 'patchbay-ledger-'))
})
afterEach(() => rmSync(profileDir, { recursive: true, force: true }))

describe('B8: an invalid ledger', () => {
  const other = (): string => join(profileDir, 'other.json')
  const note = (): string => join(profileDir, 'children.json')

  it.each([
    [
      'broken',
      () => writeFileSync(note(), '{"version":1,"runs":[{'),
      'The file was not written by Patchbay.',
    ],
    [
      'of another kind',
      () => writeFileSync(note(), '{"version":2,"runs":[]}'),
      'The file was not written by Patchbay.',
    ],
    ['empty', () => writeFileSync(note(), ''), 'The file was not written by Patchbay.'],
    ['a folder', () => mkdirSync(note()), 'This isn’t a file.'],
    ['a link', () => symlinkSync(other(), note()), 'The file is a link to another place.'],
  ])('(%s) is moved aside and reported', async (_what, make, reason) => {
    writeFileSync(other(), '{"version":1,"runs":[]}')
    make()
    const events: LedgerEvent[] = []
    const file = new LedgerFile(profileDir)
    const ledger = new OrphanLedger({ file, env: {}, onNotification: (one) => events.push(one) })
    await ledger.ready
    expect(events).toMatchObject([{ kind: 'movedAside', reason }])
    expect(events.map((one) => noticeOf(one, () => undefined).message)).toEqual([
      expect.stringContaining(`couldn’t be used. ${reason} It was kept as ${profileDir}`),
    ])
    expect(
      readdirSync(profileDir).filter((name) => name.startsWith('children.corrupt-')),
    ).toHaveLength(1)
    expect(file.read()).toMatchObject({ kind: 'runs', runs: [{ appPid: process.pid }] })
    ledger.close()
    expect(readFileSync(other(), 'utf8')).toBe('{"version":1,"runs":[]}')
  })
})

describe('B8: ledger updates', () => {
  const runsOf = (pid: number): RunRecord[] => [
    { run: '0'.repeat(32), bootId: '', appPid: pid, children: [] },
  ]

  it('survive a kill in the middle of a line: the previous line counts', () => {
    const file = new LedgerFile(profileDir)
    for (const pid of [1, 2, 3]) file.write(runsOf(pid))
    const whole = readFileSync(file.path, 'utf8')
    expect(parseLedger(whole)).toEqual(runsOf(3))
    const last = whole.trimEnd().lastIndexOf('\n') + 1
    for (let end = last; end < whole.length - 1; end += 1)
      expect(parseLedger(whole.slice(0, end))).toEqual(runsOf(2))
    expect(parseLedger(whole.trimEnd())).toEqual(runsOf(3))
  })

  it('replace the file before it grows long', () => {
    const file = new LedgerFile(profileDir)
    for (let pid = 1; pid <= 20_000; pid += 1) file.write(runsOf(pid))
    expect(statSync(file.path).size).toBeLessThan(1.1 * 1024 * 1024)
    expect(file.read()).toEqual({ kind: 'runs', runs: runsOf(20_000) })
  })

  it.skipIf(process.platform === 'win32')("don't follow a link that replaced the file", () => {
    const file = new LedgerFile(profileDir)
    file.write(runsOf(1))
    const other = join(profileDir, 'other.json')
    writeFileSync(other, 'untouched')
    rmSync(file.path)
    symlinkSync(other, file.path)
    file.write(runsOf(2))
    expect(readFileSync(other, 'utf8')).toBe('untouched')
    expect(file.read()).toEqual({ kind: 'runs', runs: runsOf(2) })
  })
})
