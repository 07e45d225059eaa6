import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { sha256Of } from '../../../../e2e/fixtures/make-bundle'
import { zipBytes } from '../../../../e2e/fixtures/zip-bytes'
import { cutSignature } from './fetch-bundle'
import { copyBundle, type SavedBundle, typedPath } from './save-bundle'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'patchbay-save-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

function copy(
  path: string,
  limit = 1_000_000,
  signal = new AbortController().signal,
): Promise<SavedBundle> {
  return copyBundle(path, join(home, 'copy'), {
    limit,
    signal,
    onTotal: () => undefined,
    onBytes: () => undefined,
  })
}

describe('a local bundle', () => {
  it('is copied and hashed', async () => {
    const bytes = Buffer.from('x'.repeat(200_000))
    writeFileSync(join(home, 'a.mcpb'), bytes)
    expect(await copy(join(home, 'a.mcpb'))).toEqual({ sha256: sha256Of(bytes), bytes: 200_000 })
    expect(readFileSync(join(home, 'copy')).equals(bytes)).toBe(true)
  })

  it('is rejected if it is missing, a folder, or too large', async () => {
    await expect(copy(join(home, 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    mkdirSync(join(home, 'folder'))
    await expect(copy(join(home, 'folder'))).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
    writeFileSync(join(home, 'large'), 'x'.repeat(101))
    await expect(copy(join(home, 'large'), 100)).rejects.toThrow(/larger than/)
  })

  it('is named with the reason if it could not be read', async () => {
    const path = join(home, 'file', 'a.mcpb')
    writeFileSync(join(home, 'file'), '')
    await expect(copy(path)).rejects.toMatchObject({
      code: 'INVALID_BUNDLE',
      message: expect.stringMatching(`^${path} couldn’t be read: ENOTDIR`) as string,
      hint: 'Check that the file exists and that you have permission to read it.',
    })
  })

  it('is not copied after a cancellation', async () => {
    writeFileSync(join(home, 'a.mcpb'), 'x')
    await expect(copy(join(home, 'a.mcpb'), 10, AbortSignal.abort())).rejects.toMatchObject({
      code: 'REQUEST_CANCELLED',
    })
  })

  it("can't be an endless device", async () => {
    await expect(copy('/dev/zero')).rejects.toThrow(/isn’t a file/)
  })

  it.each([
    ['/tmp/a b.mcpb', '/tmp/a b.mcpb'],
    [' "/tmp/a.mcpb" ', '/tmp/a.mcpb'],
    ["'/tmp/a.mcpb'", '/tmp/a.mcpb'],
    ['~/a.mcpb', '/home/me/a.mcpb'],
    [pathToFileURL('/tmp/a b.mcpb').href, '/tmp/a b.mcpb'],
  ])('is found by the path %j', (text, path) => {
    expect(typedPath(text, '/home/me')).toBe(path)
  })

  it.each(['a.mcpb', '../a.mcpb', '', '/tmp/\0', 'file://other/host', 'https://x/y'])(
    "isn't found by %j",
    (text) => {
      expect(() => typedPath(text, '/home/me')).toThrow(
        /no file|absolute path|isn’t a file|no file/,
      )
    },
  )
})

describe('the signature after a bundle', () => {
  const zip = zipBytes([{ name: 'a', data: 'x' }])
  const signature = Buffer.concat([
    Buffer.from('MCPB_SIG_V1'),
    Buffer.alloc(5_000, 7),
    Buffer.from('MCPB_SIG_END'),
  ])

  async function cut(bytes: Buffer): Promise<Buffer> {
    const file = join(home, 'signed')
    writeFileSync(file, bytes)
    await cutSignature(file)
    return readFileSync(file)
  }

  it('is removed if the archive ends before it', async () => {
    expect((await cut(Buffer.concat([zip, signature]))).equals(zip)).toBe(true)
  })

  it('stays if the archive includes it in its comment', async () => {
    const counted = Buffer.from(zip)
    counted.writeUInt16LE(signature.length, counted.length - 2)
    const signed = Buffer.concat([counted, signature])
    expect((await cut(signed)).equals(signed)).toBe(true)
  })

  it.each([
    ['no signature', zip],
    ['an end marker without a start', Buffer.concat([zip, Buffer.from('MCPB_SIG_END')])],
    ['no archive before it', Buffer.concat([Buffer.from('text'), signature])],
    ['an empty file', Buffer.alloc(0)],
  ])('changes nothing if there is %s', async (_, bytes) => {
    expect((await cut(bytes)).equals(bytes)).toBe(true)
  })
})
