import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { LedgerFile } from './ledger-file'
import { type LedgerNews, OrphanLedger } from './orphan-ledger'

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
      'It does not hold what Patchbay writes there.',
    ],
    [
      'of another kind',
      () => writeFileSync(note(), '{"version":2,"runs":[]}'),
      'It does not hold what Patchbay writes there.',
    ],
    ['empty', () => writeFileSync(note(), ''), 'It does not hold what Patchbay writes there.'],
    ['a folder', () => mkdirSync(note()), 'It is not a file.'],
    ['a link', () => symlinkSync(other(), note()), 'It is a link to another place.'],
  ])('(%s) is moved aside and said', async (_what, make, reason) => {
    writeFileSync(other(), '{"version":1,"runs":[]}')
    make()
    const news: LedgerNews[] = []
    const file = new LedgerFile(profileDir)
    const ledger = new OrphanLedger({ file, env: {}, onNews: (one) => news.push(one) })
    await ledger.ready
    expect(news).toMatchObject([{ kind: 'movedAside', reason }])
    expect(
      readdirSync(profileDir).filter((name) => name.startsWith('children.corrupt-')),
    ).toHaveLength(1)
    expect(file.read()).toMatchObject({ kind: 'runs', runs: [{ appPid: process.pid }] })
    ledger.close()
    expect(readFileSync(other(), 'utf8')).toBe('{"version":1,"runs":[]}')
  })
})
