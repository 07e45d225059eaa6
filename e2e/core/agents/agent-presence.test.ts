import { afterEach, describe, expect, it } from 'vitest'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { ERAS, GatewayHarness } from '../../fixtures/gateway-harness'
import { POLL } from '../../fixtures/tools-harness'

const bench = new GatewayHarness()
afterEach(() => bench.close())

async function viewOf(agentId: string): Promise<AgentView | undefined> {
  const { agents } = await bench.harness.call('app.snapshot', {})
  return agents.agents.find((agent) => agent.agentId === agentId)
}

describe('D6: what an agent did since Patchbay runs', () => {
  it.each(ERAS)('tells when it listed its tools, in the %s era', async (protocolMode) => {
    await bench.open()
    const { agentId, key } = await bench.addAgent('Anna')
    const other = await bench.addAgent('Bert')
    const from = Date.now()
    const { client } = await bench.connect(key, protocolMode)
    await client.ping().catch(() => undefined)
    expect((await viewOf(agentId))?.listedAt).toBeUndefined()
    await client.listTools()
    const listedAt = (await viewOf(agentId))?.listedAt ?? 0
    expect(listedAt).toBeGreaterThanOrEqual(from)
    // With a progress token the list goes another way within the endpoint.
    const listAgain = async (): Promise<number | undefined> => {
      await client.request({ method: 'tools/list', params: { _meta: { progressToken: 1 } } })
      return (await viewOf(agentId))?.listedAt
    }
    // Again, as both may come within one millisecond.
    await expect.poll(listAgain, POLL).toBeGreaterThan(listedAt)
    expect((await viewOf(other.agentId))?.listedAt).toBeUndefined()
  })

  it('counts calls, and of these those that failed', async () => {
    await bench.open()
    await bench.addServer('one')
    const { agentId, key } = await bench.addAgent('Anna')
    const { client } = await bench.connect(key, 'older')
    const [tool] = (await client.listTools()).tools
    await client.callTool({ name: tool?.name ?? '', arguments: { name: 'x' } })
    await client.callTool({ name: 'no_such_tool', arguments: {} }).catch(() => undefined)
    await expect.poll(() => viewOf(agentId), POLL).toMatchObject({ calls: 2, errors: 1 })
  })
})
