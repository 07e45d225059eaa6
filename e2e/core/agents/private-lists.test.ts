import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { GatewayHarness, PROTOCOL_MODES } from '../../fixtures/gateway-harness'
import { RemoteServer } from '../../fixtures/remote-server'
import { untilConnected } from '../../fixtures/tools-harness'

const HOUR_MS = 3_600_000

let stack: AsyncDisposableStack
let bench: GatewayHarness
let remote: RemoteServer
/** Owners of the requested lists, by the request's key, newest last. */
let requests: string[]

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  bench = stack.adopt(new GatewayHarness(), (one) => one.close())
  remote = stack.use(await RemoteServer.open('stateless'))
  requests = []
  remote.intercept = (request, response) => {
    if (request.headers['mcp-method'] !== 'tools/list') return false
    const owner = String(request.headers['x-api-key'])
    requests.push(owner)
    void text(request).then((body) => {
      const { id } = JSON.parse(body) as { id: unknown }
      const tools = [{ name: `of-${owner}`, inputSchema: { type: 'object' } }]
      const hold = { ttlMs: HOUR_MS, cacheScope: owner === 'open' ? 'public' : 'private' }
      const result = { resultType: 'complete', tools, ...hold }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
    return true
  }
})

afterEach(() => stack.disposeAsync())

/** Installs the remote with its own key. */
async function install(owner: string): Promise<string> {
  const installationId = await bench.harness.install(
    {
      name: `test.fixture/${owner}`,
      title: owner,
      description: 'A server somewhere else.',
      version: '1.0.0',
      remotes: [
        {
          type: 'streamable-http',
          url: remote.url,
          headers: [{ name: 'x-api-key', value: owner }],
        },
      ],
    },
    { offer: { kind: 'remote', index: 0 } },
  )
  await untilConnected(bench.harness, installationId)
  return installationId
}

const toolsOf = (installationId: string): string[] =>
  bench.harness.session(installationId).capabilities.tools.map(({ name }) => name)

describe('B13: private lists of a stateless server', () => {
  it('belong to one installation, even if another at the same address is cacheable for an hour', async () => {
    await bench.open()
    // A public list may be shared; finding out that it isn't takes one more request.
    const ids = [await install('open'), await install('anna'), await install('ben')]
    expect(ids.map(toolsOf)).toEqual([['of-open'], ['of-anna'], ['of-ben']])
    expect(requests).toEqual(['open', 'anna', 'ben'])
  })

  it('are requested again by each session, however long they are cacheable', async () => {
    await bench.open()
    const installationId = await install('anna')
    const { session } = bench.harness.patchbay.servers.read(installationId)
    await bench.harness.call('server.restart', { installationId })
    await expect
      .poll(() => {
        const server = bench.harness.patchbay.servers.read(installationId)
        return server.session !== session && server.status.kind
      })
      .toBe('ready')
    expect(requests).toEqual(['anna', 'anna'])
  })

  it.each(PROTOCOL_MODES)(
    "are sent to no agent (%s) that can't access the server",
    async (protocolMode) => {
      await bench.open()
      const [anna, ben] = [await install('anna'), await install('ben')]
      const agents = []
      for (const installationId of [anna, ben, anna]) {
        const list = [{ installationId, choice: { kind: 'all' as const } }]
        const { key } = await bench.addAgent(`Agent ${String(agents.length)}`, {
          servers: { kind: 'list', list },
        })
        agents.push(await bench.connect(key, protocolMode))
      }
      const shown = []
      for (const agent of agents) {
        const { tools, cacheScope } = await agent.ask('tools/list')
        shown.push([(tools as { name: string }[]).map(({ name }) => name), cacheScope])
      }
      const scope = protocolMode === 'stateless' ? 'private' : undefined
      expect(shown).toEqual([
        [['anna__of-anna'], scope],
        [['ben__of-ben'], scope],
        [['anna__of-anna'], scope],
      ])
    },
  )
})
