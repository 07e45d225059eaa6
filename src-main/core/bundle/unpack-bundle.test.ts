import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeBundle } from '../../../e2e/fixtures/make-bundle'
import { zipBytes, type ZipEntry } from '../../../e2e/fixtures/zip-bytes'
import { AppError } from '../../../src-shared/domain/app-error'
import { type BundleLimits, DEFAULT_BUNDLE_LIMITS } from './bundle-limits'
import { unpackBundle, type Unpacked } from './unpack-bundle'

let home: string
let folder: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'patchbay-unpack-'))
  folder = join(home, 'bundle')
  mkdirSync(folder)
})
afterEach(() => rm(home, { recursive: true, force: true }))

type Change = {
  readonly limits?: Partial<BundleLimits>
  readonly platform?: NodeJS.Platform
  readonly signal?: AbortSignal
  readonly onFile?: (files: number, total: number) => void
}

async function unpack(bytes: Buffer, change: Change = {}): Promise<Unpacked> {
  const file = join(home, 'file.mcpb')
  writeFileSync(file, bytes)
  return unpackBundle(file, folder, {
    limits: { ...DEFAULT_BUNDLE_LIMITS, ...change.limits },
    platform: change.platform ?? 'linux',
    signal: change.signal ?? new AbortController().signal,
    onFile: change.onFile ?? (() => undefined),
  })
}

async function refusal(bytes: Buffer, change?: Change): Promise<AppError> {
  const error: unknown = await unpack(bytes, change).catch((reason: unknown) => reason)
  if (error instanceof AppError) return error
  throw new Error(`Expected an AppError, got ${JSON.stringify(error)}`)
}

function names(): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted()
}

describe('unpacking a bundle', () => {
  it('writes what a publisher packed, for this account alone', async () => {
    const told: string[] = []
    const bytes = await makeBundle({ 'manifest.json': '{}', 'server/deep/main.js': 'x'.repeat(9) })
    const unpacked = await unpack(bytes, {
      onFile: (files, total) => told.push(`${String(files)}/${String(total)}`),
    })
    expect(unpacked).toEqual({ files: 2, bytes: 11 })
    expect(told).toEqual(['1/2', '2/2'])
    expect(readFileSync(join(folder, 'server/deep/main.js'), 'utf8')).toBe('x'.repeat(9))
    expect(statSync(join(folder, 'server')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'manifest.json')).mode & 0o777).toBe(0o600)
  })

  it('keeps the bit of a program, without its special bits and for no other account', async () => {
    await unpack(zipBytes([{ name: 'run', data: 'x', mode: 0o104755 }]))
    expect(statSync(join(folder, 'run')).mode & 0o7777).toBe(0o700)
  })

  it('makes folders that stand in the archive by themselves', async () => {
    await unpack(
      zipBytes([
        { name: 'empty/', mode: 0o040755 },
        { name: 'empty/a', data: 'x' },
      ]),
    )
    expect(readdirSync(join(folder, 'empty'))).toEqual(['a'])
  })
})

describe('names that would leave the folder', () => {
  it.each([
    '../escaped',
    'a/../../escaped',
    '/escaped',
    '..\\escaped',
    'a\\..\\..\\escaped',
    'C:/escaped',
    'c:escaped',
    '//server/share/escaped',
    'a//b',
    './a',
    'a/./b',
    'a/..',
    '..',
    '.',
    '',
    '/',
    'a\u0000b',
    'a\nb',
    'a:stream',
    'main.js:stream',
    'a\\b',
    'x'.repeat(300),
    `${'d/'.repeat(600)}x`,
  ])('refuses %j and writes nothing outside', async (name) => {
    const error = await refusal(zipBytes([{ name, data: 'bad' }]))
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(names().filter((one) => !one.startsWith('bundle/'))).toEqual(['bundle', 'file.mcpb'])
    expect(existsSync(join(home, '..', 'escaped'))).toBe(false)
  })

  it('refuses a name that another field of the entry hides', async () => {
    const bytes = zipBytes([{ name: 'harmless', unicodeName: '../escaped', data: 'bad' }])
    expect((await refusal(bytes)).message).toMatch(/escaped/)
    expect(names()).toEqual(['bundle', 'file.mcpb'])
  })

  it.each(['aux', 'NUL.txt', 'com1.js', 'a.', 'b ', 'what?'])(
    'refuses %j on Windows alone',
    async (name) => {
      const bytes = zipBytes([{ name: `server/${name}`, data: 'x' }])
      expect((await refusal(bytes, { platform: 'win32' })).message).toMatch(/Windows/)
      expect((await unpack(bytes)).files).toBe(1)
    },
  )
})

describe('entries that are no plain files', () => {
  it.each([
    ['a link', 0o120777],
    ['a pipe', 0o010644],
    ['a device', 0o020644],
    ['a socket', 0o140644],
    ['a folder under a file name', 0o040755],
  ])('refuses %s', async (_, mode) => {
    const bytes = zipBytes([
      { name: 'way', data: '../..', mode },
      { name: 'way/escaped', data: 'x' },
    ])
    const error = await refusal(bytes)
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(error.message).toMatch(/"way" is a link or a special file/)
    expect(names()).toEqual(['bundle', 'file.mcpb'])
  })

  it('refuses what is encrypted', async () => {
    expect((await refusal(zipBytes([{ name: 'a', data: 'x', isEncrypted: true }]))).message).toBe(
      'The bundle is encrypted.',
    )
  })
})

