import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { isRunning } from '../../../../e2e/fixtures/is-running'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { TempLedger } from '../../../../e2e/fixtures/temp-ledger'
import { parseLedger } from '../../process/orphans/orphan-ledger'
import type { ProcessLedger } from '../../process/spawn/process-ledger'
import { LoginShell } from './login-shell'

/** A shell whose profile runs these lines first. */
function shellWith(profile: string): { shell: string; home: string } {
  const home = tempFolder('shell')
  const shell = join(home, 'shell')
  writeFileSync(shell, `#!/bin/sh\n${profile}\nshift\nexec /bin/sh -c "$1"\n`)
  chmodSync(shell, 0o755)
  return { shell, home }
}

function loginShell(
  profile: string,
  waitMs = 20_000,
  processLedger?: ProcessLedger,
): { path: LoginShell; home: string } {
  const { shell, home } = shellWith(profile)
  const environment = { ...process.env, SHELL: shell }
  const place = { platform: process.platform, environment, home, waitMs }
  return { path: new LoginShell({ ...place, ...(processLedger && { processLedger }) }), home }
}

describe.skipIf(process.platform === 'win32')("F13: the login shell's PATH", () => {
  it('is the one that its profile sets, whatever else the profile prints', async () => {
    const { path } = loginShell('echo Welcome; export PATH="/from/profile:$PATH"')
    expect((await path.read())?.PATH).toBe(`/from/profile:${process.env.PATH ?? ''}`)
  })

  it('starts with nothing of a wrapper that runs Patchbay (E12)', async () => {
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
    const path = new LoginShell({ platform: 'linux', environment, home, waitMs: 20_000 })
    expect((await path.read())?.PATH).toBe('/usr/bin:/bin:none')
  })

  it('is requested once, and again on demand', async () => {
    const { path, home } = loginShell('echo x >> "$(dirname "$0")/asked"')
    expect(await path.known()).toBeUndefined()
    const first = await path.read()
    await path.read()
    expect(await path.known()).toBe(first)
    await path.refresh()
    expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('x\nx\n')
  })

  it('is unknown if the profile hangs, and the shells end with all their children', async () => {
    const { shell, home } = shellWith('sleep 1000 & echo $! >> "$(dirname "$0")/pids"; wait')
    const environment = { ...process.env, SHELL: shell }
    const limits = { waitMs: 500, longestMs: 3_000 }
    const path = new LoginShell({ platform: process.platform, environment, home, ...limits })
    expect(await path.read()).toBeUndefined()
    expect(path.problem).toBe(`Your shell (${shell}) didn’t answer within 0.5 s`)
    await expect.poll(() => path.problem).toBe(`Your shell (${shell}) ended without an answer`)
    const pids = readFileSync(join(home, 'pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids).toHaveLength(3)
    await expect.poll(() => pids.filter((pid) => isRunning(pid))).toEqual([])
  })

  it("doesn't delay a quit", async () => {
    const { path, home } = loginShell('echo $$ > "$(dirname "$0")/pid"; sleep 1000')
    const reading = path.read()
    await expect.poll(() => existsSync(join(home, 'pid'))).toBe(true)
    path[Symbol.dispose]()
    expect(await reading).toBeUndefined()
  })

  it('comes immediately if the profile leaves a process that holds the pipe', async () => {
    const { path, home } = loginShell('sleep 1000 & echo $! > "$(dirname "$0")/pid"')
    expect((await path.read())?.PATH).toBe(process.env.PATH)
    process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')))
  })

  it.each([
    ['before it has answered', 'exit 3'],
    ['after its answer', ''],
  ])('costs no memory and no signal if the profile floods %s', async (_when, end) => {
    const flood = `(sleep 0.1; exec yes) & echo $! > "$(dirname "$0")/pid"`
    const { path, home } = loginShell(`${flood}; ${end}`)
    const kill = vi.spyOn(process, 'kill')
    try {
      expect((await path.read())?.PATH).toBe(end === '' ? process.env.PATH : undefined)
      const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
      // The flooding process ends by SIGPIPE, because nothing reads the pipe.
      await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
      expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([])
    } finally {
      kill.mockRestore()
    }
  })

  it.runIf(process.platform === 'linux')(
    'has no shell left after the next start if Patchbay was killed meanwhile',
    async () => {
      using ledger = new TempLedger()
      const processLedger = ledger.open().ledgerWithoutReaping('')
      const profile =
        'cd "$(dirname "$0")"; setsid sleep 1000 & echo $$ $! > new; mv new pids; wait'
      const { path, home } = loginShell(profile, 10_000, processLedger)
      const reading = path.read()
      const file = join(home, 'pids')
      await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
      const pids = readFileSync(file, 'utf8').split(' ').map(Number)
      expect(pids.filter(isRunning)).toHaveLength(2)
      await ledger.open().ready
      expect(pids.filter(isRunning)).toEqual([])
      expect(await reading).toBeUndefined()
    },
  )

  it("leaves the profile's own processes running, even if Patchbay is killed later", async () => {
    using ledger = new TempLedger()
    const processLedger = ledger.open().ledgerWithoutReaping('')
    const { path, home } = loginShell(
      'sleep 1000 & echo $! > "$(dirname "$0")/pid"',
      20_000,
      processLedger,
    )
    expect((await path.read())?.PATH).toBe(process.env.PATH)
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
    const path = new LoginShell({ platform: process.platform, environment, home: tmpdir() })
    expect(await path.read()).toBeUndefined()
  })
})

describe("F13: a login shell that can't be spawned", () => {
  it('leaves the inherited PATH in use', async () => {
    const environment = { SHELL: '/etc/passwd/zsh' }
    const path = new LoginShell({ platform: 'linux', environment, home: tmpdir() })
    expect(await path.read()).toBeUndefined()
  })
})

/** A home folder for bash with these files; `SHELL` is bash unless set otherwise. */
function bashHome(files: Readonly<Record<string, string>>, limits: object = {}): LoginShell {
  const home = tempFolder('bash')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
  const environment = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/bash' }
  return new LoginShell({ platform: 'linux', environment, home, waitMs: 20_000, ...limits })
}

const RC = 'export PATH="$HOME/tools:$PATH" NOTES_KEY=of-rc\n'

describe.skipIf(process.platform === 'win32')("F13: the login shell's variables", () => {
  it('are all variables of its profile, including multi-line values', async () => {
    const shell = bashHome({ '.bash_profile': "export KEY='a\nB=c' JAVA_HOME=/opt/jdk\n" })
    expect(await shell.read()).toMatchObject({ KEY: 'a\nB=c', JAVA_HOME: '/opt/jdk' })
    expect(Object.keys((await shell.read()) ?? {})).not.toContain('SHLVL')
  })

  it("come from the account's shell if SHELL isn't set", async () => {
    const home = tempFolder('bash')
    writeFileSync(join(home, '.bash_profile'), RC)
    const environment = { HOME: home, PATH: '/usr/bin:/bin' }
    const place = { platform: 'linux', environment, home, accountShell: '/bin/bash' } as const
    expect(await new LoginShell(place).valueOf('NOTES_KEY')).toBe('of-rc')
  })

  it("include those of .bashrc if the profile doesn't read it", async () => {
    const shell = bashHome({ '.bash_profile': 'export LANG=C.UTF-8\n', '.bashrc': RC })
    expect(await shell.valueOf('NOTES_KEY')).toBe('of-rc')
    expect((await shell.known())?.PATH).toContain('/tools')
  })

  it('are known if the profile hands over to another shell', async () => {
    const shell = bashHome({
      '.bash_profile': '. ~/.bashrc\n',
      '.bashrc': `${RC}[ -z "$IN_OTHER" ] && export IN_OTHER=1 && exec sh\n`,
    })
    expect((await shell.read())?.NOTES_KEY).toBe('of-rc')
  })

  it('come from a non-interactive shell if the interactive one hangs', async () => {
    const shell = bashHome(
      {
        '.bash_profile': `${RC}case $- in *i*) sleep 1000;; esac\n`,
      },
      { waitMs: 2_000 },
    )
    await expect
      .poll(async () => (await shell.known())?.NOTES_KEY ?? (await shell.read())?.NOTES_KEY)
      .toBe('of-rc')
    shell[Symbol.dispose]()
  })

  it('are used even if they arrive late', async () => {
    const shell = bashHome({ '.bash_profile': `sleep 1.5\n${RC}` }, { waitMs: 100 })
    expect(await shell.read()).toBeUndefined()
    await expect.poll(async () => (await shell.known())?.NOTES_KEY).toBe('of-rc')
    expect(shell.problem).toBeUndefined()
  })
})
