import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { fixtureServer } from '../e2e/fixtures/fixture-server'
import type { ServerView } from '../src-shared/domain/app-state'
import type { FieldValues } from '../src-shared/domain/field-values'
import type { PhaseBudgets } from '../src-shared/domain/installation'
import type { RequestChannel } from '../src-shared/ipc/channels'
import type { RequestInput, RequestOutput } from '../src-shared/ipc/contract'
import type { DocumentStore, SecretBackend } from './core/ports'
import { isTreeAlive } from './core/process/kill-tree'
import { memoryBackend } from './core/secrets/memory-backend'
import { answer } from './ipc/answer'
import { openPatchbay, type Patchbay } from './open-patchbay'

const WAIT_MS = 20_000

/** The real core over a document and a keychain in memory; everything below them is real. */
class Desk {
  readonly patchbay: Patchbay
  readonly history: { name: string; kind: string }[] = []
  readonly profileDir = mkdtempSync(join(tmpdir(), 'patchbay-core-'))

  constructor(
    readonly memory: { document: unknown; secrets: SecretBackend } = {
      document: null,
      secrets: memoryBackend(),
    },
  ) {
    const document: DocumentStore = {
      file: join(this.profileDir, 'settings.json'),
      read: () => memory.document,
      write: (next) => (memory.document = structuredClone(next)),
    }
    this.patchbay = openPatchbay({
      profileDir: this.profileDir,
      document,
      loadSecrets: () => Promise.resolve(memory.secrets),
      info: { version: '0', wayIn: 'browser', platform: process.platform, canPickPath: false },
    })
    this.patchbay.onEvent((event) => {
      if (event.channel !== 'server.changed') return
      const { name, status } = event.payload.server
      this.history.push({ name, kind: status.kind })
    })
  }

  async call<C extends RequestChannel>(
    channel: C,
    input: RequestInput<C>,
  ): Promise<RequestOutput<C>> {
    const reply = await answer(this.patchbay.handlers, channel, input)
    if (!reply.ok) throw Object.assign(new Error(reply.error.message), { code: reply.error.code })
    return reply.value
  }

  /** Pastes, approves and starts, as the setup screen does. */
  async install(
    server: object,
    options: { name?: string; values?: FieldValues; budgets?: PhaseBudgets; asItIs?: boolean } = {},
  ): Promise<string> {
    const entry = await this.call('catalog.paste', { text: JSON.stringify(server) })
    const of = { entryId: entry.entryId, packageIndex: 0 }
    const values = options.values ?? {}
    const { planHash } = await this.call('launch.preview', { of, values })
    const { installationId } = await this.call('installation.create', {
      ...of,
      name: options.name ?? entry.server.title ?? entry.server.name,
      values,
      budgets: options.budgets ?? {},
      start: true,
      asItIs: options.asItIs ?? false,
      approvedPlan: planHash,
    })
    return installationId
  }

  async view(installationId: string): Promise<ServerView> {
    const { servers } = await this.call('app.snapshot', {})
    const found = servers.find((server) => server.installationId === installationId)
    if (!found) throw new Error('the server is not in the snapshot')
    return found
  }

  async until(installationId: string, kind: ServerView['status']['kind']): Promise<ServerView> {
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      const view = await this.view(installationId)
      if (view.status.kind === kind) return view
      if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(view.status)}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async log(installationId: string): Promise<string[]> {
    const { entries } = await this.call('log.read', { installationId })
    return entries.map((entry) => entry.text)
  }

  async close(): Promise<void> {
    await this.patchbay.close()
    rmSync(this.profileDir, { recursive: true, force: true })
  }
}

const desks: Desk[] = []
function open(memory?: Desk['memory']): Desk {
  const desk = new Desk(memory)
  desks.push(desk)
  return desk
}
afterEach(async () => {
  await Promise.all(desks.splice(0).map((desk) => desk.close()))
})

describe('B5 ready', () => {
  it('means a finished handshake and a first listing', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('plain.mjs'))
    const view = await desk.until(id, 'ready')
    expect(view.counts.tools).toBe(1)
    expect(view.phases.map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ['resolve', 'done'],
      ['install', 'skipped'],
      ['spawn', 'done'],
      ['handshake', 'done'],
      ['discover', 'done'],
    ])
  })

  it('waits for a first listing that fails twice', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('late-list.mjs'))
    expect((await desk.until(id, 'ready')).counts.tools).toBe(1)
    expect((await desk.log(id)).filter((line) => line.includes('not warm yet'))).toHaveLength(2)
  })
})

