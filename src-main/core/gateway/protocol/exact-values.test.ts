import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench } from '../../../../e2e/fixtures/agent-bench'
import { OlderRemote } from '../../../../e2e/fixtures/older-remote'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { POLL, untilServing } from '../../../../e2e/fixtures/tool-desk'

const BIG = '1917043659912705297'
const STRUCTURED = `{"id":${BIG},"price":0.1000000000000000055,"whole":1.0}`
const TEXTS = {
  lists: {
    'tools/list': JSON.stringify({
      tools: ['echo', 'lookup', 'listed'].map((name) => ({ name, inputSchema: {} })),
    }),
  },
  results: {
    lookup: `{"content":[{"type":"text","text":"${BIG}"}],"structuredContent":${STRUCTURED}}`,
    listed: `{"content":[],"structuredContent":[${BIG}]}`,
  },
}

let raw: RawServer
let bench: AgentBench
let key = ''
beforeEach(async () => {
  raw = new RawServer(TEXTS)
  bench = await new AgentBench().open()
  const id = await bench.desk.install(raw.server, { name: 'shop' })
  await untilServing(bench.desk, id)
  ;({ key } = await bench.addAgent('Anna'))
})
afterEach(async () => {
  await bench.close()
  raw.close()
})

const NEWER = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': NEWER,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '7' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends the text of a message; the text of the answer. */
type Send = (message: string, name?: string) => Promise<string>

