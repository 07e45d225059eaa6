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

describe('D6 what Patchbay keeps in its profile folder', () => {
  it('is found by name with its size, and what it did not make is distinguished', async () => {
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

  it('includes what the desktop app keeps: its notes, and the files of Chromium in one folder', async () => {
    mkdirSync(inside('window', 'Cache'), { recursive: true })
    for (const name of ['desktop.json', 'window.json']) writeFileSync(inside(name), '{}')
    const folder = new ProfileFolder(path)
    expect((await folder.read()).foreign).toEqual([])
    expect(await removeAll(folder)).toEqual([])
    expect(readdirSync(path)).toEqual([])
  })

  it('is deleted, and nothing else is; what a link leads to stays', async () => {
    const elsewhere = join(place, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'kept.log'), 'kept')
    symlinkSync(elsewhere, inside('logs'))
    mkdirSync(inside('bundles', 'one'), { recursive: true })
    symlinkSync(elsewhere, inside('bundles', 'one', 'out'))
    symlinkSync(join(elsewhere, 'kept.log'), inside('hosts.json'))
    writeFileSync(inside('notes.txt'), 'mine')
    const folder = new ProfileFolder(path)
    // Chromium's own links, which go with its folder.
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

  it('goes with its folder where nothing else is in it, with what a window wrote last', async () => {
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

  it('is named where it cannot be deleted', async () => {
    writeFileSync(inside('agents.json'), '{}')
    const folder = new ProfileFolder(path)
    const [agents] = (await folder.read()).own
    if (!agents) throw new Error('the file was not found')
    // Below a file nothing can be deleted, the caller.
    const below = { ...agents, paths: [inside('agents.json', 'below')] }
    const [left] = await folder.remove(below)
    expect(left?.path).toBe(inside('agents.json', 'below'))
    expect(left?.reason).toContain('ENOTDIR')
  })
})
