// Departs from most servers in the one way that its argument names, for clients that use it directly and through the gateway. Its tools
// are named after their results; most ways have only `echo`. `--ways` lists the ways.
import { createInterface } from 'node:readline'

const [, , way = 'plain'] = process.argv
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const object = (properties = {}, more = {}) => ({ type: 'object', properties, ...more })
const tool = (name, more = {}) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: object(),
  ...more,
})
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const json = (id, outcome) => JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
const write = (line) => process.stdout.write(line)
const image = (mimeType, data = PNG) => ({
  content: [
    { type: 'text', text: 'i' },
    { type: 'image', mimeType, data },
  ],
})

/** What a way changes: its tools, the result of each, how a line is written, the handshake, and other methods. */
const WAYS = {
  plain: {},
  // Handshakes.
  'null members of the handshake': {
    hello: { instructions: null, capabilities: { tools: { listChanged: null }, prompts: null } },
  },
  'no capabilities': { hello: { capabilities: {} } },
  'long instructions': { hello: { instructions: `Line one.\n\n${'- rule\n'.repeat(200)}` } },
  // Lists.
  'null members of tools': {
    tools: [
      tool('echo', {
        title: null,
        outputSchema: null,
        annotations: null,
        icons: null,
        _meta: null,
      }),
    ],
  },
  'an empty cursor': { list: () => ({ tools: [tool('echo')], nextCursor: '' }) },
  'a null cursor': { list: () => ({ tools: [tool('echo')], nextCursor: null }) },
  'three pages': {
    list: ({ cursor = '0' }) => ({
      tools: [tool(['echo', 'second', 'third'][Number(cursor)])],
      ...(cursor < '2' && { nextCursor: String(Number(cursor) + 1) }),
    }),
  },
  'odd names': {
    tools: [
      'repo/search',
      'context:get',
      'dotted.name',
      'a b',
      'suche_für',
      '検索',
      'x'.repeat(90),
    ].map((one) => tool(one)),
    result: ({ name }) => text(`called ${name}`),
  },
  'odd schemas': {
    tools: [
      tool('no_items', { inputSchema: object({ tags: { type: 'array' } }) }),
      tool('union', {
        inputSchema: object({
          a: { type: ['array', 'null'], items: { type: ['object', 'null'] } },
        }),
      }),
      tool('enum', { inputSchema: object({ a: { type: 'string', enum: ['', 'asc'] } }) }),
      tool('ghost', { inputSchema: object({ a: { type: 'string' } }, { required: ['a'] }) }),
      tool('open', { inputSchema: object({ a: { description: 'anything' } }) }),
      tool('id', {
        inputSchema: object({
          id: { type: 'string', $comment: 'kept', 'x-own': [1, { b: null }] },
        }),
      }),
    ],
    result: ({ name, arguments: args }) => text(`${name} ${JSON.stringify(args)}`),
    arguments: { a: 'asc' },
  },
  // Lines.
  'a progress bar before each message': { line: (line) => `loading 40%\rloading 100%\r${line}\n` },
  'a word before each message': { line: (line) => `Ready! ${line}\n` },
  'the title of the window before each message': {
    line: (line) => `\u001b]0;server\u0007${line}\n`,
  },
  'a byte order mark': { line: (line) => `\uFEFF${line}\n` },
  'two messages on a line': {
    line: (line) =>
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'debug', data: 1 } })}${line}\n`,
  },
  'lines that end in CR LF': { line: (line) => `${line}\r\n` },
  'prints before it is asked': { first: 'Welcome!\nListening …\n' },
  'Content-Length frames': {
    line: (line) => `Content-Length: ${Buffer.byteLength(line)}\r\n\r\n${line}`,
  },
  // Envelopes.
  'no jsonrpc': { line: (line) => `${line.replace('"jsonrpc":"2.0",', '')}\n` },
  'IDs as text': { line: (line) => `${line.replace(/"id":(\d+)/u, '"id":"$1"')}\n` },
  'null params': {
    after: [
      { method: 'notifications/tools/list_changed', params: null },
      { id: 'own', method: 'ping', params: null },
    ],
  },
  // Results.
  'null in results': {
    result: () => ({
      _meta: null,
      isError: null,
      content: [{ type: 'text', text: 'n', annotations: null, _meta: null }],
    }),
  },
  'numbers beyond 2^53': {
    call: (id) =>
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"n"}],"structuredContent":{"id":12345678901234567890,"x":1.0}}}`,
  },
  'NaN in a result': {
    call: (id) =>
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"n"}],"structuredContent":{"x":NaN}}}`,
  },
  'half a character': {
    call: (id) =>
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"cut \\ud83d"}]}}`,
  },
  'a printed value': {
    call: (id) => `{'jsonrpc': '2.0', 'id': ${id}, 'result': {'content': None}}`,
  },
  'empty results': {
    tools: ['blank', 'nothing', 'two', 'error', 'structured'].map((one) => tool(one)),
    result: ({ name }) =>
      ({
        blank: text(''),
        nothing: { content: [] },
        two: {
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'rest' },
          ],
        },
        error: { content: [], isError: true },
        structured: { content: [], structuredContent: { n: 7 } },
      })[name],
  },
  'types of images': {
    tools: ['png', 'upper', 'parameter', 'octets', 'jpeg'].map((one) => tool(one)),
    result: ({ name }) =>
      image(
        {
          png: 'image/png',
          upper: 'IMAGE/PNG',
          parameter: 'image/png; charset=binary',
          octets: 'application/octet-stream',
          jpeg: 'image/jpeg',
        }[name],
      ),
  },
  'an error with structured content': {
    result: () => ({ ...text('no'), isError: true, structuredContent: { error: 'x', code: 4 } }),
  },
  'output that breaks its schema': {
    tools: [tool('echo', { outputSchema: object({ n: { type: 'number' } }, { required: ['n'] }) })],
    result: () => ({ ...text('forty-two'), structuredContent: { n: 'forty-two' } }),
  },
  // Errors.
  'an error with data': {
    error: { code: 4_711, message: 'No such thing', data: { deep: [1, null] } },
  },
  'an error whose code is text': {
    error: { code: 'TOKEN_EXPIRED', message: 'The token has expired.' },
  },
  'an error whose code is huge': {
    call: (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":1e100,"message":"Huge"}}`,
  },
  'an error that is text': { error: 'The cupboard is bare' },
  'an error without an ID': {
    call: () => json(null, { error: { code: -32_700, message: 'Can’t read it' } }),
  },
  'an error on stderr': {
    call: (id) =>
      void process.stderr.write(`${json(id, { error: { code: -1, message: 'On stderr' } })}\n`),
  },
  'the code of a missing resource': { error: { code: -32_002, message: 'Own code' } },
  // Arguments.
  'lenient arguments': {
    tools: [
      tool('echo', {
        inputSchema: object({
          count: { type: 'integer' },
          flag: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
        }),
      }),
    ],
    result: ({ arguments: args }) => text(JSON.stringify(args)),
    arguments: { count: 5, flag: true, tags: ['a'] },
  },
  // Other methods.
  'no ping': { ping: () => undefined },
  'a ping that is an error': {
    ping: (id) => json(id, { error: { code: -32_603, message: 'ping?' } }),
  },
  'progress under a token as text': {
    call: (id, { _meta: meta = {} }) => {
      for (const progress of [1, 2])
        write(
          `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: String(meta.progressToken), progress } })}\n`,
        )
      return json(id, { result: text('done') })
    },
  },
  'answers after a second': { waitMs: 1_000 },
}

