// A server whose tools have views (MCP Apps). Its tools:
// show      the view of protocol 2.x        old      that of 1.x, named by the older key of `_meta`
// hostile   tries to get out of its frame   mute     a page that never starts       leaves   a page that goes elsewhere
// blob      a page as base64, its type written with a space                          listed   declares its addresses in the list alone
// big       a page of 5 MB                  huge     a page of more than 10 MB      text     a page of another type
// look      for views, reads only           save     for views, changes something   model    for models alone
// move      has `show` declare other addresses from now on
import { respond, say, serveTools } from './mcp-server.mjs'
import { floodingPage, hostilePage, journeyPage, leavingPage } from './view-pages.mjs'

const TYPE = 'text/html;profile=mcp-app'
const state = {
  csp: {
    connectDomains: ['https://api.example.com'],
    resourceDomains: ['*.cdn.example.com', "'unsafe-eval'"],
  },
}
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const READ_ONLY = { annotations: { readOnlyHint: true } }

const PAGES = {
  show: () => ({
    mimeType: TYPE,
    text: journeyPage('2026-01-26'),
    _meta: { ui: { csp: state.csp } },
  }),
  old: () => ({ mimeType: TYPE, text: journeyPage('2025-11-21') }),
  hostile: () => ({ mimeType: TYPE, text: hostilePage() }),
  leaves: () => ({ mimeType: TYPE, text: leavingPage() }),
  floods: () => ({ mimeType: TYPE, text: floodingPage() }),
  mute: () => ({ mimeType: TYPE, text: '<p>Nothing here.</p>' }),
  blob: () => ({
    mimeType: 'text/html; profile=mcp-app',
    blob: Buffer.from('<p>Blåbär</p>').toString('base64'),
  }),
  listed: () => ({ mimeType: TYPE, text: '<p>Listed</p>' }),
  big: () => ({
    mimeType: TYPE,
    text: `${journeyPage('2026-01-26')}<!--${'a'.repeat(5_000_000)}-->`,
  }),
  huge: () => ({ mimeType: TYPE, text: 'a'.repeat(10_000_001) }),
  text: () => ({ mimeType: 'text/html', text: '<p>No view</p>' }),
}

const ACTS = {
  show: (args) => ({
    ...text(`Shown ${args.word ?? ''}`),
    structuredContent: { word: args.word ?? 'none' },
  }),
  look: () => text('Looked'),
  save: ({ value }) => text(`Saved ${value}`),
  model: () => text('Only for models'),
  move: () => {
    state.csp = { connectDomains: ['https://elsewhere.example.com'] }
    return text('Moved')
  },
}

const view = (name) => ({
  name,
  ...READ_ONLY,
  _meta: { ui: { resourceUri: `ui://views/${name}` } },
})
const LISTED = [
  ...Object.keys(PAGES)
    .filter((name) => name !== 'old')
    .map(view),
  { name: 'old', ...READ_ONLY, _meta: { 'ui/resourceUri': 'ui://views/old' } },
  { name: 'look', ...READ_ONLY, _meta: { ui: { visibility: ['app'] } } },
  { name: 'save', _meta: { ui: { visibility: ['model', 'app'] } } },
  { name: 'model', ...READ_ONLY, _meta: { ui: { visibility: ['model'] } } },
  { name: 'move' },
].map((tool) => ({
  description: `The tool ${tool.name}`,
  inputSchema: { type: 'object' },
  ...tool,
}))

const RESOURCES = Object.keys(PAGES).map((name) => ({
  uri: `ui://views/${name}`,
  name,
  mimeType: TYPE,
  ...(name === 'listed' && {
    _meta: { ui: { csp: { connectDomains: ['wss://live.example.com'] } } },
  }),
}))

function answer(request) {
  const { method, params } = request
  if (method === 'initialize') {
    const { result } = respond([], request)
    return { result: { ...result, capabilities: { tools: {}, resources: {} } } }
  }
  if (method === 'tools/list') return { result: { tools: LISTED } }
  if (method === 'tools/call')
    return { result: ACTS[params.name]?.(params.arguments ?? {}) ?? text(params.name) }
  if (method === 'resources/list') return { result: { resources: RESOURCES } }
  if (method === 'resources/templates/list') return { result: { resourceTemplates: [] } }
  if (method === 'resources/read') {
    const page = PAGES[/^ui:\/\/views\/(\w+)$/u.exec(params.uri)?.[1]]?.()
    return page
      ? { result: { contents: [{ uri: params.uri, ...page }] } }
      : { error: { code: -32002, message: 'No such resource' } }
  }
  return respond([], request)
}

serveTools([], {
  takesOver: (request) => {
    if (request.id !== undefined) say({ id: request.id, ...answer(request) })
    return true
  },
})
