import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, statelessMeta } from '../../../../e2e/fixtures/agent-bench'
import { OlderRemote } from '../../../../e2e/fixtures/older-remote'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { POLL, untilServing } from '../../../../e2e/fixtures/tool-desk'

const BIG = '1917043659912705297'
const STRUCTURED = `{"id":${BIG},"price":0.1000000000000000055,"whole":1.0}`
const LOOKUP = `{"content":[{"type":"text","text":"${BIG}"}],"structuredContent":${STRUCTURED}}`
const TEXTS = {
  lists: {
    'tools/list': JSON.stringify({
      tools: ['echo', 'lookup', 'listed'].map((name) => ({ name, inputSchema: {} })),
    }),
  },
  results: { lookup: LOOKUP, listed: `{"content":[],"structuredContent":[${BIG}]}` },
}

const bench = new AgentBench()
let raw: RawServer
let key = ''
beforeEach(async () => {
  raw = new RawServer(TEXTS)
  await bench.open()
  await untilServing(bench.desk, await bench.desk.install(raw.server, { name: 'shop' }))
  ;({ key } = await bench.start())
})
afterEach(async () => {
  await bench.close()
  raw.close()
})

/** Sends the text of a message; the text of the answer. */
type Ask = (message: string) => Promise<string>

async function inSession(capabilities: object = {}): Promise<Ask> {
  const { send } = await bench.session(key, { version: '2025-06-18', capabilities })
  return async (message) => (await send(message)).text()
}

function callOf(tool: string, args: string, meta: object = {}, id = '1'): string {
  const _meta = JSON.stringify(meta)
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"shop__${tool}","_meta":${_meta},"arguments":${args}}}`
}

const alone: Ask = async (message) => (await bench.stateless(key).send(message)).text()
const WAYS = [
  { way: 'as JSON', open: () => inSession(), meta: {} },
  { way: 'as a stream with progress', open: () => inSession(), meta: { progressToken: 'p' } },
  { way: 'of an agent that can be asked', open: () => inSession({ elicitation: {} }), meta: {} },
  { way: 'without a session', open: () => Promise.resolve(alone), meta: statelessMeta() },
]

describe.each(WAYS)('F6 digits of calls $way', ({ open, meta }) => {
  it('reach the server as the agent wrote them', async () => {
    const args = String.raw`{"id":${BIG},"deep":[{"n":-12345678901234567890.5}],"whole":1.0}`
    const answer = await (await open())(callOf('echo', args, meta))
    expect(answer.replaceAll('\\"', '"')).toContain(`"arguments":${args}`)
  })

  it('reach the agent as the server wrote them', async () => {
    const ask = await open()
    expect(await ask(callOf('lookup', '{}', meta))).toContain(`"structuredContent":${STRUCTURED}`)
    expect(await ask(callOf('listed', '{}', meta))).toContain(`[${BIG}]`)
  })

  it('are echoed in the id, also in an error', async () => {
    const ask = await open()
    for (const id of [BIG, `-${BIG}`, '1e400', `"${BIG}"`, '"a\\u0000b"'])
      for (const tool of ['echo', 'none'])
        expect(await ask(callOf(tool, '{}', meta, id))).toContain(`"id":${id}`)
  })

  it('reach both sides of a server over HTTP as they were written', async () => {
    await using remote = await OlderRemote.open()
    remote.answers['tools/call'] = (response, id) => {
      const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${LOOKUP}}`
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    }
    const remotes = [{ type: 'streamable-http', url: remote.url.href }]
    const server = { name: 'test/away', description: 'Away.', version: '1.0.0', remotes }
    const offer = { kind: 'remote', index: 0 } as const
    await untilServing(bench.desk, await bench.desk.install(server, { name: 'away', offer }))
    const args = `{"id":${BIG},"whole":1.0}`
    const call = callOf('tool', args, meta).replace('shop__', 'away__')
    expect(await (await open())(call)).toContain(`"structuredContent":${STRUCTURED}`)
    const called = remote.bodies.find((body) => body.includes('tools/call'))
    expect(called).toContain(`"arguments":${args}`)
  })
})

describe('F6 digits of an agent that searches for tools', () => {
  it('reach the server as the agent wrote them', async () => {
    ;({ key } = await bench.addAgent('Bob', { searchMode: true }))
    const inner = `{"name":"shop__echo","arguments":{"id":${BIG}}}`
    const call = callOf('echo', inner).replace('shop__echo', 'call_tool')
    const answer = await (await inSession())(call)
    expect(answer.replaceAll('\\"', '"')).toContain(`"arguments":{"id":${BIG}}`)
  })
})

describe('F6 ids beyond calls', () => {
  it('are echoed by every method, and where a session is over', async () => {
    const params =
      '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}'
    const initialize = `{"jsonrpc":"2.0","id":${BIG},"method":"initialize","params":${params}}`
    expect(await (await bench.post(key, initialize)).text()).toContain(`"id":${BIG}`)
    const ask = await inSession()
    for (const method of ['tools/list', 'ping', 'prompts/list', 'made/up'])
      expect(await ask(`{"jsonrpc":"2.0","id":${BIG},"method":"${method}"}`)).toContain(
        `"id":${BIG}`,
      )
    const ping = `{"jsonrpc":"2.0","id":${BIG},"method":"ping"}`
    const gone = await bench.post(key, ping, { headers: { 'mcp-session-id': 'gone' } })
    expect(gone.status).toBe(404)
    expect(await gone.text()).toContain(`"id":${BIG}`)
  })

  it('name the call that is canceled', async () => {
    const whole = await bench.addServer('whole')
    const ask = await inSession()
    const answer = ask(callOf('echo', '{"ms":60000}', {}, BIG).replace('shop__', 'whole__'))
    await expect.poll(() => bench.desk.session(whole).inFlight, POLL).toBe(1)
    const params = `{"requestId":${BIG}}`
    await ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
    expect(await answer).toBe('')
  })

  it('name the progress of a call', async () => {
    await bench.addServer('whole')
    const call = callOf('report', '{"times":2,"value":"x"}').replace('shop__', 'whole__')
    const tracked = call.replace('"_meta":{}', `"_meta":{"progressToken":${BIG}}`)
    expect(await (await inSession())(tracked)).toContain(`"progressToken":${BIG}`)
  })
})

describe('F7 parameters that are absent', () => {
  it.each(['null', '[]'])('may be written as %s', async (none) => {
    const ask = await inSession()
    for (const method of ['ping', 'tools/list', 'prompts/list']) {
      const answer = await ask(`{"jsonrpc":"2.0","id":5,"method":"${method}","params":${none}}`)
      expect(answer, method).toContain('"result"')
    }
    const members = `"_meta":${none},"cursor":${none}`
    const list = `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{${members}}}`
    expect(await ask(list)).toContain('"shop__echo"')
  })
})
