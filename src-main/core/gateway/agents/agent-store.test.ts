import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { AgentId, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { SecretBackend } from '../../ports'
import { memoryBackend } from '../../secrets/memory-backend'
import { type AgentEvent, agentIdFor, AgentStore } from './agent-store'

const PROFILE = AgentProfile.parse({})
const clock = new HandClock()

function openStore(
  folder: string,
  secrets: SecretBackend = memoryBackend(),
): {
  store: AgentStore
  events: AgentEvent[]
  lost: string[]
  left: string[]
} {
  const events: AgentEvent[] = []
  const lost: string[] = []
  const left: string[] = []
  const store = new AgentStore({
    file: join(folder, 'agents.json'),
    secrets,
    clock,
    onLost: (kind, reason) => lost.push(`${kind}: ${reason}`),
    onKeyLeft: ({ name }, reason) => left.push(`${name}: ${reason}`),
  })
  store.onDidChange((event) => events.push(event))
  return { store, events, lost, left }
}

describe('D6 agents', () => {
  it('have a key that is told once, lies in the secret store, and is kept as a hash alone', async () => {
    const folder = tempFolder('agents')
    const secrets = memoryBackend()
    const { store } = openStore(folder, secrets)
    const { agentId, key } = await store.add('Claude Desktop', PROFILE)
    expect(agentId).toBe('claude-desktop')
    expect(key).toMatch(/^pb_[\w-]{43}$/)
    expect(await secrets.get('agent/claude-desktop')).toBe(key)
    const file = join(folder, 'agents.json')
    expect(readFileSync(file, 'utf8')).not.toContain(key.slice(3, -4))
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(store.find(agentId)).toMatchObject({ keyTail: key.slice(-4), createdAt: clock.now() })
  })

  it('are found by their newest key alone, also after a restart', async () => {
    const folder = tempFolder('agents')
    const { store, events } = openStore(folder)
    const { key: old } = await store.add('Anna', PROFILE)
    const bert = await store.add('Bert', PROFILE)
    const anna = await store.renewKey('anna')
    expect(events.map(({ kind }) => kind)).toEqual(['added', 'added', 'keyRenewed'])
    const wrong = [old, '', 'pb_', `${anna}x`, anna.slice(0, -1), anna.toUpperCase()]
    for (const one of [store, openStore(folder).store]) {
      const owners = [anna, bert.key, ...wrong].map((key) => one.byKey(key)?.agentId)
      expect(owners).toEqual(['anna', 'bert', ...wrong.map(() => undefined)])
    }
  })

  it('lose access at once when they are removed, and their id is not given again', async () => {
    const folder = tempFolder('agents')
    const secrets = memoryBackend()
    const { store } = openStore(folder, secrets)
    const { key } = await store.add('Anna', PROFILE)
    const removing = store.remove('anna')
    expect(store.byKey(key)).toBeUndefined()
    await removing
    expect(await secrets.get('agent/anna')).toBeNull()
    expect((await store.add('Anna', PROFILE)).agentId).toBe('anna-2')
    const { store: later } = openStore(folder, secrets)
    await later.remove('anna-2')
    expect((await later.add('Anna', PROFILE)).agentId).toBe('anna-3')
    await expect(later.remove('anna')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('have names of their own, whatever the case and the spaces, without line breaks', async () => {
    const { store } = openStore(tempFolder('agents'))
    await store.add('Anna', PROFILE)
    await expect(store.add(' aNNa ', PROFILE)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await expect(store.add('\u202e \r\n', PROFILE)).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
    await store.add('Bert', PROFILE)
    expect(() => store.rename('bert', 'ANNA')).toThrow('An agent named ANNA already exists.')
    const { agentId } = await store.add('Carl\r\nX-Evil: 1', PROFILE)
    expect(store.read(agentId)).toMatchObject({ agentId: 'carl-x-evil-1', name: 'Carl X-Evil: 1' })
    store.rename('anna', 'ANNA')
    expect(store.agents.map(({ agentId, name }) => [agentId, name])).toEqual([
      ['anna', 'ANNA'],
      ['bert', 'Bert'],
      ['carl-x-evil-1', 'Carl X-Evil: 1'],
    ])
  })

  it('get two ids when two of a kind are added at the same time', async () => {
    const { store } = openStore(tempFolder('agents'))
    const added = await Promise.all(['A b', 'A-b', 'A_b'].map((name) => store.add(name, PROFILE)))
    expect(added.map(({ agentId }) => agentId)).toEqual(['a-b', 'a-b-2', 'a-b-3'])
    expect(added.map(({ key }) => store.byKey(key)?.agentId)).toEqual(['a-b', 'a-b-2', 'a-b-3'])
  })

  it('get ids that hosts can write, whatever their name is', () => {
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
  })

  it('keep tools, limits and grants of a file from before the Apps page', () => {
    const folder = tempFolder('agents')
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
    const file = join(folder, 'agents.json')
    writeFileSync(file, JSON.stringify({ version: 1, agents: [agent] }))
    const { store, lost } = openStore(folder)
    expect(lost).toEqual([])
    expect(store.read('cursor')).toMatchObject(agent)
  })

  it('remember what may pass without a question, each tool once', async () => {
    const folder = tempFolder('agents')
    const { store } = openStore(folder)
    await store.add('Anna', PROFILE)
    store.allow('anna', [{ installationId: 'a', tool: 'x', hash: '1' }])
    store.allow('anna', [
      { installationId: 'a', tool: 'x', hash: '2' },
      { installationId: 'b', tool: 'x', hash: '3' },
    ])
    expect(
      openStore(folder)
        .store.read('anna')
        .allowed.map(({ hash }) => hash),
    ).toEqual(['2', '3'])
    store.forgetAllowed('anna')
    expect(openStore(folder).store.read('anna').allowed).toEqual([])
  })

  it('are not changed where nothing can be written, and no key stays behind', async () => {
    const folder = tempFolder('agents')
    const secrets = memoryBackend()
    const { store, events } = openStore(folder, secrets)
    const { key } = await store.add('Anna', PROFILE)
    // A folder in the place of the new file.
    mkdirSync(join(folder, 'agents.json.new', 'x'), { recursive: true })
    const unwritable = { code: 'SETTINGS_UNWRITABLE' }
    await expect(store.add('Bert', PROFILE)).rejects.toMatchObject(unwritable)
    await expect(store.renewKey('anna')).rejects.toMatchObject(unwritable)
    await expect(store.remove('anna')).rejects.toMatchObject(unwritable)
    expect(await secrets.get('agent/bert')).toBeNull()
    expect(await secrets.get('agent/anna')).toBe(key)
    expect(store.byKey(key)?.agentId).toBe('anna')
    expect(events).toHaveLength(1)
  })

  it('are not added where the key cannot be kept, and a void key that is still there is reported', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('The keychain is locked.'))
    const folder = tempFolder('agents')
    const locked = openStore(folder, { ...memoryBackend(), set: fail })
    await expect(locked.store.add('Anna', PROFILE)).rejects.toThrow('The keychain is locked.')
    expect(locked.store.agents).toEqual([])
    expect(existsSync(join(folder, 'agents.json'))).toBe(false)
    const { store, left } = openStore(folder, { ...memoryBackend(), delete: fail })
    await store.add('Anna', PROFILE)
    await store.remove('anna')
    expect(left).toEqual(['Anna: The keychain is locked.'])
    expect(store.agents).toEqual([])
  })

  it.each([
    ['half of it', (text: string) => text.slice(0, -20)],
    ['another version', (text: string) => text.replace('"version":1', '"version":2')],
    ['two of one id', (text: string) => text.replace('"agentId":"bert"', '"agentId":"anna"')],
  ])(
    'have no access with a damaged file (%s), which is kept beside the next',
    async (_what, damage) => {
      const folder = tempFolder('agents')
      const file = join(folder, 'agents.json')
      const first = openStore(folder).store
      const { key } = await first.add('Anna', PROFILE)
      await first.add('Bert', PROFILE)
      const damaged = damage(readFileSync(file, 'utf8'))
      writeFileSync(file, damaged)
      const { store, lost } = openStore(folder)
      expect(store.byKey(key)).toBeUndefined()
      expect(lost).toHaveLength(1)
      expect(lost[0]).toMatch(/^lost: /)
      await store.add('Carla', PROFILE)
      expect(readFileSync(`${file}.bad`, 'utf8')).toBe(damaged)
      expect(openStore(folder).store.agents.map(({ name }) => name)).toEqual(['Carla'])
    },
  )
})
