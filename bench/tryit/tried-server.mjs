// A server to be tried: "settings" and "many_members" have forms of 200 fields, "rows" answers `megabytes` of JSON. Once it serves it says
// 7,000 notifications and asks 7,000 times whether Patchbay is there, so that 20,000 messages and more are exchanged.
import { AWKWARD } from '../../e2e/servers/awkward-schemas.mjs'
import { respond, say, serveTools } from '../../e2e/servers/mcp-server.mjs'

const PINGS = 7_000
const AT_ONCE = 500
const FIELDS = 200

const asked = { count: 0, waiting: 0 }

function ask() {
  for (let one = 0; one < AT_ONCE && asked.count < PINGS; one += 1) {
    asked.count += 1
    asked.waiting += 1
    say({ id: `ping ${asked.count}`, method: 'ping' })
    const params = { level: 'info', logger: 'bench', data: `line ${asked.count}` }
    say({ method: 'notifications/message', params })
  }
}

function answered() {
  asked.waiting -= 1
  if (asked.waiting === 0) ask()
}

const KINDS = [
  { type: 'string', minLength: 1 },
  { type: 'integer', minimum: 0, maximum: 1_000, default: 10 },
  { type: 'boolean', default: true },
  { type: 'string', enum: ['one', 'two', 'three', 'four'] },
  { type: 'array', items: { type: 'string' } },
  { type: 'object', properties: { from: { type: 'number' }, to: { type: 'number' } } },
  { oneOf: [{ type: 'string' }, { type: 'number' }] },
  { type: 'string', format: 'date' },
]

function settings() {
  const field = (index) => ({
    ...KINDS[index % KINDS.length],
    description: `What the setting number ${index} decides, in a sentence of the usual length.`,
  })
  const names = Array.from({ length: FIELDS }, (_, index) => `setting_${index}`)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name, index) => [name, field(index)])),
    required: names,
  }
}

/** Rows of about 1 KB each, as a database answers them. */
function rows(megabytes) {
  const row = (index) => ({
    id: index,
    name: `row ${index}`,
    tags: ['alpha', 'beta', `tag ${index % 97}`],
    place: { latitude: index / 7, longitude: -index / 11, isKnown: index % 3 === 0 },
    values: Array.from({ length: 40 }, (_, at) => (index * 31 + at * 17) % 10_007),
    note: `The note of row ${index}. `.repeat(24),
  })
  return { rows: Array.from({ length: megabytes * 1024 }, (_, index) => row(index)) }
}

const TOOLS = [
  { name: 'settings', inputSchema: settings() },
  { name: 'many_members', inputSchema: AWKWARD.many_members.schema },
  {
    name: 'rows',
    inputSchema: { type: 'object', properties: { megabytes: { type: 'integer', default: 10 } } },
  },
]

serveTools([], {
  takesOver: ({ id, method, params, result }) => {
    if (method === undefined && result !== undefined) answered()
    else if (method === 'notifications/initialized') ask()
    else if (method === 'initialize') {
      const { result: initialized } = respond([], { method, params })
      say({ id, result: { ...initialized, capabilities: { tools: {}, logging: {} } } })
    } else if (method === 'tools/list') say({ id, result: { tools: TOOLS } })
    else if (method === 'tools/call') {
      const { megabytes = 10 } = params.arguments ?? {}
      say({ id, result: { content: [], structuredContent: rows(megabytes) } })
    } else return false
    return true
  },
})
