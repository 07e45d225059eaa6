import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  GatewayHarness,
  messagesOf,
  type RawAgent,
  statelessMeta,
  textOf,
} from '../../../../e2e/fixtures/gateway-harness'
import { OlderRemote } from '../../../../e2e/fixtures/older-remote'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { Offer, untilConnected } from '../../../../e2e/fixtures/tools-harness'
import { readMessage } from './agent-message'

const gateway = new GatewayHarness()
let key = ''
afterEach(() => gateway.close())

function callOf(tool: string, args: string, meta: object = {}, id = '1'): string {
  const params = `{"name":"shop__${tool}","_meta":${JSON.stringify(meta)},"arguments":${args}}`
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`
}

type Open = () => Promise<RawAgent>
const inSession = (version = '2025-06-18', capabilities: object = {}): Open => {
  return () => gateway.session(key, { version, capabilities })
}
const stateless: Open = () => Promise.resolve(gateway.stateless(key))

const BIG = '1917043659912705297'

describe('F6: digits of calls', () => {
  const STRUCTURED = `{"id":${BIG},"price":0.1000000000000000055,"whole":1.0}`
  const LOOKUP = `{"content":[{"type":"text","text":"${BIG}"}],"structuredContent":${STRUCTURED}}`
  const tools = ['echo', 'lookup', 'listed', 'marked', 'refused'].map((name) => ({
    name,
    inputSchema: {},
  }))
  beforeEach(async () => {
    const lists = { 'tools/list': JSON.stringify({ tools }) }
    const results = {
      ...{ lookup: LOOKUP, listed: `{"content":[],"structuredContent":[${BIG}]}` },
      marked: `{"content":[],"_meta":{"a":${BIG}}}`,
    }
    const errors = { refused: `{"code":-32002,"message":"No","data":{"id":${BIG}}}` }
    const logs = { marked: `{"id":${BIG}}` }
    await gateway.open()
    await gateway.addOffer('shop', new RawServer({ lists, results, errors, logs }))
    ;({ key } = await gateway.start())
  })

  /** Returns the response text with its nested JSON unescaped. */
  const ask = async ({ send }: RawAgent, message: string): Promise<string> =>
    (await (await send(message)).text()).replaceAll('\\"', '"')

  it.each<[string, Open, object]>([
    ['as JSON', inSession(), {}],
    ['as a stream with progress', inSession(), { progressToken: 'p' }],
    ['with an agent that supports elicitation', inSession('2025-06-18', { elicitation: {} }), {}],
    ['without a session', stateless, statelessMeta()],
  ])('reach both sides exactly as written, including ids, %s', async (_way, open, meta) => {
    const agent = await open()
    const args = String.raw`{"id":${BIG},"deep":[{"n":-12345678901234567890.5}],"whole":1.0}`
    expect(await ask(agent, callOf('echo', args, meta))).toContain(`"arguments":${args}`)
    expect(await ask(agent, callOf('echo', '[]', meta, BIG))).toContain('"arguments":{}')
    const found = await ask(agent, callOf('lookup', '{}', meta))
    expect(found).toContain(`"structuredContent":${STRUCTURED}`)
    expect(await ask(agent, callOf('listed', '{}', meta))).toContain(`[${BIG}]`)
    for (const tool of ['echo', 'none'])
      expect(await ask(agent, callOf(tool, '{}', meta, BIG))).toContain(`"id":${BIG}`)
  })

  it.each<[string, Open, object]>([
    ['in a session', inSession(), {}],
    [
      'without a session',
      stateless,
      { ...statelessMeta(), 'io.modelcontextprotocol/logLevel': 'debug' },
    ],
  ])('reach the agent in `_meta`, errors and log messages, %s', async (_way, open, meta) => {
    const agent = await open()
    await agent.ask({ id: 0, method: 'logging/setLevel', params: { level: 'debug' } })
    const marked = await ask(agent, callOf('marked', '{}', { ...meta, progressToken: 'p' }))
    expect(marked).toContain(`"a":${BIG}`)
    expect(marked).toContain(`"data":{"id":${BIG}}`)
    // A tool's own error code is kept, too.
    const rejected = `"error":{"code":-32002,"message":"No","data":{"id":${BIG}}}`
    expect(await ask(agent, callOf('refused', '{}', meta))).toContain(rejected)
  })

  it('reach both sides of a server over HTTP exactly as written', async () => {
    await using remote = await OlderRemote.open()
    remote.answers['tools/call'] = (response, id) => {
      const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${LOOKUP}}`
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    }
    const remotes = [{ type: 'streamable-http', url: remote.url.href }]
    const server = { name: 'test/away', description: 'Away.', version: '1.0.0', remotes }
    const offer = { kind: 'remote', index: 0 } as const
    await untilConnected(
      gateway.harness,
      await gateway.harness.install(server, { name: 'away', offer }),
    )
    const args = `{"id":${BIG},"whole":1.0}`
    const found = await ask(await inSession()(), callOf('tool', args).replace('shop', 'away'))
    expect(found).toContain(`"structuredContent":${STRUCTURED}`)
    const called = remote.bodies.find((body) => body.includes('tools/call'))
    expect(called).toContain(`"arguments":${args}`)
  })

  it('reach the server of a tool that was called through search', async () => {
    ;({ key } = await gateway.addAgent('Bob', { searchMode: true }))
    const inner = `{"name":"shop__echo","arguments":{"id":${BIG}}}`
    const call = callOf('echo', inner).replace('shop__echo', 'call_tool')
    expect(await ask(await inSession()(), call)).toContain(`"arguments":{"id":${BIG}}`)
  })

  it('identify the progress of a call, and a canceled call', async () => {
    const id = await gateway.addServer('rich')
    const agent = await inSession()()
    const report = callOf('report', '{"times":2,"value":"x"}').replace('shop', 'rich')
    const tracked = report.replace('"_meta":{}', `"_meta":{"progressToken":${BIG}}`)
    expect(await ask(agent, tracked)).toContain(`"progressToken":${BIG}`)
    const answer = ask(agent, callOf('echo', '{"ms":60000}', {}, BIG).replace('shop', 'rich'))
    await expect.poll(() => gateway.inFlight(id)).toBe(1)
    const params = `{"requestId":${BIG}}`
    await ask(agent, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
    expect(await answer).toBe('')
  })
})

