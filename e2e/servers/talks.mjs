// Tools for the message log: "echo" returns its text, "secret" the variable TOKEN, "large" a JSON of `kilobytes`, "fail" is rejected,
// "silent" never responds, "flood" sends `count` notifications before its response, and "reads" claims to change nothing.
import { say, serveTools } from './mcp-server.mjs'

const NAMES = ['echo', 'secret', 'large', 'fail', 'silent', 'flood', 'reads']

const text = (words) => ({ content: [{ type: 'text', text: words }] })

function flood({ count }) {
  for (let line = 1; line <= count; line += 1) {
    const params = { level: 'info', logger: 'flood', data: `line ${line}` }
    say({ method: 'notifications/message', params })
  }
  return text(`${count} lines`)
}

function rows(kilobytes) {
  const row = (index) => ({ index, name: `row ${index}`, note: 'n'.repeat(960) })
  return { rows: Array.from({ length: kilobytes }, (_, index) => row(index)) }
}

function call({ id, params }) {
  const { name, arguments: given = {} } = params
  const answers = {
    echo: () => text(given.text ?? ''),
    secret: () => text(`The token is ${process.env.TOKEN}.`),
    large: () => ({ ...text('large'), structuredContent: rows(given.kilobytes) }),
    flood: () => flood(given),
    reads: () => text('read'),
  }
  if (name === 'silent') return
  if (name === 'fail') say({ id, error: { code: -32002, message: 'No such thing' } })
  else say({ id, result: answers[name]() })
}

function list() {
  const inputSchema = { type: 'object' }
  const nature = (name) => (name === 'reads' ? { annotations: { readOnlyHint: true } } : {})
  return NAMES.map((name) => ({
    name,
    description: `The tool ${name}`,
    inputSchema,
    ...nature(name),
  }))
}

serveTools([], {
  takesOver: (request) => {
    if (request.method === 'tools/list') say({ id: request.id, result: { tools: list() } })
    else if (request.method === 'tools/call') call(request)
    else return false
    return true
  },
})
