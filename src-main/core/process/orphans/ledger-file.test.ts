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

import { type LedgerEvent, LedgerFile, OrphanLedger } from './orphan-ledger'

let profileDir: string
beforeEach(() => {
  profileDir = mkdtempSync(join(tmpdir(), 'patchbay-ledger-'))
})
afterEach(() => rmSync(profileDir, { recursive: true, force: true }))

describe('B8 a note that is none', () => {
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
  ])('(%s) is moved aside and said', async (_what, make, reason) => {
    writeFileSync(other(), '{"version":1,"runs":[]}')
    make()
    const events: LedgerEvent[] = []
    const file = new LedgerFile(profileDir)
    const ledger = new OrphanLedger({ file, env: {}, onNotification: (one) => events.push(one) })
    await ledger.ready
    expect(events).toMatchObject([{ kind: 'movedAside', reason }])
    expect(
      readdirSync(profileDir).filter((name) => name.startsWith('children.corrupt-')),
    ).toHaveLength(1)
    expect(file.read()).toMatchObject({ kind: 'runs', runs: [{ appPid: process.pid }] })
    ledger.close()
    expect(readFileSync(other(), 'utf8')).toBe('{"version":1,"runs":[]}')
  })
})

describe('B8 a note that grows', () => {
  it('is to be written again before it has become long', () => {
    const file = new LedgerFile(profileDir)
    const run = '0'.repeat(32)
    const change = { over: { run } }
    expect(file.add(change)).toBe(false)
    file.write([{ run, bootId: '', appPid: 1, children: [] }])
    let added = 0
    while (file.add(change)) added += 1
    expect(added).toBeGreaterThan(1_000)
    expect(statSync(file.path).size).toBeLessThan(300 * 1024)
    file.write([{ run, bootId: '', appPid: 1, children: [] }])
    expect(file.add(change)).toBe(true)
    expect(file.read()).toEqual({ kind: 'runs', runs: [] })
  })

  it.skipIf(process.platform === 'win32')('follows no link that came into its place', () => {
    const file = new LedgerFile(profileDir)
    const run = '0'.repeat(32)
    file.write([{ run, bootId: '', appPid: 1, children: [] }])
    const other = join(profileDir, 'other.json')
    writeFileSync(other, 'untouched')
    rmSync(file.path)
    symlinkSync(other, file.path)
    expect(file.add({ over: { run } })).toBe(false)
    expect(readFileSync(other, 'utf8')).toBe('untouched')
  })
})
