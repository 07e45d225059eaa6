import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { renameLinks } from './own-names'

describe.skipIf(process.platform === 'win32')("D6: links among the profile's files", () => {
  it('are renamed and reported, and their targets are left', () => {
    const [profileDir, elsewhere] = [tempFolder('profile'), tempFolder('elsewhere')]
    writeFileSync(join(elsewhere, 'kept'), 'kept')
    mkdirSync(join(profileDir, 'catalog'))
    writeFileSync(join(profileDir, 'catalog', 'plain'), '')
    for (const name of ['agents.json', 'catalog/catalog.db', 'activity', 'logs', 'logs.link'])
      symlinkSync(name.includes('.') ? join(elsewhere, 'kept') : elsewhere, join(profileDir, name))
    const notices = renameLinks(profileDir)
    expect(readdirSync(profileDir).toSorted()).toEqual(
      ['activity.link', 'agents.json.link', 'catalog', 'logs.link', 'logs.link-2'].toSorted(),
    )
    expect(readdirSync(join(profileDir, 'catalog'))).toEqual(['catalog.db.link', 'plain'])
    expect(notices).toHaveLength(1)
    for (const name of ['activity', 'agents.json', 'catalog/catalog.db', 'logs'])
      expect(notices[0]?.message).toContain(join(profileDir, name))
    expect(readdirSync(elsewhere)).toEqual(['kept'])
    expect(readFileSync(join(elsewhere, 'kept'), 'utf8')).toBe('kept')
    expect(renameLinks(profileDir)).toEqual([])
  })

  it("stay if they belong to Chromium or aren't in the place of Patchbay's files", () => {
    const profileDir = tempFolder('profile')
    mkdirSync(join(profileDir, 'window'))
    const links = ['SingletonLock', 'notes', 'settings.json', 'window/SingletonCookie']
    for (const name of links) symlinkSync('/nowhere', join(profileDir, name))
    expect(renameLinks(profileDir)).toEqual([])
    expect(readdirSync(profileDir)).toEqual(['SingletonLock', 'notes', 'settings.json', 'window'])
  })
})
