import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
import { openAgents } from '../../../../e2e/fixtures/open-agents'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { AgentId, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { SecretBackend } from '../../ports'
import { memoryBackend } from '../../secrets/secret-vault'
import { agentIdFor, type AgentStore } from './agent-store'

const PROFILE = AgentProfile.parse({})

/** Opens the agents of a folder; `reports` collects the sentences for the user. */
function openStore(folder = tempFolder('agents'), secrets: SecretBackend = memoryBackend()) {
  const events: string[] = []
  const reports: string[] = []
  const clock = new ManualClock()
  const store = openAgents(folder, {
    ...{ secrets, clock },
    onUnsaved: (message) => reports.push(message ?? 'saved'),
    onLost: (kind, reason) => reports.push(`${kind}: ${reason}`),
    onKeyLeft: ({ name }, reason) => reports.push(`${name}: ${reason}`),
  })
  store.onDidChange(({ kind, agentId }) => events.push(`${kind} ${agentId}`))
  return { store, folder, file: join(folder, 'agents.json'), secrets, events, reports, clock }
}

const listed = (store: AgentStore): string[] =>
  store.agents.map(({ agentId, name }) => `${agentId}: ${name}`)

describe('D6: agents', () => {
  it('have a key that is shown once, is in the secret store, and is stored elsewhere only as a hash', async () => {
    const { store, file, secrets } = openStore()
    const { agentId, key } = await store.add('Claude Desktop', PROFILE)
    expect(agentId).toBe('claude-desktop')
    expect(key).toMatch(/^pb_[\w-]{43}$/)
    expect(await secrets.get('agent/claude-desktop')).toBe(key)
    expect(readFileSync(file, 'utf8')).not.toContain(key.slice(3, -4))
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(store.find(agentId)?.keyTail).toBe(key.slice(-4))
  })

  it('are found only by their newest key, also after a restart', async () => {
    const { store, folder, events } = openStore()
    const { key: old } = await store.add('Anna', PROFILE)
    const bert = await store.add('Bert', PROFILE)
    const anna = await store.renewKey('anna')
    expect(events).toEqual(['added anna', 'added bert', 'keyRenewed anna'])
    const wrong = [old, '', 'pb_', `${anna}x`, anna.slice(0, -1), anna.toUpperCase()]
    for (const one of [store, openStore(folder).store]) {
      const owners = [anna, bert.key, ...wrong].map((key) => one.byKey(key)?.agentId)
      expect(owners).toEqual(['anna', 'bert', ...wrong.map(() => undefined)])
    }
  })

  it('lose access immediately when they are removed, and their id is never reused', async () => {
    const { store, folder, secrets } = openStore()
    const { key } = await store.add('Anna', PROFILE)
    const removing = store.remove('anna')
    expect(store.byKey(key)).toBeUndefined()
    await removing
    expect(await secrets.get('agent/anna')).toBeNull()
    await expect(store.remove('anna')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await store.add('Anna', PROFILE)).agentId).toBe('anna-2')
    expect(openStore(folder).store.nextId('Änna')).toBe('anna-3')
  })

  it('count as using HTTP if they did once or if the file has no record of it, also after a restart', async () => {
    const { store, folder, file } = openStore()
    await store.add('Anna', PROFILE)
    expect([store.usesHttp, openStore(folder).store.usesHttp]).toEqual([false, false])
    store.recordHttp('anna')
    expect([store.usesHttp, openStore(folder).store.usesHttp]).toEqual([true, true])
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"usedHttp": ?true,?/u, ''))
    expect(openStore(folder).store.usesHttp).toBe(true)
  })

  it('have names that are unique regardless of case and spaces, without line breaks', async () => {
    const { store } = openStore()
    for (const name of ['Anna', 'Bert', 'Carl\r\nX-Evil: 1']) await store.add(name, PROFILE)
    await expect(store.add(' aNNa ', PROFILE)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    const empty = store.add('\u202e \r\n', PROFILE)
    await expect(empty).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    expect(() => store.rename('bert', 'ANNA')).toThrow('An agent named ANNA already exists.')
    store.rename('anna', 'ANNA')
    expect(listed(store)).toEqual(['anna: ANNA', 'bert: Bert', 'carl-x-evil-1: Carl X-Evil: 1'])
  })

  it('get ids that apps accept, whatever their name is, also when they are added concurrently', async () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 }), (names) => {
        const taken = new Set<string>()
        for (const name of names) {
          const agentId = agentIdFor(name, taken)
          expect(AgentId.safeParse(agentId).success).toBe(true)
          expect(taken.has(agentId)).toBe(false)
          taken.add(agentId)
        }
      }),
    )
    expect(agentIdFor('Ünïcode — “Test”', new Set())).toBe('unicode-test')
    expect(agentIdFor('編集者', new Set(['agent']))).toBe('agent-2')
    expect(agentIdFor('x'.repeat(60), new Set(['x'.repeat(40)]))).toBe(`${'x'.repeat(38)}-2`)
    const { store } = openStore()
    const added = await Promise.all(['A b', 'A-b', 'A_b'].map((name) => store.add(name, PROFILE)))
    expect(added.map(({ key }) => store.byKey(key)?.agentId)).toEqual(['a-b', 'a-b-2', 'a-b-3'])
  })

  it('keep tools, limits and grants from a file older than the Apps page', () => {
    const { file, folder } = openStore()
    const choice = { kind: 'list', names: ['read'] }
    const profile = {
      servers: { kind: 'list', list: [{ installationId: 'files', choice }] },
      ...{ toolCap: 60, naming: 'plain', searchMode: true, confirm: 'destructive' },
      ...{ appLimit: 40, keepsArguments: true },
    }
    const agent = {
      ...{ agentId: 'cursor', name: 'Cursor', createdAt: 1, keyHash: 'a'.repeat(64) },
      ...{ keyTail: '7f2c', profile },
      allowed: [{ installationId: 'files', tool: 'write', hash: 'h' }],
    }
    writeFileSync(file, JSON.stringify({ version: 1, agents: [agent] }))
    const { store, reports } = openStore(folder)
    expect(store.read('cursor')).toMatchObject(agent)
    expect(reports).toEqual([])
  })

  it('are at most 100, also if some are added together', async () => {
    const secrets = memoryBackend()
    const { store } = openStore(undefined, secrets)
    for (let count = 0; count < 98; count += 1) await store.add(`Agent ${count}`, PROFILE)
    const added = await Promise.allSettled(['a', 'b', 'c'].map((name) => store.add(name, PROFILE)))
    expect(added).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { reason: { code: 'INVALID_VALUES', message: 'The limit of 100 agents is reached.' } },
    ])
    expect([store.agents.length, (await secrets.keys()).length]).toEqual([100, 100])
    await store.remove('a')
    await store.add('c', PROFILE)
    expect(store.agents).toHaveLength(100)
  })

  it('remember the tools that need no approval, each once', async () => {
    const { store, folder } = openStore()
    await store.add('Anna', PROFILE)
    const x = { installationId: 'a', tool: 'x' }
    store.allow('anna', [{ ...x, hash: '1' }])
    store.allow('anna', [
      { ...x, hash: '2' },
      { ...x, installationId: 'b', hash: '3' },
    ])
    const remembered = (): string[] =>
      openStore(folder)
        .store.read('anna')
        .allowed.map(({ hash }) => hash)
    expect(remembered()).toEqual(['2', '3'])
    store.revoke('anna')
    expect(remembered()).toEqual([])
  })

  it('stay unchanged if nothing can be written, and no new key stays in the secret store', async () => {
    const { store, file, events, secrets } = openStore()
    const { key } = await store.add('Anna', PROFILE)
    // A folder at the path of the new file makes writing fail.
    mkdirSync(join(`${file}.new`, 'x'), { recursive: true })
    for (const change of [() => store.add('Bert', PROFILE), () => store.renewKey('anna')])
      await expect(change()).rejects.toMatchObject({ code: 'SETTINGS_UNWRITABLE' })
    expect(await secrets.get('agent/bert')).toBeNull()
    expect(await secrets.get('agent/anna')).toBe(key)
    expect(store.byKey(key)?.agentId).toBe('anna')
    expect(events).toEqual(['added anna'])
  })

  it('lose access immediately on a full disk, and the failure is reported until it is written', async () => {
    const { store, folder, file, events, reports, secrets, clock } = openStore()
    const { key } = await store.add('Anna', PROFILE)
    const other = await store.add('Bert', PROFILE)
    store.allow('bert', [{ installationId: 'a', tool: 'x', hash: '1' }])
    mkdirSync(join(`${file}.new`, 'x'), { recursive: true })
    await store.remove('anna')
    store.revoke('bert')
    expect([store.byKey(key), store.read('bert').allowed]).toEqual([undefined, []])
    expect(await secrets.get('agent/anna')).toBeNull()
    expect(events.slice(-2)).toEqual(['removed anna', 'changed bert'])
    expect(reports).toEqual([expect.stringContaining('agents.json couldn’t be written')])
    clock.pass(30_000)
    expect(clock.waiting).toBe(1)
    rmSync(`${file}.new`, { recursive: true })
    clock.pass(30_000)
    expect(reports.slice(1)).toEqual(['saved'])
    expect(clock.waiting).toBe(0)
    const { store: next } = openStore(folder)
    expect([next.byKey(key), next.byKey(other.key)?.allowed]).toEqual([undefined, []])
    expect(next.nextId('Anna')).toBe('anna-2')
  })

  it('write pending revocations at dispose if the disk works by then', async () => {
    const { store, folder, file } = openStore()
    const { key } = await store.add('Anna', PROFILE)
    mkdirSync(join(`${file}.new`, 'x'), { recursive: true })
    await store.remove('anna')
    rmSync(`${file}.new`, { recursive: true })
    store[Symbol.dispose]()
    expect(openStore(folder).store.byKey(key)).toBeUndefined()
  })

  it("are not added if the key can't be stored, and a void key that can't be deleted is reported", async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('The keychain is locked.'))
    const locked = openStore(undefined, { ...memoryBackend(), set: fail })
    await expect(locked.store.add('Anna', PROFILE)).rejects.toThrow('The keychain is locked.')
    expect([locked.store.agents, existsSync(locked.file)]).toEqual([[], false])
    const { store, reports } = openStore(undefined, { ...memoryBackend(), delete: fail })
    await store.add('Anna', PROFILE)
    await store.remove('anna')
    expect([reports, store.agents]).toEqual([['Anna: The keychain is locked.'], []])
  })

  it.each([
    ['cut in half', (text: string) => text.slice(0, -20)],
    ['another version', (text: string) => text.replace('"version":1', '"version":2')],
    ['two of one id', (text: string) => text.replace('"agentId":"bert"', '"agentId":"anna"')],
  ])(
    'have no access with a damaged file (%s), which is kept next to the new one',
    async (_, damage) => {
      const { store: first, file, folder } = openStore()
      const { key } = await first.add('Anna', PROFILE)
      await first.add('Bert', PROFILE)
      const damaged = damage(readFileSync(file, 'utf8'))
      writeFileSync(file, damaged)
      const { store, reports } = openStore(folder)
      expect(store.byKey(key)).toBeUndefined()
      expect(reports).toEqual([expect.stringMatching(/^lost: /)])
      await store.add('Carla', PROFILE)
      expect(readFileSync(`${file}.bad`, 'utf8')).toBe(damaged)
      expect(listed(openStore(folder).store)).toEqual(['carla: Carla'])
    },
  )
})
