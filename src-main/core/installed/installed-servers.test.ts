import { beforeEach, describe, expect, it } from 'vitest'

import { KeyedServers } from '../../../e2e/fixtures/keyed-servers'
import { oneOf } from '../../../e2e/fixtures/pasted-text'
import { versionOf } from '../../../e2e/fixtures/versions-harness'
import { previewCustomServer } from '../installation/custom-server'
import { type InstallationService, offerOf } from '../installation/installation-service'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { StoreChange } from '../installation/store/store-change'
import { buildLaunchPlan } from '../launch/building/build-launch-plan'
import { type InstalledParts, InstalledServers, type UsableServer } from './installed-servers'

const entryOf = (version: string) => versionOf(version, [])
const ENTRY = entryOf('1.0.0')
const FIRST = { kind: 'package', index: 0 } as const
const draft = (name: string) => ({ name, values: {}, budgets: {} })
/** A server from a configuration; with `approves`, its current plan is approved. */
async function pasted(
  name: string,
  entry: object,
  { approves = true }: { approves?: boolean } = {},
): Promise<UsableServer> {
  const server = await oneOf({ mcpServers: { [name]: entry } })
  const { preview } = previewCustomServer(installations, server.drafted.made, undefined, undefined)
  const approvedPlan = approves ? preview?.planHash : undefined
  return { ...server, choice: { ...server.choice, ...(approvedPlan && { approvedPlan }) } }
}
const customServer = (name: string) => ({
  name,
  budgets: {},
  cwd: undefined,
  server: { kind: 'command' as const, command: 'node', args: [], env: [] },
})

/** The runner of servers records its calls; settings file and keychain are real, in memory. */
let calls: string[]
let changes: StoreChange[]
let store: ProfileDocument
let installed: InstalledServers
let installations: InstallationService
let isListed: boolean
let servers: KeyedServers
beforeEach(() => {
  calls = []
  changes = []
  isListed = false
  servers = new KeyedServers()
  store = servers.store
  installations = servers.service
  store.onDidChange((change) => changes.push(change))
  const places = new Set<string>()
  const record = (step: string) => (): void => void calls.push(step)
  const recordAsync = (step: string) => (): Promise<void> => Promise.resolve(void calls.push(step))
  const server = {
    start: record('start'),
    restart: record('restart'),
    stop: recordAsync('stop'),
    liftStop: record('liftStop'),
  }
  installed = new InstalledServers({
    installations,
    servers: {
      add: (id: string) => {
        places.add(id)
        calls.push('add')
      },
      read: (id: string) => {
        if (!places.has(id)) throw new Error('It has no place yet.')
        return server
      },
      stop: recordAsync('stop'),
    },
    tools: { loaded: Promise.resolve(), isListed: () => isListed },
    onAdded: record('reported'),
    removals: {
      begin: recordAsync('removals.begin'),
      remove: (id: string, deleteSecrets: boolean) => {
        calls.push('removals.remove')
        return installations.removed.remove(id, deleteSecrets)
      },
    },
    signIns: { of: () => ({ prepare: recordAsync('signIns.prepare') }) },
  } as unknown as InstalledParts)
})

const create = (start = false) =>
  installed.create(ENTRY, FIRST, draft('Notes'), { start, asItIs: false })
/** The hash of the current plan. */
function hashOf(id: string): string {
  const installation = installations.read(id)
  return installations.preview(offerOf(installation), installation.values, {}).planHash
}
const enabledOf = (id: string) => store.find(id)?.enabled

