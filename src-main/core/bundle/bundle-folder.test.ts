import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AppError } from '../../../src-shared/domain/app-error'
import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { BundleFolder, type BundleMark } from './bundle-folder'

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]

let root: string
let bundles: BundleFolder

beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'patchbay-shelf-')), 'bundles')
  bundles = new BundleFolder(root)
})
afterEach(() => rm(join(root, '..'), { recursive: true, force: true }))

function fill(folder: string): Promise<BundleMark> {
  writeFileSync(join(folder, 'main.js'), 'x')
  return Promise.resolve({ files: 1, bytes: 1, needs: ['main.js'] })
}

function packageOf(hash: string, change: Partial<Package> = {}): Package {
  return {
    registryType: 'command',
    identifier: 'node',
    fileSha256: hash,
    workingFolder: join(root, hash),
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: [],
    environmentVariables: [],
    ...change,
  }
}

function entries(): string[] {
  return readdirSync(root).toSorted()
}

describe('folders of bundles', () => {
  it('fills a folder once, and for this account alone', async () => {
    let filled = 0
    const count = (folder: string): Promise<BundleMark> => {
      filled += 1
      return fill(folder)
    }
    const marks = await Promise.all([bundles.place(A, count), bundles.place(A, count)])
    await new BundleFolder(root).place(A, count)
    expect(filled).toBe(1)
    expect(marks[1]).toEqual(marks[0])
    expect(entries()).toEqual([A, `${A}.json`])
    expect(statSync(join(root, A)).mode & 0o777).toBe(0o700)
  })

  it('leaves nothing of one that could not be filled', async () => {
    const failing = bundles.place(A, async (folder) => {
      await fill(folder)
      throw new AppError('INVALID_BUNDLE', 'Half of it is bad.')
    })
    await expect(failing).rejects.toThrow('Half of it is bad.')
    expect(entries()).toEqual([])
    await bundles.place(A, fill)
    expect(entries()).toEqual([A, `${A}.json`])
  })

  it('fills again what is not whole: without its mark, or without a file it needs', async () => {
    mkdirSync(join(root, A), { recursive: true })
    writeFileSync(join(root, A, 'planted.js'), 'x')
    await bundles.place(A, fill)
    expect(readdirSync(join(root, A))).toEqual(['main.js'])
    rmSync(join(root, A, 'main.js'))
    await bundles.place(A, fill)
    expect(readdirSync(join(root, A))).toEqual(['main.js'])
  })

  it('says that a disk rejects', async () => {
    writeFileSync(root, 'a file where the folder should be')
    await expect(bundles.place(A, fill)).rejects.toMatchObject({ code: 'INSTALL_FAILED' })
    await expect(bundles.withFile(() => Promise.resolve())).rejects.toMatchObject({
      code: 'INSTALL_FAILED',
    })
  })

  it('removes the file of a download, however it ends', async () => {
    const write = (file: string): Promise<void> => {
      writeFileSync(file, 'x')
      return Promise.reject(new Error('cut'))
    }
    await expect(bundles.withFile(write)).rejects.toThrow('cut')
    expect(entries()).toEqual([])
  })
})

describe('before a start', () => {
  it('lets go what is whole, and what is no bundle', async () => {
    await bundles.place(A, fill)
    await bundles.check(packageOf(A))
    await bundles.check(packageOf(B, { registryType: 'npm' }))
    await bundles.check(packageOf(B, { fileSha256: undefined }))
  })

  it.each([
    ['its folder is gone', () => rmSync(join(root, A), { recursive: true })],
    ['its mark is gone', () => rmSync(join(root, `${A}.json`))],
    ['its mark is damaged', () => writeFileSync(join(root, `${A}.json`), '{"files"')],
    ['a file it needs is gone', () => rmSync(join(root, A, 'main.js'))],
  ])('rejects when %s', async (_, damage) => {
    await bundles.place(A, fill)
    damage()
    const error: unknown = await bundles.check(packageOf(A)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_BUNDLE' })
    expect((error as AppError).hint).toMatch(/Open the same bundle again/)
  })

  it('rejects one that was unpacked for another profile', async () => {
    await bundles.place(A, fill)
    const elsewhere = packageOf(A, { workingFolder: `/elsewhere/${A}` })
    await expect(bundles.check(elsewhere)).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
  })
})

describe('what nobody uses', () => {
  it('goes at the start, with what an earlier run left half done; what is not ours stays', async () => {
    await bundles.place(A, fill)
    await bundles.place(B, fill)
    mkdirSync(join(root, `${C}.partial`))
    writeFileSync(join(root, 'x.download'), 'x')
    writeFileSync(join(root, 'notes.txt'), 'x')
    await new BundleFolder(root).setUsed(new Set([A]))
    expect(entries()).toEqual([A, `${A}.json`, 'notes.txt'])
  })

  it('goes when its last installation does, but not while the user may be setting it up', async () => {
    await bundles.setUsed(new Set())
    await bundles.place(A, fill)
    await bundles.place(B, fill)
    await bundles.setUsed(new Set([A]))
    await bundles.setUsed(new Set())
    expect(entries()).toEqual([B, `${B}.json`])
  })

  it('stays while the user sets it up once more, although its first installation goes', async () => {
    await bundles.place(A, fill)
    await bundles.setUsed(new Set([A]))
    await bundles.place(A, fill)
    await bundles.setUsed(new Set([A]))
    await bundles.setUsed(new Set())
    expect(entries()).toEqual([A, `${A}.json`])
  })

  it('spares a download that is under way', async () => {
    await bundles.withFile(async (file) => {
      writeFileSync(file, 'x')
      await bundles.setUsed(new Set())
      expect(entries()).toHaveLength(1)
    })
  })
})