if (way === '--ways') {
  write(
    JSON.stringify(Object.entries(WAYS).map(([name, { arguments: args = {} }]) => [name, args])),
  )
  process.exit(0)
}
const own = WAYS[way]
if (!own) throw new Error(`There is no way "${way}".`)
const line = own.line ?? ((one) => `${one}\n`)
if (own.first) write(own.first)

function answerOf({ id, method, params = {} }) {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'odd', version: '1' }
      const capabilities = { tools: { listChanged: true } }
      return json(id, {
        result: { protocolVersion: params.protocolVersion, capabilities, serverInfo, ...own.hello },
      })
    }
    case 'ping':
      return own.ping ? own.ping(id) : json(id, { result: {} })
    case 'tools/list':
      return json(id, {
        result: own.list ? own.list(params ?? {}) : { tools: own.tools ?? [tool('echo')] },
      })
    case 'tools/call':
      if (own.call) return own.call(id, params)
      return json(
        id,
        own.error ? { error: own.error } : { result: own.result?.(params) ?? text('done') },
      )
    default:
      return json(id, { error: { code: -32_601, message: `Method not found: ${method}` } })
  }
}

createInterface({ input: process.stdin })
  .on('line', (given) => {
    const message = JSON.parse(given)
    if (message.method === undefined) return
    if (message.method === 'notifications/initialized')
      for (const one of own.after ?? []) write(line(JSON.stringify({ jsonrpc: '2.0', ...one })))
    if (message.id === undefined) return
    const send = () => {
      const answer = answerOf(message)
      if (typeof answer === 'string') write(line(answer))
    }
    if (own.waitMs && message.method === 'tools/call') setTimeout(send, own.waitMs)
    else send()
  })
  .on('close', () => process.exit(0))