describe('B12: installed servers', () => {
  it('are added before the change is reported, and started afterwards', async () => {
    const id = await create(true)
    expect(calls).toEqual(['add', 'reported', 'start'])
    expect(enabledOf(id)).toBe(true)
  })

  it("are created turned off if they aren't to start", async () => {
    const id = await create()
    expect(calls).toEqual(['add', 'reported'])
    expect(enabledOf(id)).toBe(false)
  })

  it('are saved and restarted in one request, and not restarted if saving fails', async () => {
    const id = await create()
    calls = []
    await installed.save(id, draft('Diary'), { start: true })
    expect([calls, store.find(id)?.name]).toEqual([['restart'], 'Diary'])
    await installed.save(id, draft('Diary'), { start: false })
    await expect(installed.save(id, draft(' '), { start: true })).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
    expect(calls).toEqual(['restart'])
  })

  it('are upgraded to another version and restarted', async () => {
    const id = await create()
    calls = []
    await installed.upgrade(id, entryOf('2.0.0'), FIRST, draft('Notes'), { start: true })
    expect([calls, store.find(id)?.server.version]).toEqual([['restart'], '2.0.0'])
  })

  it('go back to a version and restart, unless it requires approval', async () => {
    const id = await create()
    const kept = await installed.upgrade(id, entryOf('2.0.0'), FIRST, draft('Notes'), {
      start: false,
    })
    calls = []
    const back = await installed.rollBack(id, kept?.versionKey ?? '', { start: true })
    expect([back.asksAgain, back.left?.version, calls]).toEqual([true, '2.0.0', []])
    expect(store.find(id)?.server.version).toBe('1.0.0')

    const plan = hashOf(id)
    await installed.save(id, { ...draft('Notes'), approvedPlan: plan }, { start: false })
    const left = await installed.upgrade(id, entryOf('2.0.0'), FIRST, draft('Notes'), {
      start: false,
    })
    await installed.rollBack(id, left?.versionKey ?? '', { start: false })
    expect(calls).toEqual([])
    const again = installations.earlier.of(id)[0]
    await installed.rollBack(id, again?.versionKey ?? '', { start: false })
    const first = installations.earlier.of(id)[0]
    const approved = await installed.rollBack(id, first?.versionKey ?? '', { start: true })
    expect([approved.asksAgain, calls]).toEqual([false, ['restart']])
  })

  it('are added if custom and new, and turned on by the start if they exist', async () => {
    const id = await installed.saveCustomServer(undefined, customServer('Mine'), { start: false })
    expect([calls, enabledOf(id)]).toEqual([['add', 'reported'], false])
    calls = []
    await installed.saveCustomServer(id, customServer('Mine'), { start: true })
    expect([calls, enabledOf(id)]).toEqual([['restart'], true])
  })

  it('start after pasting if their plan was approved, and wait for review otherwise', async () => {
    const entry = { command: 'node', args: ['server.js'] }
    const approved = await pasted('One', entry, { approves: true })
    const unseen = await pasted('Two', entry, { approves: false })
    const incomplete = await pasted('Three', { ...entry, env: { API_KEY: '<key>' } })
    const { added, problem } = await installed.addMany([approved, unseen, incomplete])
    expect([problem, added.map(({ name, starts }) => [name, starts])]).toEqual([
      null,
      [
        ['One', true],
        ['Two', false],
        ['Three', false],
      ],
    ])
    expect(calls.filter((step) => step === 'start')).toHaveLength(1)
    expect(added.map(({ installationId: id }) => enabledOf(id))).toEqual([true, false, false])
    const [first] = store.installations
    expect(first?.approvedPlan).toBe(approved.choice.approvedPlan)
  })

  it('pass the client of a pasted server to its sign-in', async () => {
    const server = await oneOf({ url: 'https://acme.example/mcp', oauth: { clientId: 'own' } })
    const plain = await oneOf({ url: 'https://acme.example/mcp' })
    await installed.addMany([server, plain])
    expect(calls.filter((step) => step === 'signIns.prepare')).toHaveLength(1)
  })

  it('pass a variable of this computer to a pasted server, read at each start', async () => {
    const server = await oneOf(
      { command: 'node', args: ['--key=${env:MY_KEY}'], env: { AUTH: 'Bearer ${MY_KEY}' } },
      [{ passed: ['MY_KEY'] }],
    )
    const { preview } = previewCustomServer(
      installations,
      server.drafted.made,
      undefined,
      undefined,
    )
    if (preview?.kind !== 'command') throw new Error('no command')
    expect(preview.args.map(({ text }) => text)).toEqual(['--key=$MY_KEY'])
    expect(preview.env).toMatchObject([{ name: 'AUTH', text: 'Bearer $MY_KEY' }])
    const choice = { ...server.choice, approvedPlan: preview.planHash }
    const { added } = await installed.addMany([{ ...server, choice }])
    const id = added[0]?.installationId ?? ''
    expect(added).toMatchObject([{ starts: true }])
    for (const value of ['first', 'second']) {
      servers.environment.MY_KEY = value
      const { installation, secrets } = await installations.readForStart(id)
      const plan = buildLaunchPlan(offerOf(installation), installation.values, secrets)
      if (plan.kind !== 'command') throw new Error('no command')
      expect(plan.args.map((argument) => argument.value)).toEqual([`--key=${value}`])
      expect(plan.env.map((variable) => variable.value)).toEqual([`Bearer ${value}`])
      expect(plan.env.every(({ secret }) => secret)).toBe(true)
    }
    // The settings file has the variable's name and never the value.
    expect(JSON.stringify(store.installations)).toContain('MY_KEY')
    expect(JSON.stringify(store.installations)).not.toMatch(/first|second/)
    expect(installations.isApproved(installations.read(id))).toBe(true)
  })

  it('reject a pasted server if another plan was approved', async () => {
    const server = await pasted('One', { command: 'node' }, { approves: true })
    const other = { ...server, choice: { ...server.choice, approvedPlan: 'another' } }
    const { added, problem } = await installed.addMany([other])
    expect([added, problem?.code]).toEqual([[], 'CONSENT_REQUIRED'])
    expect(store.installations).toEqual([])
  })

  it('reject saving a catalog server as a custom one', async () => {
    const id = await create()
    const saving = installed.saveCustomServer(id, customServer('Mine'), { start: true })
    await expect(saving).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(store.find(id)?.name).toBe('Notes')
  })

  it('start by their policy when turned on, and stop when turned off', async () => {
    const id = await create()
    calls = []
    await installed.setEnabled(id, true)
    await installed.setEnabled(id, false)
    expect(calls).toEqual(['liftStop', 'start', 'stop'])
    for (const one of store.installations) store.save({ ...one, starts: 'onFirstUse' })
    isListed = true
    calls = []
    await installed.setEnabled(id, true)
    expect(calls).toEqual(['liftStop'])
  })

  it('are stopped before they are removed, unless the removal can be undone', async () => {
    const id = await create()
    calls = []
    await installed.remove(id, { deleteSecrets: true, canTakeBack: true })
    await installed.remove(id, { deleteSecrets: true, canTakeBack: false })
    expect(calls).toEqual(['removals.begin', 'stop', 'removals.remove'])
    expect(store.installations).toEqual([])
  })
})

describe('D7: the settings file', () => {
  it('reports saved and removed servers, and whether settings changed', async () => {
    const id = await create()
    await installed.setEnabled(id, true)
    store.saveSettings({ ...store.settings })
    store.saveSecrets([])
    await installed.remove(id, { deleteSecrets: true, canTakeBack: false })
    const none = { saved: [], gone: [], hasSettings: false }
    expect(changes).toEqual([
      { ...none, saved: [id] },
      { ...none, saved: [id] },
      { ...none, hasSettings: true },
      none,
      { ...none, gone: [id] },
    ])
  })
})
