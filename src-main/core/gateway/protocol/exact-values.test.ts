import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, statelessMeta } from '../../../../e2e/fixtures/agent-bench'
import { OlderRemote } from '../../../../e2e/fixtures/older-remote'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { POLL, untilServing } from '../../../../e2e/fixtures/tool-desk'
import { readMessage } from './agent-message'

const BIG = '1917043659912705297'
const STRUCTURED = `{"id":${BIG},"price":0.1000000000000000055,"whole":1.0}`
const LOOKUP = `{"content":[{"type":"text","text":"${BIG}"}],"structuredContent":${STRUCTURED}}`
const TOOLS = ['echo', 'lookup', 'listed'].map((name) => ({ name, inputSchema: {} }))
const TEXTS = {
  lists: { 'tools/list': JSON.stringify({ tools: TOOLS }) },
  results: { lookup: LOOKUP, listed: `{"content":[],"structuredContent":[${BIG}]}` },
}

const bench = new AgentBench()
let key = ''
afterEach(() => bench.close())

/** Sends the text of a message; the text of the answer. */
type Ask = (message: string) => Promise<string>

async function inSession(capabilities: object = {}): Promise<Ask> {
  const { send } = await bench.session(key, { version: '2025-06-18', capabilities })
  return async (message) => (await send(message)).text()
}

function callOf(tool: string, args: string, meta: object = {}, id = '1'): string {
  const params = `{"name":"${tool}","_meta":${JSON.stringify(meta)},"arguments":${args}}`
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`
}

const alone: Ask = async (message) => (await bench.stateless(key).send(message)).text()

describe('F6 digits of calls', () => {
  beforeEach(async () => {
    await bench.open()
    await bench.addOffer('shop', new RawServer(TEXTS))
    ;({ key } = await bench.start())
  })

  it.each([
    { way: 'as JSON', open: () => inSession(), meta: {} },
    { way: 'as a stream with progress', open: () => inSession(), meta: { progressToken: 'p' } },
    { way: 'of an agent that can be asked', open: () => inSession({ elicitation: {} }), meta: {} },
    { way: 'without a session', open: () => Promise.resolve(alone), meta: statelessMeta() },
  ])('reach both sides as they were written, and those of ids, $way', async ({ open, meta }) => {
    const ask = await open()
    const args = String.raw`{"id":${BIG},"deep":[{"n":-12345678901234567890.5}],"whole":1.0}`
    const echoed = await ask(callOf('shop__echo', args, meta))
    expect(echoed.replaceAll('\\"', '"')).toContain(`"arguments":${args}`)
    const none = await ask(callOf('shop__echo', '[]', { ...meta, n: 1e21 }))
    expect(none.replaceAll('\\"', '"')).toContain('"arguments":{}')
    const found = await ask(callOf('shop__lookup', '{}', meta))
    expect(found).toContain(`"structuredContent":${STRUCTURED}`)
    expect(await ask(callOf('shop__listed', '{}', meta))).toContain(`[${BIG}]`)
    for (const tool of ['echo', 'none'])
      expect(await ask(callOf(`shop__${tool}`, '{}', meta, BIG))).toContain(`"id":${BIG}`)
  })

  it('reach a server over HTTP as they were written', async () => {
    await using remote = await OlderRemote.open()
    const remotes = [{ type: 'streamable-http', url: remote.url.href }]
    const server = { name: 'test/away', description: 'Away.', version: '1.0.0', remotes }
    const offer = { kind: 'remote', index: 0 } as const
    await untilServing(bench.desk, await bench.desk.install(server, { name: 'away', offer }))
    const args = `{"id":${BIG},"whole":1.0}`
    const ask = await inSession()
    await ask(callOf('away__tool', args))
    const called = remote.bodies.find((body) => body.includes('tools/call'))
    expect(called).toContain(`"arguments":${args}`)
  })

  it('reach the server of a tool that was searched for', async () => {
    ;({ key } = await bench.addAgent('Bob', { searchMode: true }))
    const inner = `{"name":"shop__echo","arguments":{"id":${BIG}}}`
    const answer = await (await inSession())(callOf('call_tool', inner))
    expect(answer.replaceAll('\\"', '"')).toContain(`"arguments":{"id":${BIG}}`)
  })

  it('name the progress of a call, and the call that is canceled', async () => {
    const whole = await bench.addServer('whole')
    const ask = await inSession()
    const call = callOf('whole__report', '{"times":2,"value":"x"}')
    const tracked = call.replace('"_meta":{}', `"_meta":{"progressToken":${BIG}}`)
    expect(await ask(tracked)).toContain(`"progressToken":${BIG}`)
    const answer = ask(callOf('whole__echo', '{"ms":60000}', {}, BIG))
    await expect.poll(() => bench.inFlight(whole), POLL).toBe(1)
    const params = `{"requestId":${BIG}}`
    await ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
    expect(await answer).toBe('')
  })
})

describe('F6, F7 a message', () => {
  const read = (members: string): unknown =>
    readMessage(`{"jsonrpc":"2.0","method":"tools/list",${members}}`)

  it.each([BIG, '1e400', '-0.10', '"a\\u0000b"'])('has the id as it was written: %s', (id) => {
    expect(read(`"id":${id}`)).toMatchObject({ id })
    expect(read(`"id":${id},"params":7`)).toMatchObject({ kind: 'invalid', id })
  })

  it.each(['null', '[]'])('may have absent parameters written as %s', (none) => {
    expect(read(`"id":1,"params":${none}`)).toMatchObject({ kind: 'request', params: {} })
    const params = `{"_meta":${none},"cursor":${none},"a":${none}}`
    const { params: kept } = read(`"id":1,"params":${params}`) as { params: object }
    expect(kept).toEqual({ a: JSON.parse(none) as unknown })
  })
})
