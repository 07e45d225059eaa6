import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeBundle } from '../../../../e2e/fixtures/make-bundle'
import { UnpackHarness } from '../../../../e2e/fixtures/unpack-harness'
import { zipBytes } from '../../../../e2e/fixtures/zip-bytes'

let harness: UnpackHarness
beforeEach(async () => {
  harness = await UnpackHarness.open()
})
afterEach(() => harness[Symbol.asyncDispose]())

describe('unpacking a bundle', () => {
  it('writes what a publisher packed, for this account only', async () => {
    const reported: string[] = []
    const bytes = await makeBundle({ 'manifest.json': '{}', 'server/deep/main.js': 'x'.repeat(9) })
    const unpacked = await harness.unpack(bytes, {
      onFile: (files, total) => reported.push(`${String(files)}/${String(total)}`),
    })
    expect(unpacked).toEqual({ files: 2, bytes: 11 })
    expect(reported).toEqual(['1/2', '2/2'])
    expect(readFileSync(join(harness.folder, 'server/deep/main.js'), 'utf8')).toBe('x'.repeat(9))
    expect(statSync(join(harness.folder, 'server')).mode & 0o777).toBe(0o700)
    expect(statSync(join(harness.folder, 'manifest.json')).mode & 0o777).toBe(0o600)
  })

  it("keeps a program's executable bit, without special bits and for no other account", async () => {
    await harness.unpack(zipBytes([{ name: 'run', data: 'x', mode: 0o104755 }]))
    expect(statSync(join(harness.folder, 'run')).mode & 0o7777).toBe(0o700)
  })

  it.each([
    ['a script', '#!/bin/sh\necho helped\n'],
    ['an ELF program', '\u007fELF\u0002'],
    ['a Mach-O program', Buffer.from('cffaedfe07000001', 'hex')],
  ])('makes %s executable if the archive has no such bit (S19)', async (_, data) => {
    const entries = [
      { name: 'bin/helper', data, mode: 0, host: 0 },
      { name: 'notes.txt', data: 'x', mode: 0, host: 0 },
    ]
    await harness.unpack(zipBytes(entries))
    expect(statSync(join(harness.folder, 'bin/helper')).mode & 0o777).toBe(0o700)
    expect(statSync(join(harness.folder, 'notes.txt')).mode & 0o777).toBe(0o600)
  })

  it('reads backslashes of a Windows archive as folders (S19)', async () => {
    await harness.unpack(
      zipBytes([
        { name: 'server\\deep\\', host: 0, mode: 0 },
        { name: 'server\\main.js', data: 'x', host: 0, mode: 0 },
      ]),
    )
    expect(readFileSync(join(harness.folder, 'server/main.js'), 'utf8')).toBe('x')
    expect(readdirSync(join(harness.folder, 'server/deep'))).toEqual([])
  })

  it('creates folders that have their own entries in the archive', async () => {
    await harness.unpack(
      zipBytes([
        { name: 'empty/', mode: 0o040755 },
        { name: 'empty/a', data: 'x' },
      ]),
    )
    expect(readdirSync(join(harness.folder, 'empty'))).toEqual(['a'])
  })
})

describe('names outside the folder', () => {
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
  ])('are rejected without writing outside: %j', async (name) => {
    const error = await harness.refusal(zipBytes([{ name, data: 'bad' }]))
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(harness.names().filter((one) => !one.startsWith('bundle/'))).toEqual([
      'bundle',
      'file.mcpb',
    ])
    expect(existsSync(join(harness.home, '..', 'escaped'))).toBe(false)
  })

  it.each(['..\\escaped', 'a\\..\\..\\escaped', '\\escaped', 'C:\\escaped', 'a\\\\b', '.\\a'])(
    'are rejected in a Windows archive without writing outside: %j',
    async (name) => {
      const error = await harness.refusal(zipBytes([{ name, data: 'bad', host: 0, mode: 0 }]))
      expect(error.message).toMatch(/^The bundle was not unpacked: its file /)
      expect(harness.names().filter((one) => !one.startsWith('bundle/'))).toEqual([
        'bundle',
        'file.mcpb',
      ])
    },
  )

  it('are rejected in another field of the entry', async () => {
    const bytes = zipBytes([{ name: 'harmless', unicodeName: '../escaped', data: 'bad' }])
    expect((await harness.refusal(bytes)).message).toMatch(/escaped/)
    expect(harness.names()).toEqual(['bundle', 'file.mcpb'])
  })

  it.each(['aux', 'NUL.txt', 'com1.js', 'a.', 'b ', 'what?'])(
    'are rejected on Windows only: %j',
    async (name) => {
      const bytes = zipBytes([{ name: `server/${name}`, data: 'x' }])
      expect((await harness.refusal(bytes, { platform: 'win32' })).message).toMatch(/Windows/)
      expect((await harness.unpack(bytes)).files).toBe(1)
    },
  )
})

