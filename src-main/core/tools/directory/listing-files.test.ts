import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
import { NO_CAPABILITIES } from '../../../../src-shared/domain/agents/capability'
import { ListingFiles, type StoredListing } from './listing-files'

let folder = ''
let time = new ManualClock()
let lost: [string, string | undefined][] = []
let troubles: (string | undefined)[] = []

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'patchbay-shelf-')), 'tools')
  time = new ManualClock()
  lost = []
  troubles = []
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

function open(): ListingFiles {
  return new ListingFiles({
    folder,
    time,
    onLost: (id, reason) => lost.push([id, reason]),
    onProblem: (message) => troubles.push(message),
  })
}

function listing(...names: string[]): StoredListing {
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }))
  return { capabilities: { ...NO_CAPABILITIES, tools }, packageVersion: '1.2.0', listedAt: 7 }
}

async function loaded(
  ids: readonly string[],
): Promise<{ listingFiles: ListingFiles; read: string[] }> {
  const listingFiles = open()
  const read: string[] = []
  await listingFiles.load(ids, (id) => read.push(id))
  return { listingFiles, read }
}

const fileOf = (id: string): string => join(folder, `${id}.listing.json`)

describe('C8: the stored listings', () => {
  it('are returned as stored, also after a restart', async () => {
    const listingFiles = open()
    listingFiles.store('a', listing('one', 'two'))
    expect(listingFiles.read('a')).toEqual(listing('one', 'two'))
    listingFiles[Symbol.dispose]()
    const next = await loaded(['a', 'never-listed'])
    expect(next.read).toEqual(['a'])
    expect(next.listingFiles.read('a')).toEqual(listing('one', 'two'))
    expect(lost).toEqual([])
  })

  it('are written once for several changes of a server', () => {
    const listingFiles = open()
    for (const name of ['one', 'two', 'three']) listingFiles.store('a', listing(name))
    expect(time.waiting).toBe(1)
    expect(existsSync(fileOf('a'))).toBe(false)
    time.pass(1_000)
    expect(readFileSync(fileOf('a'), 'utf8')).toContain('"three"')
    expect(time.waiting).toBe(0)
  })

  it('are written one server after the other', () => {
    const listingFiles = open()
    for (const id of ['a', 'b']) listingFiles.store(id, listing('one'))
    expect(time.waiting).toBe(1)
    time.pass(1_000)
    expect(['a', 'b'].map((id) => existsSync(fileOf(id)))).toEqual([true, true])
  })

  it('never replace a newer listing when they load', async () => {
    const before = open()
    before.store('a', listing('old'))
    before[Symbol.dispose]()
    const listingFiles = open()
    const loading = listingFiles.load(['a'], () => expect.unreachable())
    listingFiles.store('a', listing('new'))
    await loading
    expect(listingFiles.read('a')).toEqual(listing('new'))
  })

  it("stay in their folder, whatever the server's id", async () => {
    const id = '../../escaped'
    const listingFiles = open()
    listingFiles.store(id, listing('one'))
    listingFiles[Symbol.dispose]()
    expect((await loaded([id])).read).toEqual([id])
    expect(existsSync(join(folder, '..', '..', 'escaped.listing.json'))).toBe(false)
  })

  it('are deleted for servers that are gone, and other files stay', () => {
    const listingFiles = open()
    for (const id of ['a', 'b', 'c']) listingFiles.store(id, listing('one'))
    listingFiles[Symbol.dispose]()
    writeFileSync(join(folder, 'tokens.json'), '{}')
    listingFiles.remove('c')
    listingFiles.sweep(['a'])
    expect(['a', 'b', 'c'].map((id) => existsSync(fileOf(id)))).toEqual([true, false, false])
    expect(existsSync(join(folder, 'tokens.json'))).toBe(true)
  })

  it.each([
    ['is incomplete', '{"version":1,"listing":{"capab', 'The file isn’t valid JSON.'],
    ['has another schema', '{"version":1,"listing":{}}', 'The file was not written'],
    [
      'is nested too deeply',
      JSON.stringify({ version: 1, listing: listing('one') }).replace(
        '{"type":"object"}',
        `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      ),
      'The list is nested too deeply.',
    ],
  ])('are reported once if a file %s, and the file stays', async (_, text, reason) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(fileOf('a'), text)
    const { listingFiles, read } = await loaded(['a'])
    expect([read, listingFiles.read('a')]).toEqual([[], undefined])
    expect(lost).toEqual([['a', expect.stringContaining(reason) as string]])
    expect(readFileSync(fileOf('a'), 'utf8')).toBe(text)
  })

  it('are not read or written through a link', async () => {
    mkdirSync(folder, { recursive: true })
    const target = join(folder, '..', 'somebody-elses')
    writeFileSync(target, 'precious')
    symlinkSync(target, fileOf('a'))
    const { listingFiles } = await loaded(['a'])
    expect(lost).toHaveLength(1)
    listingFiles.store('a', listing('one'))
    listingFiles[Symbol.dispose]()
    expect(readFileSync(target, 'utf8')).toBe('precious')
    expect((await loaded(['a'])).read).toEqual(['a'])
  })

  it("are reported once if they can't be written, and again when they can", () => {
    writeFileSync(folder, 'a file in the place of the folder')
    const listingFiles = open()
    listingFiles.store('a', listing('one'))
    time.pass(1_000)
    listingFiles.store('b', listing('one'))
    time.pass(1_000)
    expect(troubles).toEqual([expect.stringMatching(/^Can’t save tool lists \(/)])
    rmSync(folder)
    listingFiles.store('a', listing('two'))
    time.pass(1_000)
    expect(troubles.slice(1)).toEqual([undefined])
  })

  it('keep the last good list of a server whose list would slow down the next start', async () => {
    const listingFiles = open()
    listingFiles.store('a', listing('one'))
    time.pass(1_000)
    listingFiles.store('a', listing('x'.repeat(17 * 1024 * 1024)))
    time.pass(1_000)
    expect(troubles).toEqual(['Can’t save tool lists (it has more than 16 MB).'])
    expect((await loaded(['a'])).listingFiles.read('a')).toEqual(listing('one'))
  })

  it('retract the report of a lost list when the server lists again or is removed', async () => {
    mkdirSync(folder, { recursive: true })
    for (const id of ['a', 'b']) writeFileSync(fileOf(id), '')
    const { listingFiles } = await loaded(['a', 'b', 'c'])
    expect(lost.map(([id]) => id)).toEqual(['a', 'b'])
    listingFiles.store('a', listing('one'))
    for (const id of ['a', 'b', 'c']) listingFiles.remove(id)
    expect(lost.slice(2)).toEqual([
      ['a', undefined],
      ['b', undefined],
    ])
  })
})
