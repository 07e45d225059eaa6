import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { ChildSpec } from '../process/child-process'
import { PackageInstaller } from './package-installer'

const never = new AbortController().signal
const env = { PATH: process.env.PATH ?? '' }

function program(code: string): ChildSpec {
  return { command: process.execPath, args: ['-e', code], env }
}

describe('B9 downloads', () => {
  it('are shared by servers that need the same package at the same time', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'patchbay-install-')), 'runs')
    const spec = program(
      `require('fs').appendFileSync(${JSON.stringify(file)}, 'x'); setTimeout(() => console.log('done'), 200)`,
    )
    const installer = new PackageInstaller()
    const lines: string[] = []
    await Promise.all(
      ['first', 'second'].map((who) =>
        installer.install(spec, (line) => lines.push(`${who} ${line}`), never),
      ),
    )
    expect(readFileSync(file, 'utf8')).toBe('x')
    expect(lines).toEqual(['first done', 'second done'])
    expect(installer.isInstalled(spec)).toBe(true)
  })

  it('that are shared mask the secrets of who began them for all', async () => {
    const installer = new PackageInstaller()
    const spec = program(`console.log('with hunter2')`)
    const lines: string[] = []
    const mask = (line: string): string => line.replace('hunter2', '****')
    await Promise.all([
      installer.install(spec, (line) => lines.push(`first ${line}`), never, mask),
      installer.install(spec, (line) => lines.push(`second ${line}`), never),
    ])
    expect(lines).toEqual(['first with ****', 'second with ****'])
  })

  it('that fail say so with their exit code, and are tried again', async () => {
    const installer = new PackageInstaller()
    const spec = program(`console.error('404 no such package'); process.exitCode = 4`)
    const lines: string[] = []
    const install = installer.install(spec, (line) => lines.push(line), never)
    await expect(install).rejects.toMatchObject({ code: 'INSTALL_FAILED' })
    expect(lines).toEqual(['404 no such package'])
    expect(installer.isInstalled(spec)).toBe(false)
  })

  it('end when the last who waits for them cancels', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'patchbay-install-')), 'finished')
    const installer = new PackageInstaller()
    const spec = program(
      `setTimeout(() => require('fs').writeFileSync(${JSON.stringify(file)}, ''), 60000)`,
    )
    const cancel = new AbortController()
    const install = installer.install(spec, () => undefined, cancel.signal)
    setTimeout(() => cancel.abort(), 100)
    await expect(install).rejects.toMatchObject({ code: 'INSTALL_FAILED' })
    expect(existsSync(file)).toBe(false)
  })
})
