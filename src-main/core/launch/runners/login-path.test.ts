import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { isRunning } from '../../../../e2e/fixtures/is-running'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { TempLedger } from '../../../../e2e/fixtures/temp-ledger'
import { parseLedger } from '../../process/orphans/ledger-lines'
import type { ChildKeeper } from '../../process/spawn/child-keeper'
import { LoginPath } from './login-path'

/** A shell whose profile runs these lines before it does what it is asked. */
function shellWith(profile: string): { shell: string; home: string } {
  const home = tempFolder('shell')
  const shell = join(home, 'shell')
  writeFileSync(shell, `#!/bin/sh\n${profile}\nshift\nexec /bin/sh -c "$1"\n`)
  chmodSync(shell, 0o755)
  return { shell, home }
}

function loginPath(
  profile: string,
  limitMs = 20_000,
  keeper?: ChildKeeper,
): { path: LoginPath; home: string } {
  const { shell, home } = shellWith(profile)
  const environment = { ...process.env, SHELL: shell }
  const place = { platform: process.platform, environment, home, limitMs }
  return { path: new LoginPath({ ...place, ...(keeper && { keeper }) }), home }
}

describe.skipIf(process.platform === 'win32')("the login shell's PATH", () => {
  it('is what its profile makes of it, whatever else the profile prints', async () => {
    const { path } = loginPath('echo Welcome; export PATH="/from/profile:$PATH"')
    expect(await path.read()).toBe(`/from/profile:${process.env.PATH ?? ''}`)
  })

  it('begins with nothing of a wrapper that runs Patchbay (E12)', async () => {
    const { shell, home } = shellWith('export PATH="$PATH:${LD_LIBRARY_PATH:-none}"')
    const environment = {
      ...{
        SHELL: shell,
        HOME: home,
        APPDIR: '/tmp/.mount_x',
        LD_LIBRARY_PATH: '/tmp/.mount_x/lib',
      },
      PATH: '/tmp/.mount_x/usr/bin:/usr/bin:/bin',
    }
    const path = new LoginPath({ platform: 'linux', environment, home, limitMs: 20_000 })
    expect(await path.read()).toBe('/usr/bin:/bin:none')
  })

  it('is asked for once, and again on demand', async () => {
    const { path, home } = loginPath('echo x >> "$(dirname "$0")/asked"')
    expect(await path.known()).toBeUndefined()
    const first = await path.read()
    await path.read()
    expect(await path.known()).toBe(first)
    await path.refresh()
    expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('x\nx\n')
  })

  it('is unknown when the profile hangs, and the shell is gone with all that it started', async () => {
    const { path, home } = loginPath('sleep 1000 & echo $! > "$(dirname "$0")/pid"; wait', 5_000)
    expect(await path.read()).toBeUndefined()
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('is not waited for by a quit', async () => {
    const { path, home } = loginPath('echo $$ > "$(dirname "$0")/pid"; sleep 1000')
    const asked = path.read()
    await expect.poll(() => existsSync(join(home, 'pid'))).toBe(true)
    path[Symbol.dispose]()
    expect(await asked).toBeUndefined()
  })

  it('comes at once when the profile leaves something running that holds the pipe', async () => {
    const { path, home } = loginPath('sleep 1000 & echo $! > "$(dirname "$0")/pid"')
    expect(await path.read()).toBe(process.env.PATH)
    process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')))
  })

  it.each([
    ['before it has answered', 'exit 3'],
    ['behind its answer', ''],
  ])('costs no memory and no signal when the profile floods %s', async (_when, end) => {
    const flood = `(sleep 0.1; exec yes) & echo $! > "$(dirname "$0")/pid"`
    const { path, home } = loginPath(`${flood}; ${end}`)
    const kill = vi.spyOn(process, 'kill')
    try {
      expect(await path.read()).toBe(end === '' ? process.env.PATH : undefined)
      const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
      // Nobody reads it any more, so it ends by its broken pipe.
      await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
      expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([])
    } finally {
      kill.mockRestore()
    }
  })

  it.runIf(process.platform === 'linux')(
    'is no longer used after the next start, when Patchbay is killed meanwhile',
    async () => {
      using ledger = new TempLedger()
      const keeper = ledger.open().sparingKeeperOf('')
      const profile =
        'cd "$(dirname "$0")"; setsid sleep 1000 & echo $$ $! > new; mv new pids; wait'
      const { path, home } = loginPath(profile, 60_000, keeper)
      const asked = path.read()
      const file = join(home, 'pids')
      await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
      const pids = readFileSync(file, 'utf8').split(' ').map(Number)
      expect(pids.filter(isRunning)).toHaveLength(2)
      await ledger.open().ready
      expect(pids.filter(isRunning)).toEqual([])
      expect(await asked).toBeUndefined()
    },
  )

  it('leaves what the profile started to the person, also when Patchbay is killed later', async () => {
    using ledger = new TempLedger()
    const keeper = ledger.open().sparingKeeperOf('')
    const { path, home } = loginPath('sleep 1000 & echo $! > "$(dirname "$0")/pid"', 20_000, keeper)
    expect(await path.read()).toBe(process.env.PATH)
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
    const children = join(ledger.profileDir, 'children.json')
    const runs = (): unknown => parseLedger(readFileSync(children, 'utf8'))
    await expect.poll(runs, { timeout: 20_000 }).toHaveLength(1)
    await ledger.open().ready
    expect(isRunning(pid)).toBe(true)
    process.kill(pid)
  })

  it('is unknown without a shell', async () => {
    const environment = { SHELL: '/nowhere/shell' }
    const path = new LoginPath({ platform: process.platform, environment, home: tmpdir() })
    expect(await path.read()).toBeUndefined()
  })
})

describe('a login shell that cannot be spawned', () => {
  it('leaves the inherited PATH in use', async () => {
    const environment = { SHELL: '/etc/passwd/zsh' }
    const path = new LoginPath({ platform: 'linux', environment, home: tmpdir() })
    expect(await path.read()).toBeUndefined()
  })
})
