import {
  existsSync,
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

import { ProfileFolder } from './profile-folder'

let place = ''
let path = ''
const inside = (...names: string[]): string => join(path, ...names)

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'patchbay-removal-'))
  path = join(place, 'profile')
  mkdirSync(path)
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

async function removeAll(folder: ProfileFolder): Promise<string[]> {
  const { own } = await folder.read()
  const left: string[] = []
  for (const one of own) left.push(...(await folder.remove(one)).map((it) => it.path))
  return left
}

describe("D6: Patchbay's files in the profile folder", () => {
  it('are found by name with their size, apart from foreign files', async () => {
    mkdirSync(inside('logs', 'deep'), { recursive: true })
    writeFileSync(inside('logs', 'deep', 'a.log'), 'x'.repeat(70_000))
    const others = ['corrupt-2026.json', 'json.tmp-1a', 'last-good.json', 'version-2.json']
    for (const name of ['json', ...others]) writeFileSync(inside(`settings.${name}`), '{}')
    for (const name of ['notes.txt', 'settings.json.mine', 'xlogs', 'lock.sock'])
      writeFileSync(inside(name), '')
    const { own, foreign, links } = await new ProfileFolder(path).read()
    expect(own.map((one) => [one.own.label, one.paths.length])).toEqual([
      ['Logs', 1],
      ['Settings and servers', 5],
    ])
    expect(own[0]?.size).toBe(70_000)
    expect(own[1]?.size).toBe(10)
    expect(foreign).toEqual(['notes.txt', 'settings.json.mine', 'xlogs'].map((one) => inside(one)))
    expect(links).toEqual([])
  })

  it("include the desktop app's files: its state and Chromium's storage, in one folder", async () => {
    mkdirSync(inside('window', 'Cache'), { recursive: true })
    for (const name of ['desktop.json', 'window.json']) writeFileSync(inside(name), '{}')
    const folder = new ProfileFolder(path)
    expect((await folder.read()).foreign).toEqual([])
    expect(await removeAll(folder)).toEqual([])
    expect(readdirSync(path)).toEqual([])
  })

  it('are deleted without foreign files or the targets of links', async () => {
    const elsewhere = join(place, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'kept.log'), 'kept')
    symlinkSync(elsewhere, inside('logs'))
    mkdirSync(inside('bundles', 'one'), { recursive: true })
    symlinkSync(elsewhere, inside('bundles', 'one', 'out'))
    symlinkSync(join(elsewhere, 'kept.log'), inside('hosts.json'))
    writeFileSync(inside('notes.txt'), 'mine')
    const folder = new ProfileFolder(path)
    // Chromium's own links are deleted with its folder.
    for (const name of ['SingletonLock', 'SingletonCookie']) symlinkSync('/nowhere', inside(name))
    expect((await folder.read()).links).toEqual([
      { path: inside('logs'), to: elsewhere },
      { path: inside('hosts.json'), to: join(elsewhere, 'kept.log') },
    ])
    expect(await removeAll(folder)).toEqual([])
    await folder.finish()
    expect(readdirSync(path)).toEqual(['notes.txt'])
    expect(readFileSync(join(elsewhere, 'kept.log'), 'utf8')).toBe('kept')
  })

  it('are deleted with their folder if nothing else is in it, including late writes of a window', async () => {
    for (const name of ['GPUCache', 'Local Storage', 'activity']) mkdirSync(inside(name))
    writeFileSync(inside('Cookies-journal'), '')
    const folder = new ProfileFolder(path)
    expect(await removeAll(folder)).toEqual([])
    writeFileSync(inside('Preferences'), '{}')
    await folder.finish()
    expect(existsSync(path)).toBe(false)
    expect(await folder.read()).toEqual({ own: [], foreign: [], links: [] })
    await folder.finish()
  })

  it("are named if they can't be deleted", async () => {
    writeFileSync(inside('agents.json'), '{}')
    const folder = new ProfileFolder(path)
    const [agents] = (await folder.read()).own
    if (!agents) throw new Error('the file was not found')
    // A path below a file can't be deleted, even by root.
    const below = { ...agents, paths: [inside('agents.json', 'below')] }
    const [left] = await folder.remove(below)
    expect(left?.path).toBe(inside('agents.json', 'below'))
    expect(left?.reason).toContain('ENOTDIR')
  })
})
