// A server whose results try to be more than data. argv[2] is an address on this computer with everything that could be fetched
// automatically; nothing may ever request it.
import { say, serveTools } from './mcp-server.mjs'

const [, , trap = 'http://127.0.0.1:9'] = process.argv

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('svg')"><script>alert('svg')</script><image href="${trap}/svg.png" width="9" height="9"/></svg>`
const HTML = `<script>alert('script')</script><img src="${trap}/html.png" onerror="alert('handler')"><iframe src="${trap}/frame"></iframe><a href="javascript:alert('link')">press</a>`
const MARKDOWN = `# Hello\n\n![a picture](${trap}/markdown.png)\n\n[run](javascript:alert('markdown')) [plain](${trap}/plain) [safe](https://example.com/a)\n\n${HTML}\n\n<b onclick="alert('bold')">bold</b>\n`
const HIDDEN = 'pay \u202e001\u202c to \u200bme \u001b[31mred\u001b[0m \u{e0041}'
const base64 = (text) => Buffer.from(text, 'latin1').toString('base64')

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A PNG of one pixel whose head says that it is huge. */
function bomb() {
  const bytes = Buffer.from(PIXEL, 'base64')
  bytes.writeUInt32BE(60_000, 16)
  bytes.writeUInt32BE(60_000, 20)
  return bytes.toString('base64')
}

/** A sound of a tenth of a second without a tone (WAV, 8 kHz, 8 bits). */
function silence() {
  const data = Buffer.alloc(800, 0x80)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data]).toString('base64')
}

/** JSON with one word in it once and a number that no double holds; 5,000 rows are nearly 1 MB. */
function large(length) {
  const rows = Array.from({ length }, (_, row) => ({
    row,
    name: `row number ${row}`,
    text: 'lorem ipsum '.repeat(9),
    tags: ['a', 'b'],
  }))
  rows[4_321].text = 'the needle is here'
  return { exact: 0, rows }
}

const text = (value) => ({ type: 'text', text: value })

const TOOLS = {
  hostile: () => ({
    content: [
      text(HTML),
      text(MARKDOWN),
      text(HIDDEN),
      { type: 'image', mimeType: 'image/svg+xml', data: base64(SVG) },
      { type: 'image', mimeType: 'image/png', data: 'no base64: <b>!</b>' },
      {
        type: 'image',
        mimeType: 'image/png',
        data: base64('\x89PNG\r\n\x1a\nbroken from here on, whatever it says'),
      },
      { type: 'image', mimeType: 'image/png', data: bomb() },
      { type: 'audio', mimeType: 'audio/wav', data: silence() },
      {
        type: 'resource_link',
        uri: "javascript:alert('uri')",
        name: 'li\u202enk',
        mimeType: 'text/html',
      },
      { type: 'resource', resource: { uri: 'a://page.html', mimeType: 'text/html', text: HTML } },
      {
        type: 'resource',
        resource: {
          uri: 'a://../../run.exe',
          mimeType: 'application/x-msdownload',
          blob: base64('MZ'),
        },
      },
      { type: 'hologram', html: HTML },
    ],
    structuredContent: { '<b>key</b>': HTML, ['__proto__']: { a: 1 } },
    _meta: { 'a.example/x': SVG },
  }),
  huge: () => ({ content: [text('0123456789'.repeat(50_000))] }),
  /** Markdown that takes minutes to read, and some that is nested too deeply. */
  slow: () => ({ content: [text('_*'.repeat(31_900)), text(`${'> '.repeat(300)}deep`)] }),
  // The number is written manually: JSON.stringify would round it.
  large: () => ({ content: [], structuredContent: large(60_000) }),
  long: () => ({ content: [], structuredContent: large(5_000) }),
  failing: () => ({ content: [text('It <b>failed</b>.')], isError: true }),
  /** A picture as a resource, and content that its output schema has something against. */
  misfit: () => ({
    content: [
      { type: 'resource', resource: { uri: 'a://dot', mimeType: 'image/png', blob: PIXEL } },
    ],
    structuredContent: { '<b>count': 'many' },
  }),
}
const OUTPUTS = {
  misfit: { type: 'object', properties: { '<b>count': { type: 'integer' } } },
}

serveTools([], {
  takesOver: ({ id, method, params = {} }) => {
    if (method === 'tools/list') {
      const inputSchema = { type: 'object' }
      const tools = Object.keys(TOOLS).map((name) => ({
        name,
        inputSchema,
        outputSchema: OUTPUTS[name],
      }))
      say({ id, result: { tools } })
    } else if (method === 'tools/call' && Object.hasOwn(TOOLS, params.name)) {
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: TOOLS[params.name]() })
      process.stdout.write(`${answer.replace('"exact":0', '"exact":12345678901234567890')}\n`)
    } else return false
    return true
  },
})
