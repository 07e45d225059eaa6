import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, ERAS } from '../../../../e2e/fixtures/agent-bench'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { untilServing } from '../../../../e2e/fixtures/tool-desk'

const QUERY = {
  type: 'object',
  properties: { $top: { type: 'number' }, id: { type: 'string' }, name: { type: 'string' } },
  required: ['$top'],
  oneOf: [{ required: ['id'] }, { required: ['name'] }],
}
const SIMPLE = {
  type: 'object',
  properties: { _top: { type: 'number' }, id: { type: 'string' }, name: { type: 'string' } },
  required: ['_top'],
}
const TOOLS = JSON.stringify({ tools: [{ name: 'query', inputSchema: QUERY }] })

let raw: RawServer
let bench: AgentBench
beforeEach(async () => {
  raw = new RawServer({ lists: { 'tools/list': TOOLS } })
  bench = await new AgentBench().open()
  await untilServing(bench.desk, await bench.desk.install(raw.server, { name: 'odd' }))
})
afterEach(async () => {
  await bench.close()
  raw.close()
})

describe.each(ERAS)('F2 a schema that model APIs reject, for an agent of the %s era', (era) => {
  it('is listed in a simplified form where the profile says so, and as it is for others', async () => {
    const { key: simple } = await bench.addAgent('Simple', { simplifiedSchemas: true })
    const { key: plain } = await bench.addAgent('Plain')
    const listed = async (key: string): Promise<unknown> => {
      const { client } = await bench.connect(key, era)
      return (await client.listTools()).tools[0]?.inputSchema
    }
    expect(await listed(simple)).toEqual(SIMPLE)
    expect(await listed(plain)).toEqual(QUERY)
  })

  it('is the one that a call is validated against, by the names of its server', async () => {
    const { key } = await bench.addAgent('Simple', { simplifiedSchemas: true })
    const agent = await bench.connect(key, era)
    const name = 'odd__query'
    const call = async (args: object): Promise<unknown> => {
      const result = await agent.ask('tools/call', { name, arguments: args }).catch(String)
      return JSON.stringify(result)
    }
    expect(await call({ _top: 5, id: 'x' })).toContain('\\"arguments\\":{\\"$top\\":5,')
    expect(await call({ _top: 5 })).toContain('Not sent')
  })

  it('keeps the digits of its arguments', async () => {
    const { key } = await bench.addAgent('Simple', { simplifiedSchemas: true })
    const agent = await bench.connect(key, era)
    const args = '{"_top":12345678901234567890.0,"id":"x"}'
    const { body, headers } = requestOf(agent, era, args)
    const answer = await bench.post(key, undefined, { body, headers })
    expect(await answer.text()).toContain('\\"$top\\":12345678901234567890.0')
  })
})

function requestOf(
  { transport }: Awaited<ReturnType<AgentBench['connect']>>,
  era: (typeof ERAS)[number],
  args: string,
): { readonly body: string; readonly headers: Record<string, string> } {
  const name = 'odd__query'
  const own = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const meta = era === 'newer' ? `,"_meta":${JSON.stringify(own)}` : ''
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}${meta}}}`
  const stateless = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const session = { 'mcp-session-id': transport.sessionId ?? '' }
  const headers = era === 'newer' ? stateless : session
  return { body, headers: { 'content-type': 'application/json', ...headers } }
}
