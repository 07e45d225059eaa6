import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, messagesOf, statelessMeta, textOf } from '../../../../e2e/fixtures/agent-bench'
import { Offer, POLL, untilServing } from '../../../../e2e/fixtures/tool-desk'

const READ = {
  name: 'read',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, filter: { type: 'object' } },
    required: ['path'],
  },
}
const bench = new AgentBench()
let offer: Offer
let id = ''
let key = ''
beforeEach(async () => {
  offer = new Offer({ tools: [READ] })
  await bench.open()
  id = await bench.desk.install(offer.server, { name: 'shop' })
  await untilServing(bench.desk, id)
  ;({ key } = await bench.start())
})
afterEach(async () => {
  await bench.close()
  offer.close()
})

/** What an agent gets for a call, and as what it came. */
type Told = {
  readonly type: string | null
  readonly message: { readonly result?: Record<string, unknown>; readonly error?: object }
}
/** Calls with arguments as they are to stand in the request. */
type Call = (args: string) => Promise<Told>

/** The body of a request, with the arguments as they are written. */
function bodyOf(args: string, meta?: object): string {
  const _meta = meta ? `"_meta":${JSON.stringify(meta)},` : ''
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__read",${_meta}"arguments":${args}}}`
}

async function toldBy(sent: Promise<Response>): Promise<Told> {
  const answer = await sent
  const type = answer.headers.get('content-type')
  const [message = {}, ...others] = await messagesOf(answer)
  expect(others).toEqual([])
  return { type, message }
}

/** Calls in a session, each body as `write` writes it. */
async function sessionCall(
  version: string,
  meta?: object,
  write = (body: string): string => body,
): Promise<Call> {
  const { send } = await bench.session(key, { version })
  return (args) => toldBy(send(write(bodyOf(args, meta))))
}

const statelessCall: Call = (args) =>
  toldBy(bench.stateless(key).send(bodyOf(args, statelessMeta())))

/** Arguments as a model garbles them, and what names the place. */
const GARBLED = [
  ['{"path":7}', 'path must be a string, got the number 7.'],
  ['{"pth":"a"}', 'path'],
  [String.raw`"{\"path\":\"a\"}"`, 'The arguments are a JSON string'],
  [String.raw`"{\"path\":\"a\""`, 'close brace expected at character 12'],
  ['null', '"path" is required: expected a string.'],
  [String.raw`{"path":7,"\ud800":1}`, String.raw`the key "\ud800"`],
  ['["a"]', 'The arguments must be an object, got an array of 1.'],
] as const
/** More than is compared with what JavaScript would write. */
const LONG = JSON.stringify('x'.repeat(20_000))
/** Keys that are there twice: what `JSON.parse` gives of these fits. */
const TWICE = [
  ['{"path":"a","path":"b"}', 'Duplicate key "path".'],
  ['{"path":"a","filter":{"kind":1,"kind":2}}', 'Duplicate key "kind" in filter.'],
  [`{"path":${LONG},"filter":{"kind":1,"kind":2}}`, 'Duplicate key "kind" in filter.'],
] as const

/** Arguments that the server got, as it tells them, oldest first. */
async function heard(): Promise<string[]> {
  const start = 'called {"name":"read","arguments":'
  return (await bench.desk.log(id))
    .filter((line) => line.startsWith(start))
    .map((line) => line.slice(start.length, -1))
}

/** Sends garbled arguments, and then what fits, which is the first that its server hears of. */
async function tell(
  call: Call,
  garbled: readonly (readonly [string, string])[],
  expected: (said: string) => object,
): Promise<void> {
  for (const [args, said] of garbled) {
    const { message } = await call(args)
    expect(message, args.slice(0, 100)).toEqual({ jsonrpc: '2.0', id: 1, ...expected(said) })
  }
  const mended = '{"path":"a"}'
  const { message } = await call(mended)
  expect(textOf(message.result ?? {})).toBe(`{"name":"read","arguments":${mended}}`)
  await expect.poll(heard, POLL).toEqual([mended])
}

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

const VERSIONS = [
  ['2024-11-05', asError],
  ['2025-03-26', asError],
  ['2025-06-18', asError],
  ['2025-11-25', asResult],
] as const
/** The second is taken by calls that need a stream. */
const WAYS = [
  { way: 'as JSON', meta: undefined, type: 'application/json' },
  { way: 'as a stream', meta: { progressToken: 1 }, type: 'text/event-stream' },
]

describe.each(WAYS)('C11 garbled arguments over HTTP, $way', ({ meta, type }) => {
  it.each(VERSIONS)('are told as %s has it, and reach no server', async (version, expected) => {
    const call = await sessionCall(version, meta)
    expect((await call('{}')).type).toBe(type)
    await tell(call, [...GARBLED, ...TWICE], expected)
  })

  it('are told where a key is there twice in a batch of one', async () => {
    const inBatch = await sessionCall('2025-03-26', meta, (body) => ` [ ${body} ] `)
    await tell(inBatch, TWICE, asError)
  })
})

describe('C11 garbled arguments over HTTP in the newer era', () => {
  it('are results that a model reads, and reach no server', async () => {
    await tell(statelessCall, [...GARBLED, ...TWICE], asResult)
  })
})

describe('C11 garbled arguments of an agent that searches for tools', () => {
  it('are told where there are none, of the tool that finds, the one that calls, and the one that is called', async () => {
    ;({ key } = await bench.addAgent('Bob', { searchMode: true }))
    const calling = (name: string): Promise<Call> =>
      sessionCall('2025-11-25', undefined, (body) => body.replace('shop__read', name))
    const find = await calling('find_tools')
    const call = await calling('call_tool')
    const shown = { jsonrpc: '2.0', id: 1 }
    const missing = (field: string): object => asResult(`"${field}" is required`)
    expect((await find('null')).message).toEqual({ ...shown, ...missing('query') })
    expect((await call('null')).message).toEqual({ ...shown, ...missing('name') })
    const inner = (await call('{"name":"shop__read","arguments":null}')).message
    expect(inner).toEqual({ ...shown, ...missing('path') })
    expect(await heard()).toEqual([])
  })
})
