import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ROOT } from '../toolchain.mjs'
import { manifestOf, writePackage } from './write-package.mjs'

const EXACT = /^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$/
const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const isBuilt = existsSync(join(ROOT, 'out', 'main', 'cli.js'))

const folder = mkdtempSync(join(tmpdir(), 'patchbay-npm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the package's command with the project's packages. */
function patchbay(...args) {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, 'out', 'main', 'cli.js'), ...args],
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

describe("D8: the npm package's manifest", () => {
  it("has the project's exact versions, and native packages as optional ones", () => {
    const manifest = manifestOf(root, ['ws', 'keytar'])
    expect(manifest).toMatchObject({
      dependencies: { ws: root.dependencies.ws },
      optionalDependencies: { keytar: root.dependencies.keytar },
    })
  })

  it.each([
    ['the desktop shell', 'electron-store', 'The command line uses electron-store.'],
    ['a package that the project does not pin', 'vite', 'The project does not depend on vite.'],
  ])('rejects %s', (_what, name, message) => {
    expect(() => manifestOf(root, [name])).toThrow(message)
  })
})

describe.skipIf(!isBuilt)('D8: the npm package of the build', () => {
  let manifest
  beforeAll(async () => {
    manifest = await writePackage(folder)
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  })

  it('depends on exact versions, and not on Electron', () => {
    const versions = { ...manifest.dependencies, ...manifest.optionalDependencies }
    for (const [name, version] of Object.entries(versions)) {
      expect(name).not.toContain('electron')
      expect(version).toMatch(EXACT)
    }
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual(manifest)
  })

  it('contains the command line and the screens, without source maps or the desktop shell', () => {
    const files = readdirSync(folder, { recursive: true }).filter(
      (file) => !file.startsWith('node_modules'),
    )
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', join('out', 'renderer', 'index.html')]),
    )
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
    expect(existsSync(join(folder, 'out', 'main', 'index.js'))).toBe(false)
    expect(existsSync(join(folder, 'out', 'preload'))).toBe(false)
  })

  it('prints its version and its usage', async () => {
    expect(await patchbay('--version')).toEqual({
      ...{ code: 0, stdout: `${root.version}\n`, stderr: '' },
    })
    expect(await patchbay('--help')).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout: expect.stringContaining('Exit codes: '),
    })
  })

  it.each([
    ['an unknown command', ['x'], 'Usage: patchbay'],
    ['a port that is no number', ['--port', 'x'], 'x is not a port.'],
    ['a missing file', ['plan', 'missing.json'], 'missing.json'],
    ['a bridge without an agent', ['bridge'], 'Usage: patchbay'],
  ])('exits with 2 for %s', async (_what, args, text) => {
    const { code, stdout, stderr } = await patchbay(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(text)
  })
})