const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
const withId = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`

describe('F6, F7: a message', () => {
  const read = (members: string): unknown =>
    readMessage(`{"jsonrpc":"2.0","method":"tools/list",${members}}`)

  it.each([BIG, '1e400', '-0.10', '"a\\u0000b"'])('has the id exactly as written: %s', (id) => {
    expect(read(`"id":${id}`)).toMatchObject({ id })
    expect(read(`"id":${id},"params":7`)).toMatchObject({ kind: 'invalid', id })
  })

  it.each([
    ['no method', '{"jsonrpc":"2.0","id":7}', '7', 'The method is missing.'],
    [
      'a method that is no text',
      '{"jsonrpc":"2.0","id":7,"method":7}',
      '7',
      'The method is missing.',
    ],
    ['null as its id', withId('null'), 'null', 'id must be a string or a number.'],
    ['an object as its id', withId('{}'), 'null', 'id must be a string or a number.'],
    ['false as its id', withId('false'), 'null', 'id must be a string or a number.'],
    [
      'an invalid one in its batch',
      `[${NOTIFICATION},{"jsonrpc":"2.0"}]`,
      'null',
      'The method is missing.',
    ],
    ['a text in its batch', `[${NOTIFICATION},"a"]`, 'null', 'The body is not a JSON-RPC message.'],
  ])('is rejected with %s', (_what, text, id, message) => {
    expect(readMessage(text)).toMatchObject({
      kind: 'invalid',
      id,
      error: { code: -32_600, message },
    })
  })

  it('may be a batch of notifications and responses (2025-03-26)', () => {
    const messages = [
      { kind: 'notification', method: 'notifications/initialized' },
      { kind: 'response', id: 7, result: {} },
      { kind: 'response', id: 8, error: { code: 1 } },
    ]
    const responses = [
      '{"jsonrpc":"2.0","id":7,"result":{}}',
      '{"jsonrpc":"2.0","id":8,"error":{"code":1}}',
    ]
    const text = `[${[NOTIFICATION, ...responses].join()}]`
    expect(readMessage(text)).toMatchObject({ kind: 'batch', messages })
  })

  it.each([
    ['7', '7'],
    ['1e400', 'null'],
  ])('is rejected by its id %s if it is nested too deeply', (id, shown) => {
    const params = '{"a":'.repeat(100_000) + '0' + '}'.repeat(100_000)
    const error = { code: -32_600, message: 'Nested deeper than 512 levels.' }
    expect(read(`"id":${id},"params":${params}`)).toMatchObject({
      kind: 'invalid',
      id: shown,
      error,
    })
  })

  it.each(['null', '[]'])('may have absent parameters written as %s', (none) => {
    expect(read(`"id":1,"params":${none}`)).toMatchObject({ kind: 'request', params: {} })
    const params = `{"_meta":${none},"cursor":${none},"a":${none}}`
    const { params: kept } = read(`"id":1,"params":${params}`) as { params: object }
    expect(kept).toEqual({ a: JSON.parse(none) as unknown })
  })
})

describe('C11: invalid arguments over HTTP', () => {
  /** Longer messages are compared with the serialization of JavaScript. */
  const LONG = JSON.stringify('x'.repeat(20_000))
  /** Arguments as models garble them, with the message that names the place; `JSON.parse` of the last two yields valid ones. */
  const INVALID = [
    ['{"path":7}', 'path must be a string, got the number 7.'],
    [String.raw`"{\"path\":\"a\""`, 'close brace expected at character 12'],
    ['[]', '"path" is required: expected a string.'],
    [String.raw`{"path":7,"\ud800":1}`, String.raw`the key "\ud800"`],
    ['{"path":"a","path":"b"}', 'Duplicate key "path".'],
    [`{"path":${LONG},"filter":{"kind":1,"kind":2}}`, 'Duplicate key "kind" in filter.'],
  ] as const
  const containing = (words: string): string => expect.stringContaining(words) as string
  /** Expects a result that a model reads. */
  const asResult = (words: string): object => {
    const content = [{ type: 'text', text: containing(words) }]
    return { result: expect.objectContaining({ isError: true, content }) as object }
  }
  const STREAM = { progressToken: 1 }

  it.each<[string, object, Open]>([
    ['2024-11-05', {}, inSession('2024-11-05')],
    ['2025-03-26 in a batch', {}, inSession('2025-03-26')],
    ['2025-03-26 in a batch on a stream', STREAM, inSession('2025-03-26')],
    ['2025-06-18', {}, inSession('2025-06-18')],
    ['2025-11-25', {}, inSession('2025-11-25')],
    ['2025-11-25 on a stream', STREAM, inSession('2025-11-25')],
    ['2026-07-28', statelessMeta(), stateless],
  ])('yield a result for the model in %s, and reach no server', async (version, meta, open) => {
    const properties = {
      ...{ path: { type: 'string' }, filter: { type: 'object' } },
      ...{ id: { type: 'integer' }, only: { type: 'boolean' } },
    }
    const inputSchema = { type: 'object', properties, required: ['path'] }
    await gateway.open()
    const id = await gateway.addOffer('shop', new Offer({ tools: [{ name: 'read', inputSchema }] }))
    ;({ key } = await gateway.start())
    const { send, ask } = await open()
    for (const [args, words] of INVALID) {
      const body = callOf('read', args, meta)
      const answer = await send(version.includes('batch') ? ` [ ${body} ] ` : body)
      const type = version.endsWith('stream') ? 'text/event-stream' : 'application/json'
      expect(answer.headers.get('content-type')).toBe(type)
      const message = { jsonrpc: '2.0', id: 1, ...asResult(words) }
      expect(await messagesOf(answer), args.slice(0, 100)).toEqual([message])
    }
    // The valid call is the first that the server receives.
    const [{ result } = {}] = await ask(callOf('read', '{"path":"a"}', meta))
    const called = '{"name":"read","arguments":{"path":"a"}}'
    expect(textOf(result as Record<string, unknown>)).toBe(called)
    await expect.poll(() => gateway.logged(id, 'called ')).toEqual([`called ${called}`])
    // Arguments with a single meaning arrive converted.
    const own = { path: '5', id: '42', filter: '{"a":[1]}', only: null }
    const written = JSON.stringify(JSON.stringify(own))
    const [{ result: meant } = {}] = await ask(callOf('read', written, meta))
    expect(textOf(meant as Record<string, unknown>)).toContain('"path":"5"')
    const line = '"arguments":{"path":"5","id":42,"filter":{"a":[1]}}'
    await expect.poll(() => gateway.logged(id, line)).toHaveLength(1)
  })
})
