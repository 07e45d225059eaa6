import { spawn } from 'node:child_process'

import { afterEach, describe, expect, it } from 'vitest'

import { BridgeHost } from './fixtures/bridge-host'
import { builtProgram } from './fixtures/built-program'
import { GatewayHarness } from './fixtures/gateway-harness'
import { pause } from './fixtures/pause'

const program = builtProgram('e2e/fixtures/bridge-program.ts')

const bench = new GatewayHarness()
const hosts: BridgeHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) {
    host.child.kill('SIGKILL')
    expect(host.strays).toEqual([])
  }
  await bench.close()
})

/** A host next to a server `one`. */
async function connected(
  capabilities: object = {},
  profile: object = {},
): Promise<{ host: BridgeHost; id: string; agentId: string }> {
  await bench.open()
  const id = await bench.addServer('one')
  const { key, agentId } = await bench.addAgent('Anna', profile)
  const { profileDir } = bench.harness
  const host = new BridgeHost({ program: program.file, agentId, profileDir, key })
  hosts.push(host)
  await host.initialize(capabilities)
  return { host, id, agentId }
}

const call = (name: string, args: object = {}, meta?: object): [string, object] => [
  'tools/call',
  { name, arguments: args, ...(meta && { _meta: meta }) },
]

async function linesWith(id: string, text: string): Promise<string[]> {
  return (await bench.harness.log(id)).filter((line) => line.includes(text))
}

const connections = async (): Promise<number | undefined> =>
  (await bench.harness.call('app.snapshot', {})).agents.agents[0]?.connections