describe('names that would be one file', () => {
  it.each([
    ['the same', ['a.js', 'a.js']],
    ['another case', ['server/Main.js', 'server/main.js']],
    ['another spelling of an accent', ['caf\u00e9', 'cafe\u0301']],
    ['a file and a folder', ['a', 'a/b']],
    ['a folder and a file', ['a/b', 'A']],
  ] as const)('refuses %s', async (_, both) => {
    const error = await refusal(zipBytes(both.map((name) => ({ name, data: 'x' }))))
    expect(error.message).toMatch(/would be one file/)
  })
})

describe('archives that would grow', () => {
  const zeros = (mb: number): Buffer => Buffer.alloc(mb * 1024 * 1024)

  it('stops a bomb long before it is unpacked', async () => {
    const error = await refusal(zipBytes([{ name: 'bomb', data: zeros(64) }]))
    expect(error.message).toMatch(/"bomb" becomes far larger/)
    expect(statSync(join(folder, 'bomb')).size).toBeLessThan(32 * 1024 * 1024)
  })

  it('stops a bomb whose headers lie about its size', async () => {
    const error = await refusal(zipBytes([{ name: 'bomb', data: zeros(64), declaredBytes: 10 }]))
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(statSync(join(folder, 'bomb')).size).toBeLessThan(1024 * 1024)
  })

  it('stops many entries that share one piece of data', async () => {
    const first: ZipEntry = { name: 'f0', data: zeros(8) }
    const others = Array.from({ length: 200 }, (_, n) => ({
      name: `f${String(n + 1)}`,
      data: first.data ?? '',
      dataOf: 0,
    }))
    const error = await refusal(zipBytes([first, ...others]))
    expect(error.message).toMatch(/its files become far larger/)
    expect(readdirSync(folder).length).toBeLessThan(10)
  })

  it('holds the limits of one file and of all', async () => {
    const bytes = zipBytes([
      { name: 'a', data: Buffer.alloc(600, 'a') },
      { name: 'b', data: Buffer.alloc(600, 'b') },
    ])
    expect((await refusal(bytes, { limits: { entryBytes: 500 } })).message).toMatch(/"a" becomes/)
    await rm(folder, { recursive: true })
    expect((await refusal(bytes, { limits: { totalBytes: 1_000 } })).message).toMatch(/its files/)
  })

  it('refuses 100,000 entries before the first is written', async () => {
    const entries = Array.from({ length: 100_000 }, (_, n) => ({ name: `f${String(n)}` }))
    const error = await refusal(zipBytes(entries, { entryCount: 65_535 }))
    expect(error.message).toMatch(/more than 50000 files and folders/)
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a path through more folders than anybody makes', async () => {
    const error = await refusal(zipBytes([{ name: `${'a/'.repeat(400)}f` }]))
    expect(error.message).toMatch(/lies in too many folders/)
    expect(readdirSync(folder)).toEqual([])
    await unpack(zipBytes([{ name: `${'a/'.repeat(31)}f` }]))
  })

  it('counts the folders that only paths name', async () => {
    const entries = Array.from({ length: 10 }, (_, n) => ({ name: `${String(n)}/b/c/f` }))
    const error = await refusal(zipBytes(entries), { limits: { entries: 39 } })
    expect(error.message).toMatch(/more than 39 files and folders/)
    await rm(folder, { recursive: true })
    expect((await unpack(zipBytes(entries), { limits: { entries: 40 } })).files).toBe(10)
  })

  it('unpacks no more entries than the archive names', async () => {
    const entries = Array.from({ length: 30 }, (_, n) => ({ name: `f${String(n)}` }))
    expect((await unpack(zipBytes(entries, { entryCount: 5 }))).files).toBe(5)
  })
})

describe('files that are no archives', () => {
  it.each([
    ['text', Buffer.from('no zip')],
    ['nothing', Buffer.alloc(0)],
    ['half an archive', zipBytes([{ name: 'a', data: 'x'.repeat(999) }]).subarray(0, 60)],
  ])('refuses %s', async (_, bytes) => {
    expect((await refusal(bytes)).message).toMatch(/no zip archive/)
  })

  it('refuses damaged data', async () => {
    const bytes = zipBytes([{ name: 'abc', data: 'x'.repeat(999) }])
    bytes.fill(0xff, 33, 40)
    expect((await refusal(bytes)).code).toBe('INVALID_BUNDLE')
  })

  it('does not begin when the person has cancelled', async () => {
    const bytes = zipBytes([{ name: 'folder/', mode: 0o040755 }])
    expect((await refusal(bytes, { signal: AbortSignal.abort() })).code).toBe('REQUEST_CANCELLED')
    expect(readdirSync(folder)).toEqual([])
  })

  it('ends when the person cancels', async () => {
    const entries = Array.from({ length: 50 }, (_, n) => ({ name: `f${String(n)}`, data: 'x' }))
    const end = new AbortController()
    const error = await refusal(zipBytes(entries), {
      signal: end.signal,
      onFile: (files) => files === 3 && end.abort(),
    })
    expect(error.code).toBe('REQUEST_CANCELLED')
    expect(readdirSync(folder).length).toBeLessThan(10)
  })
})
