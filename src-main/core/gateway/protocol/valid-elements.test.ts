import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { AgentBench, ERAS, statelessMeta } from '../../../../e2e/fixtures/agent-bench'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { Offer, POLL, untilServing } from '../../../../e2e/fixtures/tool-desk'

const NULLS = { title: null, description: null, icons: null, _meta: null, annotations: null }
const INPUT = { type: 'object', properties: { q: { type: 'string' } } }
const NUMBER = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const TOOLS = [
  { name: 'plain', inputSchema: INPUT },
  { name: 'nulls', inputSchema: INPUT, ...NULLS, outputSchema: null, execution: null },
  { name: 'php', inputSchema: { type: 'object', properties: [], required: null } },
  { name: 'bare' },
  { name: 'arms', inputSchema: { anyOf: [INPUT] } },
  { name: 'text', inputSchema: { type: 'string' } },
  { name: 'forgets', inputSchema: INPUT, outputSchema: NUMBER },
]
const BLOCKS = [
  { type: 'text', text: 'forty-two', annotations: null, _meta: null },
  { type: 'html', html: '<p>' },
]
const ODD = {
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

const bench = new AgentBench()
let key = ''
beforeEach(async () => {
  await bench.open()
})
afterEach(() => bench.close())

/** Adds a server that answers with these values; its id. */
async function addRaw(name: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const raw = RawServer.of(values)
  onTestFinished(() => raw.close())
  const id = await bench.desk.install(raw.server, { name })
  await untilServing(bench.desk, id)
  return id
}

describe.each(ERAS)('F2 an agent of the %s era whose SDK validates', (era) => {
  beforeEach(async () => {
    await addRaw('odd', ODD)
    ;({ key } = await bench.start('whole'))
  })

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

  it('gets a result that breaks its output schema as an error with its text, and the log says so once', async () => {
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

describe.each(ERAS)('E5 MCP Apps, for an agent of the %s era', (era) => {
  it('are announced where a server that it is shown has a page, and only there', async () => {
    ;({ key } = await bench.start('whole'))
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

const REQUIRED = { $top: { type: 'number' }, id: { type: 'string' }, name: { type: 'string' } }
const QUERY = {
  type: 'object',
  properties: REQUIRED,
  required: ['$top'],
  oneOf: [{ required: ['id'] }, { required: ['name'] }],
}
const SIMPLE = {
  type: 'object',
  properties: { _top: REQUIRED.$top, id: REQUIRED.id, name: REQUIRED.name },
  required: ['_top'],
}

describe.each(ERAS)('F2 a schema that model APIs reject, for an agent of the %s era', (era) => {
  it('is simplified where the profile says so, and calls are validated by the one of the server', async () => {
    await addRaw('odd', { 'tools/list': { tools: [{ name: 'query', inputSchema: QUERY }] } })
    const { key: simple } = await bench.addAgent('Simple', { simplifiedSchemas: true })
    const { key: plain } = await bench.addAgent('Plain')
    const listed = async (of: string): Promise<unknown> => {
      const { client } = await bench.connect(of, era)
      return (await client.listTools()).tools[0]?.inputSchema
    }
    expect(await listed(simple)).toEqual(SIMPLE)
    expect(await listed(plain)).toEqual(QUERY)
    const agent = era === 'newer' ? bench.stateless(simple) : await bench.session(simple)
    const meta = era === 'newer' ? `,"_meta":${JSON.stringify(statelessMeta())}` : ''
    const call = async (args: string): Promise<string> => {
      const params = `{"name":"odd__query","arguments":${args}${meta}}`
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
      return (await agent.send(message)).text()
    }
    // The digits of its arguments stay as well.
    const sent = await call('{"_top":12345678901234567890.0,"id":"x"}')
    expect(sent).toContain('\\"arguments\\":{\\"$top\\":12345678901234567890.0,')
    expect(await call('{"_top":5}')).toContain('Not sent')
  })
})

describe.each(ERAS)('F5 a resource of two servers, for an agent of the %s era', (era) => {
  it('is read where its address or the link in a result leads, and else at none', async () => {
    const uri = 'memo://insights'
    for (const name of ['one', 'two'])
      await addRaw(name, {
        'tools/list': { tools: [{ name: 'note', inputSchema: { type: 'object' } }] },
        'resources/list': { resources: [{ uri, name: 'insights' }] },
        'resources/read': { contents: [{ uri, text: `of ${name}` }] },
        note: { content: [{ type: 'resource_link', uri, name: 'insights' }] },
      })
    ;({ key } = await bench.start())
    const { ask } = await bench.connect(key, era)
    const read = async (of = uri): Promise<unknown> =>
      (await ask('resources/read', { uri: of })).contents
    await expect(read()).rejects.toThrow('Several servers offer this resource: one and two.')
    const { resources } = (await ask('resources/list')) as { resources: { uri: string }[] }
    const listed = await Promise.all(resources.map((one) => read(one.uri)))
    expect(listed).toMatchObject([[{ text: 'of one' }], [{ text: 'of two' }]])
    for (const name of ['one', 'two']) {
      await ask('tools/call', { name: `${name}__note`, arguments: {} })
      expect(await read()).toMatchObject([{ text: `of ${name}` }])
    }
  })
})
