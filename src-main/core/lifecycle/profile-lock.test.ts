import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { lockProfile, type ProfileLock } from './profile-lock'

const folders: string[] = []
function newProfile(name = 'patchbay-lock-'): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const me = { wayIn: 'browser' as const, pid: process.pid, link: 'http://127.0.0.1:1/#token=x' }

async function release(lock: ProfileLock): Promise<void> {
  if (lock.kind === 'held') await lock.release()
}

describe('D8 one Patchbay for a profile', () => {
  it('tells a second one where the first is, and makes way when it ends', async () => {
    const profile = newProfile()
    const first = await lockProfile(profile, () => me)
    expect(first.kind).toBe('held')
    expect(await lockProfile(profile, () => me)).toEqual({ kind: 'taken', by: me })
    await release(first)
    const third = await lockProfile(profile, () => me)
    expect(third.kind).toBe('held')
    await release(third)
  })

  it('takes over what a killed one left behind', async () => {
    const profile = newProfile()
    const code = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', code, join(profile, 'lock.sock')])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(join(profile, 'lock.sock'))).toBe(true)
    const lock = await lockProfile(profile, () => me)
    expect(lock.kind).toBe('held')
    await release(lock)
  })

  it('works in a folder whose path is too long for a socket', async () => {
    const profile = join(newProfile(), 'deep-'.repeat(24))
    const lock = await lockProfile(profile, () => me)
    expect(await lockProfile(profile, () => me)).toEqual({ kind: 'taken', by: me })
    await release(lock)
  })
})
