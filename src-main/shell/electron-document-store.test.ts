import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { openConfDocumentStore } from '../serve/conf-document-store'

// With a folder, electron-store doesn't use Electron, which may not be installed.
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: 'data:text/javascript,export default {}', format: 'module', shortCircuit: true }
      : next(specifier, context),
})
const { openElectronDocumentStore } = await import('./electron-document-store')

describe('A2: one settings file for both ways in', () => {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-profile-'))
  const file = join(profileDir, 'settings.json')
  const document = { 'a.key': { 'with.dots': ['a,b', '', 'ü"\n'] }, list: [1, { deep: null }] }
  afterAll(() => {
    hooks.deregister()
    rmSync(profileDir, { recursive: true })
  })

  it('is read and written identically, byte for byte', () => {
    const [electronStore, confStore] = [
      openElectronDocumentStore(profileDir),
      openConfDocumentStore(profileDir),
    ]
    expect(electronStore.file).toBe(file)
    expect(electronStore.read()).toBeNull()
    electronStore.write(document)
    const written = readFileSync(file, 'utf8')
    expect(confStore.read()).toEqual(document)

    confStore.write({ in: 'between' })
    expect(electronStore.read()).toEqual({ in: 'between' })
    confStore.write(document)
    expect(readFileSync(file, 'utf8')).toBe(written)
  })
})
