import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { removeCopy } from './remove-copy'

const WAIT = { limitMs: 60_000, signal: new AbortController().signal }
const PACKAGES = ['notes@1.2.3']
/** A name that npx 11 gave a folder on a disk. */
const COWSAY = { packages: ['cowsay@1.6.0'], name: 'e3e1d528ee105f80' }

function plant(file: string, text = ''): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** A program of this name that prints a line, after a warning. */
function program(folder: string, name: string, line: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\necho 'warning: old' >&2\necho '${line}'\n`, { mode: 0o755 })
  return file
}

type Planted = {
  readonly root: string
  readonly cache: string
  readonly remove: () => ReturnType<typeof removeCopy>
}

function npx(packages = PACKAGES): Planted {
  const root = realpathSync(tempFolder('npx-copy'))
  const cache = join(root, 'cache')
  mkdirSync(join(cache, '_npx'), { recursive: true })
  program(root, 'npm', cache)
  const place = { runner: join(root, 'npx'), env: {}, entry: { runner: 'npx', packages } as const }
  return { root, cache, remove: () => removeCopy(place, WAIT) }
}

function npxFolder({ cache }: Planted, name: string, packages?: readonly string[]): string {
  const folder = join(cache, '_npx', name)
  plant(join(folder, 'node_modules', 'notes', 'index.js'))
  if (packages) plant(join(folder, 'package.json'), JSON.stringify({ _npx: { packages } }))
  return folder
}

// The programs are scripts of a shell.
describe.skipIf(process.platform === 'win32')('E7: the copy that npx keeps of a package', () => {
  it('is deleted without other copies', async () => {
    const planted = npx()
    npxFolder(planted, '0000000000000001', ['other@1.2.3'])
    npxFolder(planted, '0000000000000002', ['notes@1.2.4'])
    npxFolder(planted, '0000000000000003', ['notes@1.2.3', 'other'])
    npxFolder(planted, '0000000000000004')
    const broken = npxFolder(planted, '0000000000000005', PACKAGES)
    npxFolder(planted, 'no-hash', PACKAGES)
    expect(await planted.remove()).toEqual({ folder: broken })
    expect(readdirSync(join(planted.cache, '_npx')).sort()).toEqual([
      ...['0000000000000001', '0000000000000002', '0000000000000003', '0000000000000004'],
      'no-hash',
    ])
  })

  it('is found by its name if an interrupted download has no list yet', async () => {
    const planted = npx(COWSAY.packages)
    const broken = npxFolder(planted, COWSAY.name)
    expect(await planted.remove()).toEqual({ folder: broken })
    expect(existsSync(broken)).toBe(false)
  })

  it('is found by the name that npm gives to several packages', async () => {
    const packages = ['Other@1', 'notes@1.2.3']
    const planted = npx(packages)
    // npm sorts by language, not by code unit.
    const text = 'notes@1.2.3\nOther@1'
    const name = createHash('sha512').update(text).digest('hex').slice(0, 16)
    expect(await planted.remove()).toEqual({ folder: undefined })
    expect(await { ...planted, folder: npxFolder(planted, name) }.remove()).toEqual({
      folder: join(planted.cache, '_npx', name),
    })
  })

  it('is reported as missing if there is none', async () => {
    const planted = npx()
    expect(await planted.remove()).toEqual({ folder: undefined })
    rmSync(join(planted.cache, '_npx'), { recursive: true })
    expect(await planted.remove()).toEqual({ folder: undefined })
  })

  it('is deleted without the targets of its links', async () => {
    const planted = npx()
    const outside = plant(join(planted.root, 'mine', 'kept.txt'))
    const broken = npxFolder(planted, '0000000000000001', PACKAGES)
    symlinkSync(dirname(outside), join(broken, 'node_modules', 'linked'))
    await planted.remove()
    expect([existsSync(broken), existsSync(outside)]).toEqual([false, true])
  })

  it('stays if it or its parent folder is a link out of the cache', async () => {
    const planted = npx()
    const outside = join(planted.root, 'elsewhere')
    renameSync(npxFolder(planted, '0000000000000001', PACKAGES), outside)
    symlinkSync(outside, join(planted.cache, '_npx', '0000000000000001'))
    expect(await planted.remove()).toEqual({ folder: undefined })

    const other = npx()
    npxFolder(other, '0000000000000001', PACKAGES)
    const moved = join(other.root, 'moved')
    renameSync(join(other.cache, '_npx'), moved)
    symlinkSync(moved, join(other.cache, '_npx'))
    expect(await other.remove()).toEqual({ folder: undefined })
    expect([readdirSync(outside).length, readdirSync(moved).length]).toEqual([2, 1])
  })

  it("isn't searched for if npm doesn't name its cache", async () => {
    const planted = npx()
    program(planted.root, 'npm', 'undefined')
    await expect(planted.remove()).rejects.toMatchObject({ code: 'REPAIR_FAILED' })
  })

  it('stays if npm is missing, which the error names', async () => {
    const planted = npx()
    rmSync(join(planted.root, 'npm'))
    const copy = npxFolder(planted, '0000000000000001', PACKAGES)
    await expect(planted.remove()).rejects.toMatchObject({
      code: 'REPAIR_FAILED',
      message: expect.stringMatching(/^Not repaired\. npm did not respond: /u) as string,
    })
    expect(existsSync(copy)).toBe(true)
  })
})

const OPTIONS = ['--from', 'notes==1']

function uvx(): Planted & { readonly environment: (id: string, link?: string) => string } {
  const root = realpathSync(tempFolder('uvx-copy'))
  const cache = join(root, 'cache')
  program(root, 'uv', cache)
  const runner = program(root, 'uvx', join(cache, 'archive-v0', 'environment-1', 'bin', 'python'))
  const place = { runner, env: {}, entry: { runner: 'uvx', options: OPTIONS } as const }
  const environment = (id: string, link?: string): string => {
    const folder = join(cache, 'archive-v0', id)
    plant(join(folder, 'bin', 'notes'))
    symlinkSync('/usr/bin/python3', join(folder, 'bin', 'python'))
    if (link !== undefined) {
      mkdirSync(join(cache, 'environments-v2', 'interpreter'), { recursive: true })
      symlinkSync(`../../archive-v0/${id}`, join(cache, 'environments-v2', 'interpreter', link))
    }
    return folder
  }
  return { root, cache, environment, remove: () => removeCopy(place, WAIT) }
}

describe.skipIf(process.platform === 'win32')('E7: the copy that uvx keeps of a package', () => {
  it('is deleted with its link and without other copies, and fetched again', async () => {
    const planted = uvx()
    const broken = planted.environment('environment-1', 'one')
    planted.environment('environment-2', 'two')
    planted.environment('wheel-00')
    const { folder, refetch } = await planted.remove()
    expect(folder).toBe(broken)
    expect(refetch?.args.slice(0, 3)).toEqual(['--refresh', ...OPTIONS])
    expect(readdirSync(join(planted.cache, 'archive-v0')).sort()).toEqual([
      ...['environment-2', 'wheel-00'],
    ])
    expect(readdirSync(join(planted.cache, 'environments-v2', 'interpreter'))).toEqual(['two'])
  })

  it('stays if it is a shared wheel, an installed tool or a link out of the cache', async () => {
    const wheel = uvx()
    const shared = wheel.environment('environment-1')
    await expect(wheel.remove()).rejects.toMatchObject({ code: 'REPAIR_FAILED' })
    expect(existsSync(shared)).toBe(true)

    const tool = uvx()
    const installed = plant(join(tool.root, 'tools', 'notes', 'bin', 'python'))
    program(tool.root, 'uvx', installed)
    await expect(tool.remove()).rejects.toMatchObject({ code: 'REPAIR_FAILED' })
    expect(existsSync(installed)).toBe(true)

    const linked = uvx()
    const outside = join(linked.root, 'outside-1')
    renameSync(linked.environment('environment-1', 'one'), outside)
    symlinkSync(outside, join(linked.cache, 'archive-v0', 'environment-1'))
    await expect(linked.remove()).rejects.toMatchObject({ code: 'REPAIR_FAILED' })
    expect(existsSync(join(outside, 'bin', 'notes'))).toBe(true)
    const link = join(linked.cache, 'environments-v2', 'interpreter', 'one')
    expect(readlinkSync(link)).toBe('../../archive-v0/environment-1')
  })

  it('stays if uvx runs a Python of another cache, or of none', async () => {
    const planted = uvx()
    const own = planted.environment('environment-1', 'one')
    const other = uvx()
    const ofOther = other.environment('environment-1', 'one')
    program(planted.root, 'uvx', join(ofOther, 'bin', 'python'))
    await expect(planted.remove()).rejects.toMatchObject({
      message: 'Not repaired. uvx doesn’t run this package from its cache.',
    })
    program(planted.root, 'uvx', join(planted.root, 'gone', 'bin', 'python'))
    await expect(planted.remove()).rejects.toMatchObject({
      message: 'Not repaired. uvx doesn’t run this package from its cache.',
    })
    expect([own, ofOther].map((folder) => existsSync(folder))).toEqual([true, true])
  })

  it('is deleted next to links that lead nowhere, which stay', async () => {
    const planted = uvx()
    const broken = planted.environment('environment-1', 'one')
    const interpreter = join(planted.cache, 'environments-v2', 'interpreter')
    symlinkSync('../../archive-v0/gone', join(interpreter, 'other'))
    expect((await planted.remove()).folder).toBe(broken)
    expect(readdirSync(interpreter)).toEqual(['other'])
  })
})
