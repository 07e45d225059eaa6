import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  AgentBench,
  messagesOf,
  type RawAgent,
  statelessMeta,
  textOf,
} from '../../../../e2e/fixtures/agent-bench'
import { Offer, POLL } from '../../../../e2e/fixtures/tool-desk'

const properties = { path: { type: 'string' }, filter: { type: 'object' } }
const inputSchema = { type: 'object', properties, required: ['path'] }
const bench = new AgentBench()
let id = ''
let key = ''
beforeEach(async () => {
  await bench.open()
  id = await bench.addOffer('shop', new Offer({ tools: [{ name: 'read', inputSchema }] }))
  ;({ key } = await bench.start())
})
afterEach(() => bench.close())

/** A call, with the arguments as they are written. */
function callOf(args: string, meta: object = {}, name = 'shop__read'): string {
  const params = `{"name":"${name}","_meta":${JSON.stringify(meta)},"arguments":${args}}`
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
}

/** More is compared with what JavaScript would write. */
const LONG = JSON.stringify('x'.repeat(20_000))
/** Arguments as a model garbles them, and what names the place; `JSON.parse` of the last two gives what fits. */
const GARBLED = [
  ['{"path":7}', 'path must be a string, got the number 7.'],
  [String.raw`"{\"path\":\"a\""`, 'close brace expected at character 12'],
  ['[]', '"path" is required: expected a string.'],
  [String.raw`{"path":7,"\ud800":1}`, String.raw`the key "\ud800"`],
  ['{"path":"a","path":"b"}', 'Duplicate key "path".'],
  [`{"path":${LONG},"filter":{"kind":1,"kind":2}}`, 'Duplicate key "kind" in filter.'],
] as const

const saying = (said: string): string => expect.stringContaining(said) as string
/** A result that a model reads. */
const asResult = (said: string): object => ({
  result: expect.objectContaining({
    isError: true,
    content: [{ type: 'text', text: saying(said) }],
  }) as object,
})
const asError = (said: string): object => ({
  error: { code: -32_602, message: saying(said), data: { code: 'INVALID_VALUES' } },
})
const inSession = (version: string) => (): Promise<RawAgent> => bench.session(key, { version })
const STREAM = { progressToken: 1 }

describe('C11 garbled arguments over HTTP', () => {
  it.each([
    ['2024-11-05', asError, {}, inSession('2024-11-05')],
    ['2025-03-26 in a batch', asError, {}, inSession('2025-03-26')],
    ['2025-03-26 in a batch on a stream', asError, STREAM, inSession('2025-03-26')],
    ['2025-06-18', asError, {}, inSession('2025-06-18')],
    ['2025-11-25', asResult, {}, inSession('2025-11-25')],
    ['2025-11-25 on a stream', asResult, STREAM, inSession('2025-11-25')],
    ['2026-07-28', asResult, statelessMeta(), () => Promise.resolve(bench.stateless(key))],
  ])('are reported as %s defines, and reach no server', async (version, expected, meta, open) => {
    const { send } = await open()
    const write = (body: string): string => (version.includes('batch') ? ` [ ${body} ] ` : body)
    for (const [args, said] of GARBLED) {
      const answer = await send(write(callOf(args, meta)))
      const type = version.endsWith('stream') ? 'text/event-stream' : 'application/json'
      expect(answer.headers.get('content-type')).toBe(type)
      const told = [{ jsonrpc: '2.0', id: 1, ...expected(said) }]
      expect(await messagesOf(answer), args.slice(0, 100)).toEqual(told)
    }
    // What fits is the first that the server hears of.
    const [{ result } = {}] = await messagesOf(await send(callOf('{"path":"a"}', meta)))
    const called = '{"name":"read","arguments":{"path":"a"}}'
    expect(textOf(result as Record<string, unknown>)).toBe(called)
    await expect.poll(() => bench.logged(id, 'called '), POLL).toEqual([`called ${called}`])
  })

  it('are told of the tool that finds, the one that calls, and the one that is called', async () => {
    ;({ key } = await bench.addAgent('Bob', { searchMode: true }))
    const { ask } = await bench.session(key)
    for (const [name, args, field] of [
      ['find_tools', 'null', 'query'],
      ['call_tool', 'null', 'name'],
      ['call_tool', '{"name":"shop__read","arguments":null}', 'path'],
    ] as const) {
      const told = asResult(`"${field}" is required`)
      expect(await ask(callOf(args, {}, name))).toMatchObject([told])
    }
    expect(await bench.logged(id, 'called')).toEqual([])
  })
})