describe('D6: the bridge', () => {
  it('is the gateway for a host that only speaks stdio', async () => {
    const { host } = await connected()
    expect(host.received[0]).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'patchbay' } },
    })
    const { result } = await host.ask('tools/list')
    expect((result as { tools: unknown[] }).tools).toHaveLength(8)
    expect(await host.ask(...call('one__echo', { value: 'ä\n\u2028\0' }))).toMatchObject({
      result: { own: 'one', value: 'ä\n\u2028\0' },
    })
    expect(host.stderr).toBe('')
  })

  it.each(['SIGKILL', 'the end of stdin'])(
    'cancels calls waiting for approval when it ends by %s (F12)',
    async (how) => {
      const { host, id } = await connected({}, { confirm: 'always' })
      const questions = async (): Promise<unknown[]> =>
        (await bench.harness.call('app.snapshot', {})).userRequests
      host.begin(...call('one__report', { times: 1, value: 'x' }))
      await expect.poll(questions).toHaveLength(1)
      if (how === 'SIGKILL') host.child.kill('SIGKILL')
      else void host.close()
      await expect.poll(questions).toEqual([])
      await host.ended
      expect(await linesWith(id, 'reported')).toEqual([])
    },
  )

  it('matches many answers with their requests, slow ones last', async () => {
    const { host } = await connected()
    const slow = host.begin(...call('one__echo', { value: 'slow', until: 'go on' }))
    const ids = Array.from({ length: 200 }, (_, value) => {
      return host.begin(...call('one__echo', { value }))
    })
    for (const [value, id] of ids.entries())
      expect(await host.answerTo(id)).toMatchObject({ result: { value } })
    expect(host.received.some(({ id }) => id === slow)).toBe(false)
    await host.ask(...call('one__echo', { value: 'go on' }))
    expect(await host.answerTo(slow)).toMatchObject({ result: { value: 'slow' } })
  })

  it('forwards large messages next to small ones', async () => {
    const { host } = await connected()
    const value = 'ä'.repeat(4_000_000)
    const large = host.begin(...call('one__echo', { value }))
    const reporting = host.begin(...call('one__echo', { value }, { progressToken: 'a' }))
    expect(await host.ask('ping')).toMatchObject({ result: {} })
    for (const id of [large, reporting]) {
      const { result } = await host.answerTo(id)
      expect((result as { value: string }).value.length).toBe(value.length)
    }
  })

  it('continues when its host reads again', async () => {
    const { host } = await connected()
    host.child.stdout.pause()
    const value = 'a'.repeat(1_000_000)
    const ids = Array.from({ length: 20 }, () => host.begin(...call('one__echo', { value })))
    await pause(500)
    host.child.stdout.resume()
    for (const id of ids) expect(await host.answerTo(id)).toHaveProperty('result')
  })

  it('forwards progress before the answer, and changes at any time', async () => {
    const { host } = await connected()
    const [method, params] = call('one__report', { times: 3, value: 'x' }, { progressToken: 'p' })
    const id = host.begin(method, params)
    await host.answerTo(id)
    const steps = host.received.filter((one) => one.method === 'notifications/progress')
    expect(steps.map(({ params }) => params)).toMatchObject([
      { progressToken: 'p', progress: 1 },
      { progressToken: 'p', progress: 2 },
      { progressToken: 'p', progress: 3 },
    ])
    expect(host.received.findIndex((one) => one.id === id)).toBeGreaterThan(
      host.received.findLastIndex((one) => one.method === 'notifications/progress'),
    )
    const before = host.count('notifications/tools/list_changed')
    await bench.addServer('two')
    await expect.poll(() => host.count('notifications/tools/list_changed')).toBeGreaterThan(before)
  })

  it('forwards server requests to the host, and its answers back', async () => {
    const { host } = await connected({ elicitation: {} })
    const id = host.begin(...call('one__ask', { message: 'Who?' }))
    const question = (): (typeof host.received)[number] | undefined =>
      host.received.find((one) => one.method === 'elicitation/create')
    await expect.poll(question).toMatchObject({ params: { message: 'Who?' } })
    // An unexpected id isn't taken for an answer.
    host.send({ id: 'another', result: { action: 'accept', content: { name: 'Eve' } } })
    host.send({ id: question()?.id, result: { action: 'accept', content: { name: 'Bob' } } })
    expect(JSON.stringify((await host.answerTo(id)).result)).toContain('Bob')
  })

  it("cancels what its host cancels, and doesn't answer it", async () => {
    const { host, id } = await connected()
    const ids = [{}, { progressToken: 1 }].map((meta) =>
      host.begin(...call('one__echo', { ms: 60_000 }, meta)),
    )
    await expect.poll(() => bench.harness.session(id).inFlight).toBe(2)
    for (const requestId of ids)
      host.send({ method: 'notifications/cancelled', params: { requestId } })
    await expect.poll(() => linesWith(id, 'cancelled true')).toHaveLength(2)
    expect(await host.ask('ping')).toMatchObject({ result: {} })
    expect(host.received.filter((one) => ids.includes(one.id as number))).toEqual([])
  })

  it('answers invalid messages, and each message of a batch', async () => {
    const { host } = await connected()
    host.send('{"jsonrpc":"2.0","id":')
    expect(await host.answerTo(null)).toMatchObject({ error: { code: -32_700 } })
    host.send('')
    host.send(
      JSON.stringify([
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', id: 'b', method: 'nothing/known' },
      ]),
    )
    expect(await host.answerTo('a')).toMatchObject({ result: {} })
    expect(await host.answerTo('b')).toMatchObject({ error: { code: -32_601 } })
    host.send('7')
    await expect.poll(() => host.received.filter(({ id }) => id === null).length).toBe(2)
  })

  it('ends with its host, answers requests in flight, and leaves no session', async () => {
    const { host } = await connected()
    const id = host.begin(...call('one__echo', { ms: 200, value: 1 }))
    expect(await host.close()).toBe(0)
    expect(host.received.find((one) => one.id === id)).toMatchObject({ result: { value: 1 } })
    await expect.poll(connections).toBe(0)
  })

  it.skipIf(process.platform === 'win32')(
    'ends on a signal, even with requests in flight',
    async () => {
      const { host, id } = await connected()
      host.begin(...call('one__echo', { ms: 60_000 }))
      expect(await host.ask('ping')).toMatchObject({ result: {} })
      host.child.kill('SIGTERM')
      expect(await host.ended).toBe(0)
      await expect.poll(() => linesWith(id, 'cancelled true')).toHaveLength(1)
      await expect.poll(connections).toBe(0)
    },
  )

  it('reports once that its agent was removed', async () => {
    const { host, agentId } = await connected()
    await bench.addAgent('Bert')
    await bench.harness.call('agent.remove', { agentId })
    await expect
      .poll(async () => JSON.stringify((await host.ask('tools/list')).error))
      .toContain('was replaced, or the agent was removed')
    expect(host.stderr.split('was removed').length - 1).toBe(1)
  })

  it.each([[[]], [['--agent']], [['--what', 'x']]])('shows its usage for %j', async (args) => {
    const child = spawn(process.execPath, [program.file, ...args])
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('Usage: patchbay bridge --agent ID')
  })
})
