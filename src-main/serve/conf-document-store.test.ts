import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openConfDocumentStore } from './conf-document-store'

const DOCUMENT = {
  'a.key': { 'with.dots': ['a,b', '', 'ü"\n'] },
  list: [1, { deep: true }],
  settings: { theme: 'dark' },
}

describe('A2: the settings file without Electron', () => {
  let profileDir: string
  beforeEach(() => {
    profileDir = mkdtempSync(join(tmpdir(), 'patchbay-profile-'))
  })
  afterEach(() => rmSync(profileDir, { recursive: true }))

  it('is null before the first write, and then what was written', () => {
    const store = openConfDocumentStore(profileDir)
    expect(store.file).toBe(join(profileDir, 'settings.json'))
    expect(store.read()).toBeNull()
    store.write(DOCUMENT)
    expect(store.read()).toEqual(DOCUMENT)
    store.write({ only: 'this' })
    expect(openConfDocumentStore(profileDir).read()).toEqual({ only: 'this' })
  })

  it.skipIf(process.platform === 'win32')('is readable by its owner only', () => {
    openConfDocumentStore(profileDir).write(DOCUMENT)
    expect(statSync(join(profileDir, 'settings.json')).mode & 0o777).toBe(0o600)
  })

  it('rejects anything but an object', () => {
    const store = openConfDocumentStore(profileDir)
    expect(() => store.write([])).toThrow('aren’t an object')
    expect(store.read()).toBeNull()
  })
})
