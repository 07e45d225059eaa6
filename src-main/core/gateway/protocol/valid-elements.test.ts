import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { AgentBench, ERAS } from '../../../../e2e/fixtures/agent-bench'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { Offer, POLL, untilServing } from '../../../../e2e/fixtures/tool-desk'

const NULLS = { title: null, description: null, icons: null, _meta: null, annotations: null }
const INPUT = { type: 'object', properties: { q: { type: 'string' } } }
const TOOLS = [
  { name: 'plain', inputSchema: INPUT },
  { name: 'nulls', inputSchema: INPUT, ...NULLS, outputSchema: null, execution: null },
  { name: 'php', inputSchema: { type: 'object', properties: [], required: null } },
  { name: 'bare' },
  { name: 'arms', inputSchema: { anyOf: [INPUT] } },
  { name: 'text', inputSchema: { type: 'string' } },
  {
    name: 'forgets',
    inputSchema: INPUT,
    outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  },
]
const BLOCKS = [
  { type: 'text', text: 'forty-two', annotations: null, _meta: null },
  { type: 'html', html: '<p>' },
]
const TEXTS = {
  'tools/list': { tools: TOOLS },
  'resources/list': {
    resources: [
      { uri: 'mem://a', name: 'a', ...NULLS, mimeType: null, size: null },
      { uri: 'mem://b', name: 'b', annotations: { lastModified: 'yesterday' } },
    ],
  },
  'resources/templates/list': {
    resourceTemplates: [{ uriTemplate: 'mem://{x}', name: 't', ...NULLS, mimeType: null }],
  },
  'prompts/list': {
    prompts: [
      { name: 'p', ...NULLS, arguments: null },
      { name: 'q', arguments: [{ name: 'x', description: null, required: null }] },
    ],
  },
  'resources/read': {
    contents: [{ uri: 'mem://a', mimeType: null, text: 'a', _meta: null }],
    _meta: null,
  },
  'prompts/get': { messages: [{ role: 'user', content: BLOCKS[0] }], description: null },
  forgets: { content: [{ type: 'text', text: 'no number' }] },
  plain: { content: BLOCKS, isError: null, _meta: null, structuredContent: null },
}

let raw: RawServer
let bench: AgentBench
let key = ''
beforeEach(async () => {
  const texts = Object.entries(TEXTS).map(([name, text]) => [name, JSON.stringify(text)])
  raw = new RawServer({ results: Object.fromEntries(texts) as Record<string, string> })
  bench = await new AgentBench().open()
  const broken = await bench.desk.install(raw.server, { name: 'odd' })
  await untilServing(bench.desk, broken)
  await bench.addServer('whole')
  ;({ key } = await bench.addAgent('Anna'))
})
afterEach(async () => {
  await bench.close()
  raw.close()
})

describe.each(ERAS)('F2 an agent of the %s era whose SDK validates', (era) => {
  it('gets the lists of all servers, without the elements that nobody can take', async () => {
    const { client } = await bench.connect(key, era)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('odd__'))).toEqual(
      ['plain', 'nulls', 'php', 'bare', 'arms', 'forgets'].map((name) => `odd__${name}`),
    )
    expect(names).toContain('whole__echo')
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b']))
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toContain('t')
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['odd__p', 'odd__q']))
  })

  it('gets results without nulls, and a text in the place of a block that is broken', async () => {
    const { client } = await bench.connect(key, era)
    const content = [
      { type: 'text', text: 'forty-two' },
      { type: 'text', text: expect.stringContaining('removed part 2') as string },
    ]
    const call = { name: 'odd__plain', arguments: {} }
    expect((await client.callTool(call)).content).toEqual(content)
    const heard = { onprogress: () => undefined }
    expect((await client.callTool(call, heard)).content).toEqual(content)
    const read = await client.readResource({ uri: 'mem://a' })
    expect(read.contents).toEqual([{ uri: 'mem://a', text: 'a' }])
    const { messages } = await client.getPrompt({ name: 'odd__p' })
    expect(messages).toEqual([{ role: 'user', content: content[0] }])
  })
})

describe.each(ERAS)('F2 a result that breaks its output schema, in the %s era', (era) => {
  it('reaches an agent whose SDK validates as an error with its text, and the log says so once', async () => {
    const { client } = await bench.connect(key, era)
    await client.listTools()
    for (let round = 0; round < 2; round += 1)
      expect(await client.callTool({ name: 'odd__forgets', arguments: {} })).toMatchObject({
        isError: true,
        content: [{ text: 'no number' }, { text: expect.stringContaining('Patchbay') as string }],
      })
    const { servers } = (await bench.desk.call('app.snapshot', {})).tools
    const log = await bench.desk.log(servers[0]?.installationId ?? '')
    expect(log.filter((line) => line.includes('don’t match its output schema'))).toHaveLength(1)
  })
})

describe('F2 a tool that no agent can take', () => {
  it('is shown with the reason', async () => {
    const { servers } = (await bench.desk.call('app.snapshot', {})).tools
    const id = servers[0]?.installationId ?? ''
    const { tools } = await bench.desk.call('tools.list', { installationId: id })
    expect(tools.find(({ name }) => name === 'text')).toMatchObject({
      standing: 'quarantined',
      reason: 'The input schema has type "string", but MCP allows only "object".',
    })
  })
})

describe.each(ERAS)('E5 MCP Apps, for an agent of the %s era', (era) => {
  it('are announced where a server that it is shown has a page, and only there', async () => {
    const extensions = async (): Promise<unknown> =>
      (await bench.connect(key, era)).client.getServerCapabilities()?.extensions
    expect(await extensions()).toBeUndefined()
    const _meta = { ui: { resourceUri: 'ui://board' } }
    const offer = new Offer({ tools: [{ name: 'board', _meta }] })
    onTestFinished(() => offer.close())
    await untilServing(bench.desk, await bench.desk.install(offer.server, { name: 'pages' }))
    await expect
      .poll(extensions, POLL)
      .toEqual({ 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } })
  })
})
