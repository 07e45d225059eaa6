import { Client, type ClientCapabilities } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { builtProgram } from './fixtures/built-program'
import { type AgentMode, GatewayHarness, PROTOCOL_MODES } from './fixtures/gateway-harness'

const program = builtProgram('e2e/fixtures/bridge-program.ts')

const bench = new GatewayHarness()
const clients: Client[] = []
beforeEach(() => bench.open())
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await bench.close()
})

/** The SDK's own client, which starts the bridge like hosts do. */
async function connect(
  protocolMode: AgentMode | 'auto',
  capabilities: ClientCapabilities = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const { agentId, key } = await bench.addAgent('Anna')
  const modes = { sessions: 'legacy', stateless: { pin: '2026-07-28' }, auto: 'auto' } as const
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities, versionNegotiation: { mode: modes[protocolMode] } },
  )
  clients.push(client)
  prepare(client)
  const words = ['--agent', agentId, '--profile', bench.harness.profileDir]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program.file, ...words],
    env: { ...(process.env as Record<string, string>), PATCHBAY_AGENT_KEY: key },
  })
  await client.connect(transport)
  return client
}

const textIn = (result: unknown): string => JSON.stringify(result)

describe.each(PROTOCOL_MODES)('D6: the bridge for an SDK client: %s', (protocolMode) => {
  it('lists, calls, reads, prompts and completes', async () => {
    await bench.addServer('one')
    const client = await connect(protocolMode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('one__echo')
    const called = { name: 'one__echo', arguments: { value: 'ä' } }
    expect(textIn(await client.callTool(called))).toContain('one: \\"ä\\"')
    expect(textIn(await client.readResource({ uri: 'memo://one/ä b' }))).toContain('one has')
    const greet = { name: 'one__greet', arguments: { who: 'Bob' } }
    expect(textIn(await client.getPrompt(greet))).toContain('Hello Bob')
    const ref = { type: 'ref/prompt' as const, name: 'one__greet' }
    const completed = await client.complete({ ref, argument: { name: 'who', value: 'B' } })
    expect(completed.completion.values).toEqual(['one greet B'])
    await expect(client.callTool({ name: 'one__refuse' })).rejects.toMatchObject({ code: 4_711 })
  })

  it('reports progress, and cancels when the client does', async () => {
    const id = await bench.addServer('one')
    const client = await connect(protocolMode)
    const giving = new AbortController()
    const reported = { name: 'one__report', arguments: { times: 5_000, value: 'x' } }
    const called = client.callTool(reported, {
      signal: giving.signal,
      onprogress: ({ progress }) => {
        if (progress > 2) giving.abort()
      },
    })
    await expect(called).rejects.toThrow()
    const lines = async (): Promise<string> => (await bench.harness.log(id)).join('\n')
    await expect.poll(lines).toContain('cancelled')
  })

  it("lets a server ask the client's user", async () => {
    await bench.addServer('one')
    const client = await connect(protocolMode, { elicitation: {} }, (one) =>
      one.setRequestHandler('elicitation/create', () => {
        return { action: 'accept', content: { name: 'Bob' } }
      }),
    )
    const request = { name: 'one__ask', arguments: { message: 'Who?' } }
    expect(textIn(await client.callTool(request))).toContain('Bob')
  })

  it('sends arguments as headers that a tool requires', async () => {
    await bench.addServer('head', 'headed.mjs')
    const client = await connect(protocolMode)
    for (const region of ['eu', 'ä'])
      expect(
        textIn(await client.callTool({ name: 'head__where', arguments: { region } })),
      ).toContain(region)
  })
})

describe('D6: the bridge for an SDK client that supports both', () => {
  it('is stateless, and reports changes', async () => {
    const received: string[] = []
    const client = await connect('auto', {}, (one) => {
      one.fallbackNotificationHandler = ({ method }) => {
        received.push(method)
        return Promise.resolve()
      }
    })
    expect(client.getProtocolEra()).toBe('modern')
    const subscription = await client.listen({ toolsListChanged: true })
    await bench.addServer('one')
    await expect.poll(() => received).toContain('notifications/tools/list_changed')
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await subscription.close()
  })
})