async function post(body: string, headers: Record<string, string>): Promise<Response> {
  return bench.post(key, undefined, {
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

async function inSession(capabilities: object = {}): Promise<Send> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities,
    clientInfo: { name: 'raw', version: '7' },
  }
  const opened = await bench.post(key, { id: 0, method: 'initialize', params })
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  return async (message) => (await post(message, session)).text()
}

function alone(): Send {
  return async (message, name = '') => {
    const { method } = JSON.parse(message) as { method: string }
    const headers = { 'mcp-protocol-version': NEWER, 'mcp-method': method, 'mcp-name': name }
    return (await post(message, headers)).text()
  }
}

function callOf(tool: string, args: string, meta: object = {}, id = '1'): string {
  const name = `shop__${tool}`
  const _meta = JSON.stringify(meta)
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","_meta":${_meta},"arguments":${args}}}`
}

const WAYS = [
  { way: 'as JSON', send: () => inSession(), meta: {} },
  { way: 'as a stream with progress', send: () => inSession(), meta: { progressToken: 'p' } },
  { way: 'of an agent that can be asked', send: () => inSession({ elicitation: {} }), meta: {} },
  { way: 'without a session', send: () => Promise.resolve(alone()), meta: ENVELOPE },
]

describe.each(WAYS)('F6 digits of calls $way', ({ send, meta }) => {
  it('reach the server as the agent wrote them', async () => {
    const args = String.raw`{"id":${BIG},"deep":[{"n":-12345678901234567890.5}],"whole":1.0}`
    const answer = await (await send())(callOf('echo', args, meta), 'shop__echo')
    expect(answer.replaceAll('\\"', '"')).toContain(`"arguments":${args}`)
  })

  it('reach the agent as the server wrote them', async () => {
    const answer = await (await send())(callOf('lookup', '{}', meta), 'shop__lookup')
    expect(answer).toContain(`"structuredContent":${STRUCTURED}`)
    const listed = await (await send())(callOf('listed', '{}', meta), 'shop__listed')
    expect(listed).toContain(`[${BIG}]`)
  })

  it.each([BIG, '-1917043659912705297', '1e400', `"${BIG}"`, '"a\\u0000b"'])(
    'echo the id %s, also in an error',
    async (id) => {
      const ask = await send()
      expect(await ask(callOf('echo', '{}', meta, id), 'shop__echo')).toContain(`"id":${id}`)
      expect(await ask(callOf('none', '{}', meta, id), 'shop__none')).toContain(`"id":${id}`)
    },
  )
})

describe('F6 digits of a server over HTTP', () => {
  it.each(WAYS.map(({ way, send, meta }) => [way, send, meta] as const))(
    'reach both sides of a call %s as they were written',
    async (_, send, meta) => {
      await using remote = await OlderRemote.open()
      const { lookup } = TEXTS.results
      remote.answers['tools/call'] = (response, id) => {
        const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${lookup}}`
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      }
      const remotes = [{ type: 'streamable-http', url: remote.url.href }]
      const server = { name: 'test/away', description: 'Away.', version: '1.0.0', remotes }
      const offer = { kind: 'remote', index: 0 } as const
      const id = await bench.desk.install(server, { name: 'away', offer })
      await untilServing(bench.desk, id)
      const args = `{"id":${BIG},"whole":1.0}`
      const call = callOf('tool', args, meta).replace('shop__', 'away__')
      const answer = await (await send())(call, 'away__tool')
      expect(answer).toContain(`"structuredContent":${STRUCTURED}`)
      const called = remote.bodies.find((body) => body.includes('tools/call'))
      expect(called).toContain(`"arguments":${args}`)
    },
  )
})

describe('F6 digits of an agent that searches for tools', () => {
  it('reach the server as the agent wrote them', async () => {
    const anna = key
    ;({ key } = await bench.addAgent('Bob', { searchMode: true }))
    const call = callOf('echo', '{}').replace('shop__echo', 'call_tool')
    const inner = `{"name":"shop__echo","arguments":{"id":${BIG}}}`
    const answer = await (await inSession())(call.replace('{}}}', `${inner}}}`))
    key = anna
    expect(answer.replaceAll('\\"', '"')).toContain(`"arguments":{"id":${BIG}}`)
  })
})

describe('F6 ids beyond calls', () => {
  it.each(['tools/list', 'ping', 'prompts/list', 'made/up'])('are echoed by %s', async (method) => {
    const ask = await inSession()
    expect(await ask(`{"jsonrpc":"2.0","id":${BIG},"method":"${method}"}`)).toContain(`"id":${BIG}`)
  })

  it('are echoed by initialize, and where a session is over', async () => {
    const params =
      '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}'
    const opened = await post(
      `{"jsonrpc":"2.0","id":${BIG},"method":"initialize","params":${params}}`,
      {},
    )
    expect(await opened.text()).toContain(`"id":${BIG}`)
    const gone = await post(`{"jsonrpc":"2.0","id":${BIG},"method":"ping"}`, {
      'mcp-session-id': 'gone',
    })
    expect(gone.status).toBe(404)
    expect(await gone.text()).toContain(`"id":${BIG}`)
  })

  it('name the call that is canceled', async () => {
    const whole = await bench.addServer('whole')
    const ask = await inSession()
    const waiting = callOf('echo', '{"ms":60000}', {}, BIG).replace('shop__', 'whole__')
    const answer = ask(waiting)
    await expect.poll(() => bench.desk.session(whole).inFlight, POLL).toBe(1)
    const params = `{"requestId":${BIG}}`
    await ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
    expect(await answer).toBe('')
  })

  it('name the progress of a call', async () => {
    await bench.addServer('whole')
    const ask = await inSession()
    const call = callOf('report', '{"times":2,"value":"x"}').replace('shop__', 'whole__')
    const answer = await ask(call.replace('"_meta":{}', `"_meta":{"progressToken":${BIG}}`))
    expect(answer).toContain(`"progressToken":${BIG}`)
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

  it.each(['7', '"seven"'])('do not matter for a progress token %s', async (token) => {
    const ask = await inSession()
    const meta = { progressToken: JSON.parse(token) as unknown }
    expect(await ask(callOf('echo', '{}', meta))).toContain('"result"')
  })
})

describe('F7 an Accept header for all types', () => {
  it.each(['*/*', 'application/json, */*;q=0.1'])('counts as both forms: %s', async (accept) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '7' },
    }
    const opened = await bench.post(
      key,
      { id: 0, method: 'initialize', params },
      { headers: { accept } },
    )
    expect(opened.status).toBe(200)
    await opened.text()
    const session = { accept, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    for (const message of ['{"jsonrpc":"2.0","id":5,"method":"ping"}', callOf('echo', '{}')])
      expect(await (await post(message, session)).text()).toContain('"result"')
  })
})
