import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { lockProfile, type ProfileLock } from './profile-lock'

const folders: string[] = []
function newProfile(name = 'patchbay-lock-'): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  folders.push(folder)
  return folder
}
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const me = { wayIn: 'browser' as const, pid: process.pid, link: 'http://127.0.0.1:1/#token=x' }
const mine = { describe: () => me, end: () => undefined }
const desktop = {
  describe: () => ({ wayIn: 'desktop' as const, pid: process.pid }),
  end: () => undefined,
}

async function release(lock: ProfileLock): Promise<void> {
  if (lock.kind === 'held') await lock.release()
}

describe('D8: one Patchbay per profile', () => {
  it('tells a second one where the first runs, and is free when the first ends', async () => {
    const profile = newProfile()
    const first = await lockProfile(profile, mine)
    expect(first.kind).toBe('held')
    expect(await lockProfile(profile, mine)).toEqual({ kind: 'taken', by: me })
    await release(first)
    const third = await lockProfile(profile, mine)
    expect(third.kind).toBe('held')
    await release(third)
  })

  it('takes over the lock of a killed one', async () => {
    const profile = newProfile()
    const code = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', code, join(profile, 'lock.sock')])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(join(profile, 'lock.sock'))).toBe(true)
    const lock = await lockProfile(profile, mine)
    expect(lock.kind).toBe('held')
    await release(lock)
  })

  it("leaves the lock to a living holder that doesn't answer", async () => {
    const profile = newProfile()
    const path = join(profile, 'lock.sock')
    const code = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', code, path])
    await once(child.stdout, 'data')
    const locking = lockProfile(profile, mine)
    await expect(locking).rejects.toMatchObject({ code: 'NOT_AVAILABLE_HERE' })
    expect(existsSync(path)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  it.skipIf(process.platform === 'win32')('answers only its own account', async () => {
    const profile = newProfile()
    const before = process.umask(0)
    const lock = await lockProfile(profile, mine)
    process.umask(before)
    expect(statSync(join(profile, 'lock.sock')).mode & 0o777).toBe(0o600)
    await release(lock)
  })

  it.each([
    'https://evil.example/#token=x',
    'file://127.0.0.1/etc/passwd',
    'http://127.0.0.1:1/#token=x\u001B[2J',
    'http://127.0.0.1:1@evil.example/#token=x',
  ])('never passes on %s', async (link) => {
    const profile = newProfile()
    const impostor = createServer((socket) => socket.end(JSON.stringify({ ...me, link })))
    impostor.listen(join(profile, 'lock.sock'))
    await once(impostor, 'listening')
    await expect(lockProfile(profile, mine)).rejects.toThrow('does not respond')
    impostor.close()
  })

  it.skipIf(process.platform === 'win32')('uses no folder that others can write to', async () => {
    vi.stubEnv('TMPDIR', newProfile())
    const shared = join(tmpdir(), `patchbay-${String(userInfo().uid)}`)
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const profile = join(newProfile(), 'deep-'.repeat(24))
    await expect(lockProfile(profile, mine)).rejects.toThrow('can be used by other accounts')
  })

  it('works in a folder whose path is too long for a socket', async () => {
    const profile = join(newProfile(), 'deep-'.repeat(24))
    const lock = await lockProfile(profile, mine)
    expect(await lockProfile(profile, mine)).toEqual({ kind: 'taken', by: me })
    await release(lock)
  })
})

describe('D8: the desktop app takes over the profile', () => {
  it('after the browser version has quit in order', async () => {
    const profile = newProfile()
    const steps: string[] = []
    const browser = await lockProfile(profile, {
      describe: () => me,
      end: () => {
        steps.push('ended')
        void release(browser)
      },
    })
    const lock = await lockProfile(profile, { ...desktop, takesOver: true })
    steps.push(lock.kind)
    expect(steps).toEqual(['ended', 'held'])
    await release(lock)
  })

  it('but not from another desktop app, or without being asked', async () => {
    const profile = newProfile()
    const end = vi.fn<() => void>()
    const first = await lockProfile(profile, { ...desktop, end })
    const second = await lockProfile(profile, { ...desktop, takesOver: true })
    expect(second).toEqual({ kind: 'taken', by: { wayIn: 'desktop', pid: process.pid } })
    expect(await lockProfile(profile, mine)).toMatchObject({ kind: 'taken' })
    expect(end).not.toHaveBeenCalled()
    await release(first)
  })

  it("and gives up if the holder doesn't end", async () => {
    const profile = newProfile()
    const browser = await lockProfile(profile, mine)
    const taken = await lockProfile(profile, { ...desktop, takesOver: true, takeOverMs: 150 })
    expect(taken).toEqual({ kind: 'taken', by: me })
    await release(browser)
  })

  it('and the holder ends for no other request', async () => {
    const profile = newProfile()
    const end = vi.fn<() => void>()
    const lock = await lockProfile(profile, { describe: () => me, end })
    for (const request of ['END\n', 'end\nend\n', 'GET / HTTP/1.1\r\n\r\n']) {
      const socket = createConnection(join(profile, 'lock.sock'))
      socket.write(request)
      socket.resume()
      await once(socket, 'close')
    }
    expect(end).not.toHaveBeenCalled()
    await release(lock)
  })
})
