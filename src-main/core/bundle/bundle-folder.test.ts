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
  it('are filled once, and for this account only', async () => {
    let filled = 0
    const count = (folder: string): Promise<BundleMark> => {
      filled += 1
      return fill(folder)
    }
    const marks = await Promise.all([bundles.ensure(A, count), bundles.ensure(A, count)])
    await new BundleFolder(root).ensure(A, count)
    expect(filled).toBe(1)
    expect(marks[1]).toEqual(marks[0])
    expect(entries()).toEqual([A, `${A}.json`])
    expect(statSync(join(root, A)).mode & 0o777).toBe(0o700)
  })

  it('are removed if filling fails', async () => {
    const failing = bundles.ensure(A, async (folder) => {
      await fill(folder)
      throw new AppError('INVALID_BUNDLE', 'Half of it is bad.')
    })
    await expect(failing).rejects.toThrow('Half of it is bad.')
    expect(entries()).toEqual([])
    await bundles.ensure(A, fill)
    expect(entries()).toEqual([A, `${A}.json`])
  })

  it('are filled again if incomplete: without their mark, or a required file', async () => {
    mkdirSync(join(root, A), { recursive: true })
    writeFileSync(join(root, A, 'planted.js'), 'x')
    await bundles.ensure(A, fill)
    expect(readdirSync(join(root, A))).toEqual(['main.js'])
    rmSync(join(root, A, 'main.js'))
    await bundles.ensure(A, fill)
    expect(readdirSync(join(root, A))).toEqual(['main.js'])
  })

  it('report a failing disk', async () => {
    writeFileSync(root, 'a file where the folder should be')
    await expect(bundles.ensure(A, fill)).rejects.toMatchObject({ code: 'INSTALL_FAILED' })
    await expect(bundles.withFile(() => Promise.resolve())).rejects.toMatchObject({
      code: 'INSTALL_FAILED',
    })
  })

  it("lose a download's file, whatever its outcome", async () => {
    const write = (file: string): Promise<void> => {
      writeFileSync(file, 'x')
      return Promise.reject(new Error('cut'))
    }
    await expect(bundles.withFile(write)).rejects.toThrow('cut')
    expect(entries()).toEqual([])
  })
})

describe('the check before a start', () => {
  it('passes complete bundles, and other packages', async () => {
    await bundles.ensure(A, fill)
    await bundles.check(packageOf(A))
    await bundles.check(packageOf(B, { registryType: 'npm' }))
    await bundles.check(packageOf(B, { fileSha256: undefined }))
  })

  it.each([
    ['its folder is gone', () => rmSync(join(root, A), { recursive: true })],
    ['its mark is gone', () => rmSync(join(root, `${A}.json`))],
    ['its mark is damaged', () => writeFileSync(join(root, `${A}.json`), '{"files"')],
    ['a file it needs is gone', () => rmSync(join(root, A, 'main.js'))],
  ])('rejects a bundle if %s', async (_, damage) => {
    await bundles.ensure(A, fill)
    damage()
    const error: unknown = await bundles.check(packageOf(A)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_BUNDLE' })
    expect((error as AppError).hint).toMatch(/Open the same bundle again/)
  })

  it('rejects a bundle that was unpacked for another profile', async () => {
    await bundles.ensure(A, fill)
    const elsewhere = packageOf(A, { workingFolder: `/elsewhere/${A}` })
    await expect(bundles.check(elsewhere)).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
  })
})

describe('unused bundles', () => {
  it("are deleted at the start with an earlier run's leftovers, without foreign files", async () => {
    await bundles.ensure(A, fill)
    await bundles.ensure(B, fill)
    mkdirSync(join(root, `${C}.partial`))
    writeFileSync(join(root, 'x.download'), 'x')
    writeFileSync(join(root, 'notes.txt'), 'x')
    await new BundleFolder(root).setUsed(new Set([A]))
    expect(entries()).toEqual([A, `${A}.json`, 'notes.txt'])
  })

  it('are deleted with their last installation, unless the user may be setting them up', async () => {
    await bundles.setUsed(new Set())
    await bundles.ensure(A, fill)
    await bundles.ensure(B, fill)
    await bundles.setUsed(new Set([A]))
    await bundles.setUsed(new Set())
    expect(entries()).toEqual([B, `${B}.json`])
  })

  it('stay while the user sets them up again, even if the first installation is removed', async () => {
    await bundles.ensure(A, fill)
    await bundles.setUsed(new Set([A]))
    await bundles.ensure(A, fill)
    await bundles.setUsed(new Set([A]))
    await bundles.setUsed(new Set())
    expect(entries()).toEqual([A, `${A}.json`])
  })

  it("don't include running downloads", async () => {
    await bundles.withFile(async (file) => {
      writeFileSync(file, 'x')
      await bundles.setUsed(new Set())
      expect(entries()).toHaveLength(1)
    })
  })
})
