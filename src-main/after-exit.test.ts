import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { builtProgram } from '../e2e/fixtures/built-program'

/** Writes to the window storage until asked to end, and once more then, like Chromium. */
const APP = `
const { mkdirSync, writeFileSync } = require('node:fs')
process.stdin.on('end', () => {
  mkdirSync(process.argv[1], { recursive: true })
  writeFileSync(process.argv[1] + '/Preferences', '{}')
}).resume()`

describe('D6: the window storage of a removed profile', () => {
  const program = builtProgram('src-main/after-exit.ts')
  let profileDir: string
  beforeEach(() => {
    profileDir = join(mkdtempSync(join(tmpdir(), 'patchbay-removed-')), 'profile')
  })
  afterEach(() => rmSync(join(profileDir, '..'), { recursive: true, force: true }))

  /** Runs the program next to an app, ends the app, and waits until both have ended. */
  async function endApp(): Promise<void> {
    const app = spawn(process.execPath, ['-e', APP, join(profileDir, 'window')], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const remover = spawn(process.execPath, [program.file, String(app.pid), profileDir], {
      stdio: 'inherit',
    })
    const ended = once(remover, 'exit')
    app.stdin.end()
    await once(app, 'exit')
    expect(await ended).toEqual([0, null])
  }

  it('is gone once the app has ended, even if it wrote at its end', async () => {
    await endApp()
    expect(existsSync(profileDir)).toBe(false)
  })

  it('is all that is removed', async () => {
    mkdirSync(profileDir)
    writeFileSync(join(profileDir, 'notes.txt'), 'mine')
    await endApp()
    expect(readdirSync(profileDir)).toEqual(['notes.txt'])
  })
})