describe("entries that aren't plain files", () => {
  it.each([
    ['a link', 0o120777],
    ['a pipe', 0o010644],
    ['a device', 0o020644],
    ['a socket', 0o140644],
    ["a folder with a file's name", 0o040755],
  ])('are rejected: %s', async (_, mode) => {
    const bytes = zipBytes([
      { name: 'way', data: '../..', mode },
      { name: 'way/escaped', data: 'x' },
    ])
    const error = await harness.refusal(bytes)
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(error.message).toMatch(/"way" is a link or a special file/)
    expect(harness.names()).toEqual(['bundle', 'file.mcpb'])
  })

  it('are rejected if encrypted', async () => {
    expect(
      (await harness.refusal(zipBytes([{ name: 'a', data: 'x', isEncrypted: true }]))).message,
    ).toBe('The bundle is encrypted.')
  })
})

describe('names of the same file', () => {
  const pack = (names: readonly string[]): Buffer =>
    zipBytes(names.map((name) => ({ name, data: 'x' })))

  it.each([
    ['the same', ['a.js', 'a.js']],
    ['another case', ['server/Main.js', 'server/main.js']],
    ['another spelling of an accent', ['caf\u00e9', 'cafe\u0301']],
    ['a file and a folder', ['a', 'a/b']],
    ['a folder and a file', ['a/b', 'A']],
  ] as const)('are rejected with %s if the disk folds case and accents', async (_, both) => {
    const error = await harness.refusal(pack(both), { disk: { case: true, accents: true } })
    expect(error.message).toMatch(/would become the same file/)
  })

  it('are both kept if the disk keeps them, and reported (S19)', async () => {
    const disk = { case: false, accents: false }
    const unpacked = await harness.unpack(pack(['a/Index.js', 'a/index.js']), { disk })
    expect(unpacked).toEqual({ files: 2, bytes: 2, twins: ['a/Index.js', 'a/index.js'] })
    expect(readdirSync(join(harness.folder, 'a')).toSorted()).toEqual(['Index.js', 'index.js'])
  })

  it("don't include folders with different files", async () => {
    const disk = { case: false, accents: false }
    expect(await harness.unpack(pack(['A/one', 'a/two']), { disk })).toEqual({ files: 2, bytes: 2 })
  })

  it('are decided by probing the disk, which leaves nothing', async () => {
    await harness.unpack(pack(['one']))
    expect(readdirSync(harness.folder)).toEqual(['one'])
  })
})

describe("files that aren't archives", () => {
  it.each([
    ['text', Buffer.from('no zip')],
    ['nothing', Buffer.alloc(0)],
    ['a truncated archive', zipBytes([{ name: 'a', data: 'x'.repeat(999) }]).subarray(0, 60)],
  ])('are rejected: %s', async (_, bytes) => {
    expect((await harness.refusal(bytes)).message).toMatch(/not a zip archive/)
  })

  it('are rejected with a wrong checksum, by name', async () => {
    const entries = [
      { name: 'manifest.json', data: '{}' },
      { name: 'server/main.js', data: 'x', declaredCrc: 7 },
    ]
    await expect(harness.unpack(zipBytes(entries))).rejects.toMatchObject({
      code: 'INVALID_BUNDLE',
      message:
        'The bundle was not unpacked: the file "server/main.js" is damaged (its checksum is wrong).',
      hint: expect.stringContaining('Download the bundle again.') as string,
    })
  })

  it('are rejected with damaged data', async () => {
    const bytes = zipBytes([{ name: 'abc', data: 'x'.repeat(999) }])
    bytes.fill(0xff, 33, 40)
    const { code, message } = await harness.refusal(bytes)
    expect(code).toBe('INVALID_BUNDLE')
    expect(message).toBe('The bundle was not unpacked: the archive is damaged.')
  })

  it("aren't opened after a cancellation", async () => {
    const bytes = zipBytes([{ name: 'folder/', mode: 0o040755 }])
    expect((await harness.refusal(bytes, { signal: AbortSignal.abort() })).code).toBe(
      'REQUEST_CANCELLED',
    )
    expect(readdirSync(harness.folder)).toEqual([])
  })

  it('end with a cancellation', async () => {
    const entries = Array.from({ length: 50 }, (_, n) => ({ name: `f${String(n)}`, data: 'x' }))
    const end = new AbortController()
    const error = await harness.refusal(zipBytes(entries), {
      signal: end.signal,
      onFile: (files) => files === 3 && end.abort(),
    })
    expect(error.code).toBe('REQUEST_CANCELLED')
    expect(readdirSync(harness.folder).length).toBeLessThan(10)
  })
})