describe('B9 starts', () => {
  it('are not delayed by more hanging servers than there are slots', async () => {
    const desk = open()
    await desk.call('settings.update', { installSlots: 1 })
    const hanging = [0, 1, 2].map((index) =>
      desk.install(fixtureServer('silent.mjs'), { name: `Silent ${String(index)}` }),
    )
    await Promise.all(hanging)
    const plain = await desk.install(fixtureServer('plain.mjs'))
    await desk.until(plain, 'ready')
    const { servers } = await desk.call('app.snapshot', {})
    const kinds = servers.map((server) => server.status.kind)
    expect(kinds).toEqual(['starting', 'starting', 'starting', 'ready'])
  })

  it('show a limit that was reached with its phase and a hint', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('silent.mjs'), { budgets: { handshakeMs: 500 } })
    const { status, phases } = await desk.until(id, 'error')
    expect(status).toMatchObject({
      code: 'PHASE_TIMEOUT',
      message: 'The server did not answer the handshake within 0.5 s.',
      stderrTail: ['Waiting for nothing'],
    })
    expect(phases.at(-1)).toMatchObject({ phase: 'handshake', outcome: 'failed' })
  })
})

describe('B10 a failed start', () => {
  it('has ended its process before the status says so', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('stubborn.mjs'), { budgets: { handshakeMs: 500 } })
    const starting = await untilPid(desk, id)
    await desk.until(id, 'error')
    expect(isTreeAlive(starting)).toBe(false)
  })

  it('tells the exit code and the last lines', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('exits.mjs'))
    const { status } = await desk.until(id, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_EXITED',
      message: 'The server exited with code 3 before it answered.',
      stderrTail: ['Missing the one thing it needs'],
    })
  })

  it('names a command that does not exist', async () => {
    const desk = open()
    const server = fixtureServer('plain.mjs') as { packages: { identifier: string }[] }
    Object.assign(server.packages[0] ?? {}, { identifier: 'no-such-command-here' })
    const id = await desk.install(server)
    const { status } = await desk.until(id, 'error')
    expect(status).toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: 'no-such-command-here was not found on this computer.',
    })
  })
})

describe('B1 stderr', () => {
  it('of 64 MB before the first answer does not keep a server from starting', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('floods.mjs', { args: ['64'] }))
    await desk.until(id, 'ready')
    const { entries, droppedBefore } = await desk.call('log.read', { installationId: id })
    expect(entries.length).toBeLessThanOrEqual(5_000)
    expect(droppedBefore).toBeGreaterThan(10_000)
  })
})

describe('B4 noise on stdout', () => {
  it('is kept in the log, counted, and shown as a warning', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('noisy.mjs'))
    const view = await desk.until(id, 'degraded')
    expect(view.noiseLines).toBe(2)
    const { entries } = await desk.call('log.read', { installationId: id })
    const noise = entries.filter((entry) => entry.source === 'stdout').map((entry) => entry.text)
    expect(noise).toEqual(['Welcome to the noisy server', 'listening'])
  })
})

describe('B6 stop and quit', () => {
  it('leaves no process of a server that started others', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('family.mjs'))
    const { pid } = await desk.until(id, 'ready')
    await desk.call('server.stop', { installationId: id })
    await desk.until(id, 'stopped')
    expect(isTreeAlive(pid ?? 0)).toBe(false)
  })

  it('ends every server within 6 s, whatever it ignores', async () => {
    const desk = open()
    const plain = await desk.install(fixtureServer('plain.mjs'))
    const stubborn = await desk.install(fixtureServer('stubborn.mjs'))
    const { pid } = await desk.until(plain, 'ready')
    const stubbornPid = await untilPid(desk, stubborn)
    const from = Date.now()
    await desk.patchbay.close()
    expect(Date.now() - from).toBeLessThan(6_500)
    expect([pid ?? 0, stubbornPid].filter((one) => isTreeAlive(one))).toEqual([])
  })

  it('cancels a start that is under way', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('silent.mjs'))
    const pid = await untilPid(desk, id)
    await desk.call('server.stop', { installationId: id })
    await desk.until(id, 'stopped')
    expect(isTreeAlive(pid)).toBe(false)
  })
})

