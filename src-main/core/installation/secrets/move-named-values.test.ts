import { beforeEach, describe, expect, it } from 'vitest'

import { versionOf, VersionsHarness } from '../../../../e2e/fixtures/versions-harness'
import type { CustomServer } from '../../../../src-shared/domain/installation/custom-server'
import { openText } from '../../../../src-shared/domain/installation/custom-server'
import type { AppNotice, SecretStoreState } from '../../../../src-shared/domain/state/app-state'
import { saveCustomServerDraft } from '../custom-server'
import { moveNamedValues } from './move-named-values'

const KEYCHAIN: SecretStoreState = { kind: 'keychain' }
const TOKEN = 'hunter2-hunter2'

let bench: VersionsHarness
beforeEach(() => {
  bench = new VersionsHarness()
})

/** Makes the settings file an older one without marks of secret values. */
function forgetMarks(): void {
  const text = JSON.stringify(bench.disk.document, (key, value: unknown) =>
    key === 'isSecret' || (key === 'variables' && JSON.stringify(value) === '{}')
      ? undefined
      : value,
  )
  bench.disk.document = JSON.parse(text)
  bench.reopen()
}

/** An approved server with a token in the settings file. */
async function openField(name = 'Notes'): Promise<string> {
  const entry = versionOf('1.0.0', ['level', 'dbpassword'])
  const [pkg] = entry.server.packages
  const unmarked = pkg?.packageArguments.map((one) => ({ ...one, isSecret: undefined })) ?? []
  const server = { ...entry.server, packages: pkg ? [{ ...pkg, packageArguments: unmarked }] : [] }
  const values = { arg_level: 'all', arg_dbpassword: TOKEN }
  return bench.install({ ...entry, server }, values, name)
}

async function openCustom(server: CustomServer): Promise<string> {
  const save = { name: 'Own', server, budgets: {}, enabled: true, asItIs: false }
  const { installationId } = await saveCustomServerDraft(bench.service, save, undefined)
  forgetMarks()
  await bench.approve(installationId)
  return installationId
}

/** Simulates the next start of the app. */
function start(state: SecretStoreState = KEYCHAIN): Promise<AppNotice[]> {
  bench.reopen()
  bench.steps.length = 0
  const vault = Object.assign(bench.keychain, { ready: Promise.resolve(), state })
  return moveNamedValues(bench.store, vault, (version) => bench.service.previewOf(version))
}

const file = (): string => JSON.stringify(bench.disk.document)
const isApproved = (id: string): boolean => bench.service.isApproved(bench.now(id))

describe("A2: an older plain value with a secret's name", () => {
  it('moves to the keychain before it leaves the settings file, with one notice', async () => {
    const id = await openField()
    expect(file()).toContain(TOKEN)
    expect(await start()).toEqual([
      expect.objectContaining({
        title: '1 secret moved out of the settings file',
        message: 'The settings file no longer contains --dbpassword (Notes).',
      }),
    ])
    expect(bench.steps).toEqual(['set', 'write'])
    expect(file()).not.toContain(TOKEN)
    expect(await bench.secretOf(id, 'arg_dbpassword')).toBe(TOKEN)
    expect(bench.now(id).values).toEqual({ arg_level: 'all' })
    expect(await start()).toEqual([])
    expect(bench.steps).toEqual([])
  })

  it('keeps the approval of an approved command, and approves no other', async () => {
    const [one, other] = [await openField(), await openField('Other')]
    bench.store.save({ ...bench.now(other), approvedPlan: 'something else' })
    await start()
    expect([isApproved(one), isApproved(other)]).toEqual([true, false])
  })

  it('also moves to the encrypted file', async () => {
    const id = await openField()
    expect(await start({ kind: 'file' })).toHaveLength(1)
    expect(file()).not.toContain(TOKEN)
    expect(await bench.secretOf(id, 'arg_dbpassword')).toBe(TOKEN)
  })

  it('stays while secrets are in memory', async () => {
    const id = await openField()
    const before = file()
    const state = { kind: 'memory', reason: '', fix: '' } as const
    expect(await start(state)).toEqual([])
    expect([file(), bench.keychain.values]).toEqual([before, []])
    expect(isApproved(id)).toBe(true)
  })

  it('stays if the keychain fails, with a notice, and moves at a later start', async () => {
    const id = await openField()
    const before = file()
    const set = bench.keychain.set.bind(bench.keychain)
    bench.keychain.set = () => Promise.reject(new Error('It is locked'))
    expect(await start()).toEqual([
      expect.objectContaining({
        severity: 'warn',
        message: 'Patchbay retries at the next start. --dbpassword (Notes): It is locked.',
      }),
    ])
    expect(file()).toBe(before)
    bench.keychain.set = set
    expect(await start()).toHaveLength(1)
    expect(await bench.secretOf(id, 'arg_dbpassword')).toBe(TOKEN)
  })

  it('survives a crash between the keychain and the file', async () => {
    const id = await openField()
    bench.disk.isFull = true
    expect(await start()).toMatchObject([{ noticeId: 'secrets-not-moved' }])
    expect(file()).toContain(TOKEN)
    bench.disk.isFull = false
    // A killed run undoes nothing.
    await bench.keychain.set(`${id}/arg_dbpassword`, TOKEN)
    await start()
    expect([await bench.secretOf(id, 'arg_dbpassword'), isApproved(id)]).toEqual([TOKEN, true])
    expect(file()).not.toContain(TOKEN)
  })

  it('stays in the file if the entry declares it not secret', async () => {
    const id = await openField()
    const { server, ...rest } = bench.now(id)
    const packages = server.packages.map((pkg) => ({
      ...pkg,
      packageArguments: pkg.packageArguments.map((one) => ({ ...one, isSecret: false })),
    }))
    bench.store.save({ ...rest, server: { ...server, packages } })
    expect(await start()).toEqual([])
    expect(bench.now(id).values).toEqual({ arg_level: 'all', arg_dbpassword: TOKEN })
  })

  it('of an earlier version moves, too, and is restored with that', async () => {
    const id = await openField()
    await bench.update(id, versionOf('2.0.0', ['level']), { arg_level: 'few' })
    expect(await start()).toMatchObject([
      { message: 'The settings file no longer contains --dbpassword (test/notes 1.0.0).' },
    ])
    expect(file()).not.toContain(TOKEN)
    expect(await bench.rollBack(id)).toMatchObject({ asksAgain: false })
    expect(await bench.secretOf(id, 'arg_dbpassword')).toBe(TOKEN)
  })
})

