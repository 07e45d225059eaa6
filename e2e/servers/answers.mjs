// Responds to each call in the way of the tool's name; "well" responds correctly.
import { say, serveTools } from './mcp-server.mjs'

const GREEN = '\u001b[32m'
const PLAIN = '\u001b[0m'
const result = { content: [{ type: 'text', text: 'as it should be' }] }
const error = { code: -32603, message: 'The cupboard is bare' }
const NEVER_ASKED = 999_999
const text = (id) => JSON.stringify({ jsonrpc: '2.0', id, result })
const write = (bytes) => process.stdout.write(bytes)

const WAYS = {
  refused: (id) => say({ id, error }),
  wrong_id: () => say({ id: NEVER_ASKED, result }),
  wrong_id_first: (id) => [NEVER_ASKED, id].forEach((one) => say({ id: one, result })),
  text_id: (id) => say({ id: String(id), result }),
  null_id: () => say({ id: null, error }),
  twice: (id) => [id, id, id].forEach((one) => say({ id: one, result })),
  both: (id) => say({ id, result, error }),
  neither: (id) => say({ id }),
  wrong_type: (id) => say({ id, result: 'a bare word' }),
  bad_error: (id) => say({ id, error: 'a bare word' }),
  late: (id) => setTimeout(say, 1_200, { id, result }),
  batch: (id) => write(`[{"jsonrpc":"2.0","method":"notifications/made_up"},${text(id)}]\n`),
  pretty: (id) => write(`${JSON.stringify({ jsonrpc: '2.0', id, result }, null, 2)}\n`),
  colours: (id) => write(`${GREEN}${text(id)}${PLAIN}\n`),
  byte_order_mark: (id) => write(`\uFEFF${text(id)}\n`),
  crlf: (id) => write(`\r\n\r\n${text(id)}\r\n`),
  bad_utf8: (id) => {
    const [before, after] = text(id).split('as it should be')
    const bad = Buffer.from([0xc3, 0x28, 0xff, 0xe2, 0x82])
    write(
      Buffer.concat([bad, Buffer.from('\n'), Buffer.from(before), bad, Buffer.from(`${after}\n`)]),
    )
  },
  deep: (id) =>
    write(`{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`),
  not_rpc: (id) => {
    write('{"level":"info","id":1}\n"a word"\nnull\n{"jsonrpc":"1.0","id":2,"result":{}}\n')
    write('{"jsonrpc":"2.0"}\n')
    say({ id, result })
  },
}

const tools = ['well', ...Object.keys(WAYS)].map((name) => ({ name, call: () => 'well' }))
serveTools(tools, {
  takesOver: ({ id, method, params }) => {
    if (method === 'notifications/initialized' && process.argv[2] === 'notifications') {
      write('{"jsonrpc":"2.0","id":null,"result":{}}\n{"jsonrpc":"2.0","result":{}}\n')
    }
    const way = method === 'tools/call' ? WAYS[params.name] : undefined
    way?.(id)
    return way !== undefined
  },
})
