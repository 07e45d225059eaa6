import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import { AppUpdates, type AppUpdatesParts, type UpdateInstaller } from './app-updates'
import { readReleaseKey } from './update-manifest'

const DAY_MS = 24 * 60 * 60 * 1_000
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const otherKeys = generateKeyPairSync('ed25519')
const key = readReleaseKey(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'))

const folder = mkdtempSync(join(tmpdir(), 'patchbay-updates-'))
const PROGRAM = Buffer.from('the new program')
const published = new Map<string, Buffer>()
const requests: string[] = []
let server: Server
let address = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const body = published.get(request.url ?? '')
    response.writeHead(body ? 200 : 404).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

function manifestOf(version: string, program = PROGRAM): string {
  const sha512 = createHash('sha512').update(program).digest('base64')
  const file = `  - url: Patchbay.exe\n    sha512: ${sha512}\n    size: ${String(program.length)}\n`
  return `version: ${version}\nfiles:\n${file}releaseNotes: Fixes <b>bugs</b>\n`
}

function publish(manifest: string, signedBy = privateKey, signed = manifest): void {
  published.set('/latest.yml', Buffer.from(manifest))
  const signature = sign(null, Buffer.from(signed), signedBy).toString('base64')
  published.set('/latest.yml.sig', Buffer.from(`${signature}\n`))
  published.set('/Patchbay.exe', PROGRAM)
}

type Harness = AppUpdates & { readonly installs: boolean[]; readonly states: UpdateState[] }

const NEW = { version: '1.1.0', notes: 'Fixes <b>bugs</b>' }
const DOWNLOAD = join(folder, 'Patchbay.exe')

function open(parts: Partial<AppUpdatesParts> = {}, of: Partial<UpdateInstaller> = {}): Harness {
  const installs: boolean[] = []
  const installer: UpdateInstaller = {
    download: async (_manifest, onProgress) => {
      const answer = await fetch(`${address}/Patchbay.exe`)
      onProgress(50.5)
      writeFileSync(DOWNLOAD, Buffer.from(await answer.arrayBuffer()))
      return DOWNLOAD
    },
    mayQuit: () => Promise.resolve(true),
    install: (restarts) => installs.push(restarts),
    ...of,
  }
  const updates: AppUpdates = new AppUpdates({
    source: { manifest: `${address}/latest.yml`, key, channel: 'self', installer },
    version: '1.0.0',
    fetch: globalThis.fetch,
    time: new ManualClock(),
    isAutomatic: () => true,
    end: () => void updates.installAtQuit(),
    ...parts,
  })
  const states: UpdateState[] = []
  updates.onDidChange((state) => states.push(state))
  return Object.assign(updates, { installs, states })
}

async function failureOf(updates: AppUpdates): Promise<string> {
  await updates.check()
  const { state } = updates
  return state.kind === 'failed' ? state.message : state.kind
}

beforeEach(() => {
  published.clear()
  requests.length = 0
})

describe('D8: an update of Patchbay', () => {
  it('is downloaded with progress, verified, and installed on quit', async () => {
    publish(manifestOf('1.1.0'))
    const updates = open()
    await updates.check()
    expect(updates.states).toEqual([
      { kind: 'checking' },
      { kind: 'available', ...NEW },
      { kind: 'downloading', ...NEW, percent: 0 },
      { kind: 'downloading', ...NEW, percent: 50 },
      { kind: 'ready', ...NEW },
    ])
    expect(updates.installs).toEqual([])
    await updates.installAtQuit()
    expect(updates.installs).toEqual([false])
  })

  it("is downloaded only on request if updates aren't automatic", async () => {
    publish(manifestOf('1.1.0'))
    const updates = open({ isAutomatic: () => false })
    await updates.check()
    expect(updates.state).toEqual({ kind: 'available', ...NEW })
    expect(requests).not.toContain('/Patchbay.exe')
    await updates.download()
    expect(updates.state.kind).toBe('ready')
  })

  it('names the command of the package manager that owns the installation', async () => {
    publish(manifestOf('1.1.0'))
    const channel = { command: 'sudo dnf upgrade patchbay' }
    const updates = open({ source: { manifest: `${address}/latest.yml`, key, channel } })
    await updates.check()
    expect(updates.state).toEqual({ kind: 'available', ...NEW, ...channel })
    await updates.download()
    await updates.installAtQuit()
    expect(updates.state.kind).toBe('available')
    expect(requests).not.toContain('/Patchbay.exe')
  })

  it('is absent if the newest version is installed', async () => {
    publish(manifestOf('1.0.0'))
    const updates = open()
    await updates.check()
    expect(updates.state.kind).toBe('current')
  })
})

describe('D8: the check for updates', () => {
  it('runs after the start and daily, unless turned off', async () => {
    publish(manifestOf('1.0.0'))
    const time = new ManualClock()
    let isAutomatic = true
    const updates = open({ time, isAutomatic: () => isAutomatic })
    const checks = () => requests.filter((url) => url === '/latest.yml').length
    expect(checks()).toBe(0)
    time.pass(60_000)
    await updates.check()
    expect(checks()).toBe(1)
    time.pass(DAY_MS)
    await updates.check()
    expect(checks()).toBe(2)
    isAutomatic = false
    time.pass(3 * DAY_MS)
    await updates.check()
    expect(checks()).toBe(3)
    updates[Symbol.dispose]()
    expect(time.waiting).toBe(0)
  })

  it('leaves an update that is ready as it is', async () => {
    publish(manifestOf('1.1.0'))
    const updates = open()
    await updates.check()
    requests.length = 0
    publish(manifestOf('1.2.0'))
    await updates.check()
    expect(updates.state).toMatchObject({ kind: 'ready', version: '1.1.0' })
    expect(requests).toEqual([])
  })

  it('reports a failure, and works again with the next try', async () => {
    const updates = open()
    expect(await failureOf(updates)).toBe("Can't reach the update server.")
    publish(manifestOf('1.1.0'))
    expect(await failureOf(updates)).toBe('ready')
  })
})

describe('D8: a tampered update is rejected', () => {
  const UNSIGNED = 'The update isn’t signed with Patchbay’s release key.'

  it('with a manifest changed after signing', async () => {
    publish(manifestOf('1.1.0'), privateKey, manifestOf('1.0.9'))
    expect(await failureOf(open())).toBe(UNSIGNED)
    expect(requests).not.toContain('/Patchbay.exe')
  })

  it('with a manifest signed by another key', async () => {
    publish(manifestOf('1.1.0'), otherKeys.privateKey)
    expect(await failureOf(open())).toBe(UNSIGNED)
  })

  it.each([
    ['empty', ''],
    ['not base64', '?!'],
    ['cut', 'AAAA'],
  ])('with a signature that is %s', async (_what, signature) => {
    publish(manifestOf('1.1.0'))
    published.set('/latest.yml.sig', Buffer.from(signature))
    expect(await failureOf(open())).toBe(UNSIGNED)
  })

  it('with an older version, even if the signature is valid', async () => {
    publish(manifestOf('0.9.0'))
    expect(await failureOf(open())).toBe(
      'The offered version 0.9.0 is older than the installed version 1.0.0.',
    )
  })

  it.each([
    ['no version', 'files: []'],
    ['a version that is none', manifestOf('latest')],
    ['no YAML', 'version: [1'],
    ['no files', 'version: 1.1.0\nfiles: []\n'],
  ])('with a signed manifest of %s', async (_what, manifest) => {
    publish(manifest)
    expect(await failureOf(open())).toBe('The update’s manifest can’t be read.')
  })

  it('with a manifest of more than 1 MB', async () => {
    publish(`${manifestOf('1.1.0')}# ${'x'.repeat(1_000_000)}\n`)
    expect(await failureOf(open())).toBe("Can't reach the update server.")
  })

  it('with a truncated file', async () => {
    publish(manifestOf('1.1.0'))
    published.set('/Patchbay.exe', PROGRAM.subarray(0, 5))
    const updates = open()
    expect(await failureOf(updates)).toBe('The downloaded update is incomplete.')
    await updates.installAtQuit()
    expect(updates.installs).toEqual([])
  })

  it('with another file of the same size', async () => {
    publish(manifestOf('1.1.0'))
    published.set('/Patchbay.exe', Buffer.from('the bad program'))
    expect(await failureOf(open())).toBe('The downloaded update doesn’t match the released file.')
  })

  it.each([
    [
      'changed',
      () => writeFileSync(DOWNLOAD, readFileSync(DOWNLOAD).reverse()),
      'The downloaded update doesn’t match the released file.',
    ],
    ['deleted', () => rmSync(DOWNLOAD), 'The downloaded update is missing.'],
  ])('with a file %s after its download', async (_what, change, message) => {
    publish(manifestOf('1.1.0'))
    const updates = open()
    await updates.check()
    change()
    await updates.installAtQuit()
    expect(updates.state).toMatchObject({ kind: 'failed', message })
    expect(updates.installs).toEqual([])
  })
})

describe('D8: the release key', () => {
  it('is rejected unless it is Ed25519', () => {
    const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const text = other.export({ format: 'der', type: 'spki' }).toString('base64')
    expect(() => readReleaseKey(text)).toThrow('The release key is not Ed25519.')
  })
})

describe('D8: restarting to update', () => {
  it('is rejected during a call, and opens the new version afterwards', async () => {
    publish(manifestOf('1.1.0'))
    const updates = open()
    await expect(updates.restart(2)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await updates.check()
    await expect(updates.restart(2)).rejects.toMatchObject({
      code: 'CALLS_RUNNING',
      message: '2 tool calls are running.',
    })
    expect(updates.installs).toEqual([])
    await updates.restart(0)
    await expect.poll(() => updates.installs).toEqual([true])
  })

  it("has no effect if the user stays, and a later quit doesn't reopen Patchbay", async () => {
    publish(manifestOf('1.1.0'))
    const updates = open({}, { mayQuit: () => Promise.resolve(false) })
    await updates.check()
    await updates.restart(0)
    await updates.installAtQuit()
    expect(updates.installs).toEqual([false])
  })
})