describe('A2: an older custom server', () => {
  const env = (name: string, value: string) => ({ name, value: openText(value) })
  const command = (args: readonly string[], pairs: [string, string][]): CustomServer => ({
    kind: 'command',
    command: 'node',
    args: args.map(openText),
    env: pairs.map(([name, value]) => env(name, value)),
  })

  it('gets its secrets of variables and arguments moved to the keychain, and stays approved', async () => {
    const args = ['server.js', '--dbpassword=first-value', '--api-key', 'second-value', '--level=3']
    const id = await openCustom(
      command(args, [
        ['PGPASSWORD', 'third-value'],
        ['MAX_TOKENS', '4096'],
        ['MCP_AUTH', 'none'],
        ['GH_TOKEN', '<your token>'],
      ]),
    )
    expect(await start()).toMatchObject([
      {
        message:
          'The settings file no longer contains dbpassword (Own), api-key (Own), PGPASSWORD (Own).',
      },
    ])
    expect(file()).not.toMatch(/first-value|second-value|third-value/)
    expect(bench.keychain.values).toEqual(['first-value', 'second-value', 'third-value'])
    const preview = bench.service.previewOf(bench.now(id))
    if (preview.kind !== 'command') throw new Error('This is a command.')
    expect(preview.args.map(({ text }) => text).join(' ')).toMatch(
      /^server\.js --dbpassword=•+ --api-key •+ --level=3$/,
    )
    expect(preview.env.map(({ name, text }) => `${name}=${text}`)).toEqual([
      expect.stringMatching(/^PGPASSWORD=•+$/),
      ...['MAX_TOKENS=4096', 'MCP_AUTH=none', 'GH_TOKEN=<your token>'],
    ])
    expect(isApproved(id)).toBe(true)
    expect(await start()).toEqual([])
  })

  it('gets the secrets of an address and its headers moved, too', async () => {
    const id = await openCustom({
      kind: 'address',
      type: 'streamable-http',
      url: openText('https://a.example/mcp?dbtoken=first-value&mode=x'),
      headers: [env('X-Ghtoken', 'second-value'), env('Accept-Language', 'en')],
    })
    expect(await start()).toHaveLength(1)
    expect(bench.keychain.values).toEqual(['first-value', 'second-value'])
    expect(file()).not.toMatch(/first-value|second-value/)
    expect(isApproved(id)).toBe(true)
  })

  it('keeps values plain that the user has left plain since', async () => {
    const made = command(['--token=abc'], [['PGPASSWORD', 'third-value']])
    const save = { name: 'Own', server: made, budgets: {}, enabled: true, asItIs: false }
    await saveCustomServerDraft(bench.service, save, undefined)
    const url = openText('https://a.example/mcp?token=abc')
    const address: CustomServer = { kind: 'address', type: 'sse', url, headers: [] }
    await saveCustomServerDraft(bench.service, { ...save, name: 'Far', server: address }, undefined)
    expect(await start()).toEqual([])
    expect(bench.keychain.values).toEqual([])
  })
})