describe('B7 the loss of a ready server', () => {
  it('is shown with the signal, and a restart works', async () => {
    const desk = open()
    const id = await desk.install(fixtureServer('plain.mjs'))
    const { pid } = await desk.until(id, 'ready')
    process.kill(pid ?? 0, 'SIGKILL')
    const { status } = await desk.until(id, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_KILLED',
      message: 'The server was ended by SIGKILL while it was in use.',
    })
    await desk.call('server.restart', { installationId: id })
    expect((await desk.until(id, 'ready')).pid).not.toBe(pid)
  })
})

describe('A5 values', () => {
  it('reach the server unchanged, whatever they hold', async () => {
    const desk = open()
    const odd = `"quotes" 'single' $(touch /tmp/no) \`id\` ; | & \\ zażółć 日本\nsecond line`
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--text', description: 'Any text' }],
    })
    const id = await desk.install(server, { values: { arg_text: odd } })
    await desk.until(id, 'ready')
    expect(await desk.log(id)).toContain(`argv ${JSON.stringify(['--text', odd])}`)
  })
})

describe('A6 a missing value', () => {
  it('stops the start before anything is spawned, names the field, and delays no other', async () => {
    const desk = open()
    const server = fixtureServer('plain.mjs', {
      packageArguments: [
        { type: 'named', name: '--dir', description: 'A folder', isRequired: true },
      ],
    })
    const id = await desk.install(server, { asItIs: true })
    const { status, phases } = await desk.until(id, 'error')
    expect(status).toMatchObject({ code: 'CONFIG_INCOMPLETE', fields: [{ fieldKey: 'arg_dir' }] })
    expect(phases.map(({ phase }) => phase)).toEqual(['resolve'])
    await desk.until(await desk.install(fixtureServer('noisy.mjs')), 'degraded')
  })
})

describe('D3 consent', () => {
  it('is asked again when the command changed', async () => {
    const desk = open()
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--mode', description: 'A mode', default: 'a' }],
    })
    const id = await desk.install(server)
    await desk.until(id, 'ready')
    const change = { installationId: id, name: 'plain', values: { arg_mode: 'b' } }
    await desk.call('installation.update', change)
    await desk.call('server.restart', { installationId: id })
    expect((await desk.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
  })

  it('does not hold for a command other than the one that was shown', async () => {
    const desk = open()
    const entry = await desk.call('catalog.paste', {
      text: JSON.stringify(fixtureServer('plain.mjs')),
    })
    const create = desk.call('installation.create', {
      entryId: entry.entryId,
      packageIndex: 0,
      name: 'plain',
      values: {},
      start: true,
      approvedPlan: 'f'.repeat(64),
    })
    await expect(create).rejects.toMatchObject({ code: 'CONSENT_REQUIRED' })
    expect((await desk.call('app.snapshot', {})).servers).toEqual([])
  })
})

describe('A2 and A7 secrets', () => {
  it('are in the keychain only, reach the server, and are masked in its log', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = open(memory)
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--key', isSecret: true, isRequired: true }],
    })
    const id = await desk.install(server, { values: { arg_key: 'hunter2-hunter2' } })
    await desk.until(id, 'ready')
    expect(JSON.stringify(memory.document)).not.toContain('hunter2')
    expect(await memory.secrets.get(`${id}/arg_key`)).toBe('hunter2-hunter2')
    expect(await desk.log(id)).toContain('argv ["--key","••••••••"]')
    expect(
      JSON.stringify(await desk.call('installation.read', { installationId: id })),
    ).not.toContain('hunter2')
  })
})

describe('D1 opening again', () => {
  it('restores and starts the enabled servers and leaves the others', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const first = open(memory)
    const plain = await first.install(fixtureServer('plain.mjs'))
    const off = await first.install(fixtureServer('noisy.mjs'))
    await first.call('installation.setEnabled', { installationId: off, enabled: false })
    await first.patchbay.close()
    const second = open(memory)
    await second.until(plain, 'ready')
    expect((await second.view(off)).status).toEqual({ kind: 'stopped' })
  })
})

/** The pid of a server whose start is under way. */
async function untilPid(desk: Desk, installationId: string): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { pid } = await desk.view(installationId)
    if (pid !== undefined) return pid
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the server was never spawned')
}
