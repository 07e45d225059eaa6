import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'

import { fixtureServer } from '../../../../e2e/fixtures/fixture-server'
import {
  type ConnectedAgent,
  GatewayHarness,
  PROTOCOL_MODES,
  textOf,
} from '../../../../e2e/fixtures/gateway-harness'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { Profile } from '../../../../e2e/fixtures/tools-harness'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

describe.each(PROTOCOL_MODES)('D6: what agents get from servers, %s', (protocolMode) => {
  /** Connects an agent with the servers `one` and `two`. */
  async function connected(): Promise<ConnectedAgent & { readonly one: string }> {
    const { key, ids } = await gateway.start('one', 'two')
    return { ...(await gateway.connect(key, protocolMode)), one: ids[0] ?? '' }
  }

  it("includes their lists as written, with the gateway's names", async () => {
    const { ask } = await connected()
    const { tools } = await ask('tools/list')
    expect(tools).toHaveLength(16)
    expect(tools).toContainEqual({
      ...{ name: 'two__echo', description: 'The tool echo' },
      inputSchema: { type: 'object', properties: { ms: { type: 'integer' }, value: {} } },
      _meta: { 'example.com/of': 'two' },
    })
    const ofBoth = (of: (server: string) => object): object[] => ['one', 'two'].map(of)
    const prompts = ofBoth((of) => ({ name: `${of}__greet`, arguments: [{ name: 'who' }] }))
    expect(await ask('prompts/list')).toMatchObject({ prompts })
    const resources = ofBoth((name) => ({ uri: `memo://${name}`, name, size: 3 }))
    expect((await ask('resources/list')).resources).toEqual(expect.arrayContaining(resources))
    const resourceTemplates = ofBoth((of) => ({ uriTemplate: `memo://${of}/{path}` }))
    expect(await ask('resources/templates/list')).toMatchObject({ resourceTemplates })
  })

  it('includes results as written, with `_meta` in both directions', async () => {
    const { ask, call } = await connected()
    const value = { deep: [1, 'ä', null], __proto__: 'x' }
    const meta = { 'example.com/a': [1] }
    const result = await call('one__echo', { value }, { meta })
    expect(result).toMatchObject({ own: 'one', value, meta })
    // Patchbay requests progress for itself.
    expect(Object.keys(result.meta as object)).toEqual(['example.com/a', 'progressToken'])
    const uri = 'memo://two/a%20b?c#d'
    expect(await ask('resources/read', { uri })).toMatchObject({
      contents: [{ uri, text: `two has ${uri}`, _meta: { a: 1 } }],
      extra: true,
    })
  })

  it('includes errors as the server sent them', async () => {
    const { ask, call } = await connected()
    const data = { thing: [1, { two: null }] }
    const rejected = { code: 4_711, message: 'No such thing', data }
    await expect(call('one__refuse')).rejects.toMatchObject(rejected)
    const uri = 'memo://one/missing'
    // The SDK's client reports this code in both versions.
    const missing = { code: -32_602, message: 'Resource not found', data: { uri } }
    await expect(ask('resources/read', { uri })).rejects.toMatchObject(missing)
  })

  it("includes the gateway's own error for unknown names", async () => {
    const { ask } = await connected()
    const near = expect.stringContaining('one__echo') as string
    const noObject = expect.stringContaining('The arguments must be an object.') as string
    const noReference = expect.stringContaining('ref must be an object.') as string
    const uri = 'other://x'
    for (const [method, params, error] of [
      ['tools/call', { name: 'one__ech' }, { message: near }],
      ['prompts/get', { name: 'greet' }, {}],
      ['prompts/get', { name: 'one__greet', arguments: [1] }, { message: noObject }],
      ['prompts/get', { name: 'one__greet', arguments: 'Ann' }, { message: noObject }],
      ['completion/complete', { ref: 'one__greet' }, { message: noReference }],
      ['resources/read', { uri: 7 }, {}],
      ['resources/read', { uri }, { data: { uri } }],
    ] as const)
      await expect(ask(method, params)).rejects.toMatchObject({ code: -32_602, ...error })
    // Without a session the response is a 404, which the SDK's client passes on as it is.
    await expect(ask('tasks/nothing')).rejects.toThrow(
      protocolMode === 'sessions' ? 'Method not found' : /-32601.*Method not found/u,
    )
  })

  it('includes cancellation at the server when the agent cancels', async () => {
    const { call, one } = await connected()
    const giveUp = new AbortController()
    const asked = call('one__echo', { ms: 60_000 }, { signal: giveUp.signal })
    await expect.poll(() => gateway.inFlight(one)).toBe(1)
    giveUp.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => gateway.logged(one, 'cancelled true')).toHaveLength(1)
    expect(gateway.inFlight(one)).toBe(0)
    expect(textOf(await call('one__echo', { value: 1 }))).toBe('one: 1')
  })
})

