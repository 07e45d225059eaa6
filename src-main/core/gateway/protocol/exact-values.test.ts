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
  const params = `{"name":"${tool}","_meta":${JSON.stringify(meta)},"arguments":${args}}`
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`
}

const alone: Ask = async (message) => (await bench.stateless(key).send(message)).text()

describe.each([
  { way: 'as JSON', open: () => inSession(), meta: {} },
  { way: 'as a stream with progress', open: () => inSession(), meta: { progressToken: 'p' } },
  { way: 'of an agent that can be asked', open: () => inSession({ elicitation: {} }), meta: {} },
  { way: 'without a session', open: () => Promise.resolve(alone), meta: statelessMeta() },
])('F6 digits of calls $way', ({ open, meta }) => {
  it('reach both sides as they were written, and are echoed in the id, also in an error', async () => {
    const ask = await open()
    const args = String.raw`{"id":${BIG},"deep":[{"n":-12345678901234567890.5}],"whole":1.0}`
    const echoed = await ask(callOf('shop__echo', args, meta))
    expect(echoed.replaceAll('\\"', '"')).toContain(`"arguments":${args}`)
    const none = await ask(callOf('shop__echo', '[]', { ...meta, n: 1e21 }))
    expect(none.replaceAll('\\"', '"')).toContain('"arguments":{}')
    const found = await ask(callOf('shop__lookup', '{}', meta))
    expect(found).toContain(`"structuredContent":${STRUCTURED}`)
    expect(await ask(callOf('shop__listed', '{}', meta))).toContain(`[${BIG}]`)
    for (const id of [BIG, `-${BIG}`, '1e400', `"${BIG}"`, '"a\\u0000b"'])
      for (const tool of ['echo', 'none'])
        expect(await ask(callOf(`shop__${tool}`, '{}', meta, id))).toContain(`"id":${id}`)
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
    const found = await (await open())(callOf('away__tool', args, meta))
    expect(found).toContain(`"structuredContent":${STRUCTURED}`)
    const called = remote.bodies.find((body) => body.includes('tools/call'))
    expect(called).toContain(`"arguments":${args}`)
  })
})

describe('F6 digits beyond calls', () => {
  it('reach the server of a tool that was searched for', async () => {
    ;({ key } = await bench.addAgent('Bob', { searchMode: true }))
    const inner = `{"name":"shop__echo","arguments":{"id":${BIG}}}`
    const answer = await (await inSession())(callOf('call_tool', inner))
    expect(answer.replaceAll('\\"', '"')).toContain(`"arguments":{"id":${BIG}}`)
  })

  it('are echoed in the id by every method, and where a session is over', async () => {
    const params = '{"protocolVersion":"2025-06-18","capabilities":{}}'
    const message = (method: string): string =>
      `{"jsonrpc":"2.0","id":${BIG},"method":"${method}","params":${params}}`
    expect(await (await bench.post(key, message('initialize'))).text()).toContain(`"id":${BIG}`)
    const ask = await inSession()
    for (const method of ['tools/list', 'ping', 'prompts/list', 'made/up'])
      expect(await ask(message(method))).toContain(`"id":${BIG}`)
    const gone = await bench.post(key, message('ping'), { headers: { 'mcp-session-id': 'gone' } })
    expect(gone.status).toBe(404)
    expect(await gone.text()).toContain(`"id":${BIG}`)
  })

  it('name the progress of a call, and the call that is canceled', async () => {
    const whole = await bench.addServer('whole')
    const ask = await inSession()
    const meta = '"_meta":{}'
    const call = callOf('whole__report', '{"times":2,"value":"x"}')
    const tracked = call.replace(meta, meta.replace('{}', `{"progressToken":${BIG}}`))
    expect(await ask(tracked)).toContain(`"progressToken":${BIG}`)
    const answer = ask(callOf('whole__echo', '{"ms":60000}', {}, BIG))
    await expect.poll(() => bench.desk.session(whole).inFlight, POLL).toBe(1)
    const params = `{"requestId":${BIG}}`
    await ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
    expect(await answer).toBe('')
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
