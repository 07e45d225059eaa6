import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { BareComputer } from './fixtures/bare-computer'
import { expectStatus, goTo, install, logOf, openServer } from './fixtures/drive'
import { FakeDocker } from './fixtures/fake-docker'
import { fixtureServer } from './fixtures/fixture-server'
import { type AppUnderTest, expect, isAlive, test } from './fixtures/patchbay-test'
import { pause } from './fixtures/pause'

const CLINGS = join(import.meta.dirname, 'servers', 'clings.mjs')

/** Pids of living processes with `word` among their arguments. */
function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => argumentsOf(pid).includes(word))
    .map(Number)
    .filter((pid) => isAlive(pid))
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it ended meanwhile
  }
}

/** A command that never exits, with a program in another session; returns its folder. */
function fakeCommand(name: string, folder: string, word: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  const lines = [
    '#!/bin/sh',
    'trap "" TERM',
    `setsid node '${CLINGS}' download ${word} &`,
    'wait',
    'sleep 600',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  chmodSync(file, 0o755)
  return folder
}

const registryServer = (registryType: string, identifier: string, args: string[]): object => ({
  name: `test.fixture/${registryType}`,
  description: 'A package.',
  version: '1.0.0',
  packages: [
    {
      registryType,
      identifier,
      ...(registryType === 'npm' && { version: '1.0.0' }),
      transport: { type: 'stdio' },
      packageArguments: args.map((value) => ({ type: 'positional', value })),
    },
  ],
})

async function kill(app: AppUnderTest): Promise<void> {
  process.kill(app.pid, 'SIGKILL')
  await app.close()
}

test.describe('B8: Patchbay killed with SIGKILL', () => {
  // Hanging servers hang as long as the others need.
  test.use({ settings: { handshakeMs: 300_000, discoverMs: 300_000 } })

  let word: string
  let docker: FakeDocker
  test.beforeEach(() => {
    word = `orphan-${randomBytes(6).toString('hex')}`
    docker = new FakeDocker()
  })
  test.afterEach(() => {
    for (const pid of processesWith(word)) process.kill(pid, 'SIGKILL')
    docker[Symbol.dispose]()
  })

  test('leaves nothing to the next start, whatever its servers were doing', async ({
    openApp,
    profileDir,
  }) => {
    test.setTimeout(240_000)
    const npx = fakeCommand('npx', join(profileDir, 'bin'), word)
    const env = { PATH: [npx, docker.bin, process.env.PATH].join(delimiter) }
    const wraps = (...args: string[]): object =>
      fixtureServer('wraps.mjs', { args: [...args, word] })
    const app = await openApp({ env })
    const { page } = app
    await install(page, fixtureServer('plain.mjs', { args: [word] }), 'Plain')
    await install(page, wraps('group', 'clings.mjs', 'none'), 'Wrapped')
    await install(page, wraps('session', 'clings.mjs', 'none'), 'Session')
    await install(page, fixtureServer('clings.mjs', { args: ['none', word] }), 'Stopping')
    await install(page, registryServer('oci', 'fixture/clings.mjs', ['none', word]), 'Container')
    await install(page, registryServer('npm', 'thing', [word]), 'Download')
    await install(page, wraps('group', 'clings.mjs', 'initialize'), 'Handshake')
    await install(page, wraps('session', 'clings.mjs', 'tools/list'), 'Discover')
    for (const name of ['Plain', 'Wrapped', 'Session', 'Stopping', 'Container']) {
      await expectStatus(page, name, 'Ready')
    }
    // Two processes per wrapped server, one per other, and the client, the container and its download.
    await expect
      .poll(() => processesWith(word).length)
      .toBeGreaterThanOrEqual(1 + 4 * 2 + 1 + 2 + 1)
    for (const name of ['Handshake', 'Discover', 'Download'])
      await expectStatus(page, name, 'Starting')
    await openServer(page, 'Stopping')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expectStatus(page, 'Stopping', 'Stopping')
    const before = processesWith(word)
    const [container] = docker.containers()
    await kill(app)
    // The rest would prove nothing unless they stay behind.
    expect(before.filter((pid) => isAlive(pid)).length).toBeGreaterThanOrEqual(8)

    const next = await openApp({ env })
    for (const name of ['Plain', 'Wrapped', 'Session', 'Container']) {
      await expectStatus(next.page, name, 'Ready')
    }
    expect(before.filter((pid) => isAlive(pid))).toEqual([])
    expect(docker.calls()).toContain(`rm -f ${container?.name ?? ''}`)
    expect(docker.containers().map(({ name }) => name)).not.toContain(container?.name)
    await goTo(next.page, 'Home')
    const notices = next.page.getByRole('region', { name: 'Notices' })
    await expect(notices).toContainText('Patchbay quit before it could stop its servers')
    await expect(notices).toContainText(/\d+ processes and 1 container of .* stopped now/u)

    expect(await next.close()).toBe(0)
    expect(processesWith(word)).toEqual([])
    expect(readdirSync(profileDir)).not.toContain('children.json')
  })

  test('leaves no process and no folder of a running runner setup', async ({
    openApp,
    profileDir,
  }) => {
    const computer = new BareComputer()
    try {
      fakeCommand('pipx', computer.bin, word)
      const app = await openApp({ env: computer.env })
      const { page } = app
      await install(page, registryServer('pypi', 'notes', []), 'Notes')
      await expectStatus(page, 'Notes', 'Error')
      await openServer(page, 'Notes')
      await page.getByRole('button', { name: 'Run: Install uv with pipx' }).click()
      await page.getByRole('button', { name: 'Run and start Notes' }).click()
      // From then on it survives the loss of its pipes.
      await openServer(page, 'Notes', 'Log')
      await expect(logOf(page, 'Notes')).toContainText('Clings')
      const before = processesWith(word)
      const scratch = join(profileDir, 'scratch')
      expect(readdirSync(scratch)).toEqual([expect.stringMatching(/^patchbay-setup-/u)])
      await kill(app)
      // The rest would prove nothing unless both stay behind.
      expect(before.filter((pid) => isAlive(pid))).toHaveLength(1)
      expect(readdirSync(scratch)).toHaveLength(1)

      const next = await openApp({ env: computer.env })
      await expectStatus(next.page, 'Notes', 'Error')
      expect(processesWith(word)).toEqual([])
      await expect.poll(() => readdirSync(scratch)).toEqual([])
      expect(await next.close()).toBe(0)
    } finally {
      computer.remove()
    }
  })

  test('leaves nothing either if killed right after its start, repeatedly', async ({
    openApp,
    openServe,
  }) => {
    test.setTimeout(240_000)
    const app = await openApp()
    for (const [name, ...args] of [
      ['First', 'group', 'clings.mjs', 'none', word],
      ['Second', 'session', 'clings.mjs', 'none', word],
      ['Third', 'session', 'clings.mjs', 'initialize', word],
    ]) {
      await install(app.page, fixtureServer('wraps.mjs', { args }), name ?? '')
    }
    await expectStatus(app.page, 'First', 'Ready')
    await expectStatus(app.page, 'Second', 'Ready')
    await kill(app)
    for (const ms of [0, 50, 150, 400, 900]) {
      const served = await openServe()
      // Not a wait for a state: the moment of the kill varies.
      await pause(ms)
      await served.close('SIGKILL')
    }
    const before = processesWith(word)
    expect(before.length).toBeGreaterThan(0)
    const last = await openApp()
    await expectStatus(last.page, 'First', 'Ready')
    await expectStatus(last.page, 'Second', 'Ready')
    await expectStatus(last.page, 'Third', 'Starting')
    expect(before.filter((pid) => isAlive(pid))).toEqual([])
    expect(await last.close()).toBe(0)
    expect(processesWith(word)).toEqual([])
  })
})