describe('D6: many agents and many servers', () => {
  it('exchange only their own answers and progress, in any order, with one process per server', async () => {
    await gateway.open({ agentRate: 1_000_000, agentCalls: 512 })
    const names = ['one', 'two', 'three']
    const ids = await Promise.all(names.map((name) => gateway.addServer(name)))
    const pids = ids.map((id) => gateway.harness.session(id).pid)
    const connecting = ['Anna', 'Bob', 'Carl', 'Dora', 'Eve', 'Fred'].map(async (name, at) =>
      gateway.connect((await gateway.addAgent(name)).key, PROTOCOL_MODES[at % 2] ?? 'sessions'),
    )
    const agents = await Promise.all(connecting)
    type Made = typeof call extends fc.Arbitrary<infer T> ? T : never
    const call = fc.record({
      agent: fc.constantFrom(...agents),
      server: fc.constantFrom(...names),
      ms: fc.nat(30),
      times: fc.nat(5),
    })
    let value = 0
    const make = async ({ agent, server, ms, times }: Made): Promise<void> => {
      value += 1
      const text = `${server} ${value}`
      const received: string[] = []
      const onprogress = ({ message = '' }: { message?: string }): void =>
        void received.push(message)
      const echoed = agent.call(`${server}__echo`, { ms, value: text })
      const args = { times, value }
      const reported = agent.call(`${server}__report`, args, { onprogress })
      expect(textOf(await echoed)).toBe(`${server}: "${text}"`)
      expect(textOf(await reported)).toBe(text)
      expect(received).toEqual(Array.from({ length: times }, (_, at) => `${text} ${at + 1}`))
    }
    const calls = fc.array(call, { minLength: 20, maxLength: 40 })
    const property = fc.asyncProperty(
      calls,
      async (made) => void (await Promise.all(made.map(make))),
    )
    await fc.assert(property, { numRuns: 15 })
    expect(ids.map((id) => gateway.harness.session(id).pid)).toEqual(pids)
    expect(ids.map((id) => gateway.inFlight(id))).toEqual([0, 0, 0])
  }, 60_000)
})

describe.each(PROTOCOL_MODES)(
  'C8: an agent (%s) that connects while servers start',
  (protocolMode) => {
    /** Connects an agent with the server `quick`, and `late`, which was never listed and is ready once the gate is open. */
    async function beforeFirstStart(): Promise<ConnectedAgent & { readonly open: () => void }> {
      const folder = tempFolder('first-start')
      const [gate, file] = [join(folder, 'gate'), join(folder, 'offer.json')]
      writeFileSync(gate, '')
      writeFileSync(file, JSON.stringify({ tools: ['first'], prompts: [{ name: 'greet' }] }))
      const { key } = await gateway.start('quick')
      const server = fixtureServer('late-start.mjs', { title: 'late', args: [gate, file] })
      const id = await gateway.harness.install(server, { name: 'late' })
      await expect.poll(async () => (await gateway.harness.view(id)).status.kind).toBe('starting')
      return { ...(await gateway.connect(key, protocolMode)), open: () => rmSync(gate) }
    }

    it('gets the tools of a never listed server with its first list', async () => {
      const { ask, open } = await beforeFirstStart()
      const lists = ['tools/list', 'prompts/list'].map((method) => ask(method))
      open()
      const [{ tools } = {}, { prompts } = {}] = await Promise.all(lists)
      expect(tools).toContainEqual(expect.objectContaining({ name: 'late__first' }))
      expect(prompts).toContainEqual(expect.objectContaining({ name: 'late__greet' }))
    })

    it('has a call of such a tool wait for its server', async () => {
      const { call, open } = await beforeFirstStart()
      const answer = call('late__first', { a: 1 })
      open()
      expect(textOf(await answer)).toBe('{"name":"first","arguments":{"a":1}}')
    })

    it('gets the cached lists immediately, and live calls and changes once the servers are ready', async () => {
      const profile = new Profile()
      onTestFinished(() => profile.close())
      const folder = tempFolder('starting')
      const [gate, file] = [join(folder, 'gate'), join(folder, 'offer.json')]
      const offer = (...tools: string[]): void => writeFileSync(file, JSON.stringify({ tools }))
      const kind = async (): Promise<string> => (await gateway.harness.view(id)).status.kind

      offer('first', 'second')
      await gateway.reopen(profile)
      const id = await gateway.addServer('shop', 'late-start.mjs', [gate, file])
      const { key } = await gateway.addAgent('Anna')

      writeFileSync(gate, '')
      offer('first')
      await gateway.reopen(profile)
      await gateway.untilOpen()
      const agent = await gateway.connect(key, protocolMode)
      if (protocolMode === 'stateless') await agent.client.listen({ toolsListChanged: true })
      const names = async (): Promise<string[]> =>
        ((await agent.ask('tools/list')).tools as { name: string }[]).map(({ name }) => name)
      expect(await names()).toEqual(['shop__first', 'shop__second'])
      const answers: string[] = []
      const called = agent.call('shop__first', { a: 1 }).then((one) => answers.push(textOf(one)))
      await expect.poll(kind).toBe('starting')
      // Lists don't wait at all, and calls wait only for their server.
      expect(await names()).toEqual(['shop__first', 'shop__second'])
      expect(await kind()).toBe('starting')
      expect({ answers, notifications: agent.notifications }).toEqual({
        answers: [],
        notifications: [],
      })

      rmSync(gate)
      await called
      expect(answers).toEqual(['{"name":"first","arguments":{"a":1}}'])
      const changed = [{ method: 'notifications/tools/list_changed' }]
      await expect.poll(() => agent.notifications).toMatchObject(changed)
      expect(await names()).toEqual(['shop__first'])
      expect(await gateway.logged(id, 'called ')).toHaveLength(1)
    })
  },
)
