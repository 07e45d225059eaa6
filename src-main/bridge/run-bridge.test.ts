import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startSecretService } from '../../e2e/fixtures/secret-service'
import { missingBus } from './run-bridge'

const LOOKUP = `
import('keytar').then(async ({ default: keytar }) => {
  await keytar.setPassword('Patchbay bus test', 'a', 'b')
  process.stdout.write(await keytar.getPassword('Patchbay bus test', 'a'))
})`

describe('D6 the bridge of an app that passes no variables on', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'patchbay-bus-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('looks for the session bus where systemd keeps it, if nothing else says where it is', () => {
    const platform = 'linux'
    expect(missingBus(platform, {}, folder)).toEqual({})
    writeFileSync(join(folder, 'bus'), '')
    const led = { XDG_RUNTIME_DIR: folder }
    expect(missingBus(platform, {}, folder)).toEqual(led)
    expect(missingBus(platform, { XDG_RUNTIME_DIR: '' }, folder)).toEqual(led)
    expect(missingBus(platform, { XDG_RUNTIME_DIR: '/x' }, folder)).toEqual({})
    expect(missingBus(platform, { DBUS_SESSION_BUS_ADDRESS: 'x' }, folder)).toEqual({})
    expect(missingBus('darwin', {}, folder)).toEqual({})
  })

  it('reaches a real keyring that way', async (context) => {
    const keyring = await startSecretService()
    if ('unavailable' in keyring) return context.skip(keyring.unavailable)
    const socket = /unix:path=([^,]+)/u.exec(keyring.env.DBUS_SESSION_BUS_ADDRESS ?? '')?.[1]
    symlinkSync(socket ?? '', join(folder, 'bus'))
    // What Codex passes on.
    const bare = { PATH: process.env.PATH, HOME: folder }
    const ask = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const words = ['-e', LOOKUP]
      return (await promisify(execFile)(process.execPath, words, { env, timeout: 30_000 })).stdout
    }
    try {
      await expect(ask(bare)).rejects.toThrow()
      const env = { ...bare, ...missingBus('linux', bare, folder) }
      expect(await ask(env)).toBe('b')
    } finally {
      await keyring.stop()
    }
  })
})
