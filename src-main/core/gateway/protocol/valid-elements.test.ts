import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  AgentBench,
  type ConnectedAgent,
  ERAS,
  statelessMeta,
} from '../../../../e2e/fixtures/agent-bench'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { Offer, POLL } from '../../../../e2e/fixtures/tool-desk'

const bench = new AgentBench()
beforeEach(async () => void (await bench.open()))
afterEach(() => bench.close())

const NULLS = { title: null, description: null, icons: null, _meta: null, annotations: null }
const INPUT = { type: 'object', properties: { q: { type: 'string' } } }
const NUMBER = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const BLOCKS = [
  { type: 'text', text: 'forty-two', annotations: null, _meta: null },
  { type: 'html', html: '<p>' },
]
const ODD = {
  'tools/list': {
    tools: [
      { name: 'plain', inputSchema: INPUT },
      { name: 'nulls', inputSchema: INPUT, ...NULLS, outputSchema: null, execution: null },
      { name: 'php', inputSchema: { type: 'object', properties: [], required: null } },
      { name: 'bare' },
      { name: 'arms', inputSchema: { anyOf: [INPUT] } },
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'forgets', inputSchema: INPUT, outputSchema: NUMBER },
    ],
  },
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
  'resources/read': { contents: [{ uri: 'mem://a', text: 'a', _meta: null }], _meta: null },
  'prompts/get': { messages: [{ role: 'user', content: BLOCKS[0] }], description: null },
  forgets: { content: [{ type: 'text', text: 'no number' }] },
  plain: { content: BLOCKS, isError: null, _meta: null, structuredContent: null },
}

describe.each(ERAS)('F2 an agent of the %s era whose SDK validates', (era) => {
  const connected = async (): Promise<ConnectedAgent & { readonly id: string }> => {
    const id = await bench.addOffer('odd', RawServer.of(ODD))
    const { key } = await bench.start('whole')
    return { ...(await bench.connect(key, era)), id }
  }

  it('gets the lists of all servers, without the elements that nobody can take', async () => {
    const { client } = await connected()
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('odd__'))).toEqual(
      ['plain', 'nulls', 'php', 'bare', 'arms', 'forgets'].map((name) => `odd__${name}`),
    )
    expect(names).toContain('whole__echo')
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const { prompts } = await client.listPrompts()
    const others = [...resources, ...resourceTemplates, ...prompts].map(({ name }) => name)
    expect(others).toEqual(expect.arrayContaining(['a', 'b', 't', 'odd__p', 'odd__q']))
  })

  it('gets results without nulls, and a text in the place of a block that is broken', async () => {
    const { client } = await connected()
    const removed = expect.stringContaining('removed part 2') as string
    const good = { type: 'text', text: 'forty-two' }
    for (const options of [{}, { onprogress: () => undefined }])
      expect((await client.callTool({ name: 'odd__plain' }, options)).content).toEqual([
        good,
        { type: 'text', text: removed },
      ])
    const { contents } = await client.readResource({ uri: 'mem://a' })
    expect(contents).toEqual([{ uri: 'mem://a', text: 'a' }])
    const { messages } = await client.getPrompt({ name: 'odd__p' })
    expect(messages).toEqual([{ role: 'user', content: good }])
  })

  it('gets a result that breaks its output schema as an error with its text, and the log says so once', async () => {
    const { client, id } = await connected()
    await client.listTools()
    const notice = expect.stringContaining('Patchbay') as string
    for (let round = 0; round < 2; round += 1)
      expect(await client.callTool({ name: 'odd__forgets' })).toMatchObject({
        isError: true,
        content: [{ text: 'no number' }, { text: notice }],
      })
    expect(await bench.logged(id, 'don’t match its output schema')).toHaveLength(1)
  })

  it('is told of MCP Apps where a server that it is shown has a page, and only there (E5)', async () => {
    const { key } = await bench.start('whole')
    const extensions = async (): Promise<unknown> =>
      (await bench.connect(key, era)).client.getServerCapabilities()?.extensions
    expect(await extensions()).toBeUndefined()
    const _meta = { ui: { resourceUri: 'ui://board' } }
    await bench.addOffer('pages', new Offer({ tools: [{ name: 'board', _meta }] }))
    const announced = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    await expect.poll(extensions, POLL).toEqual(announced)
  })

  it('gets a schema that model APIs reject in a simple form where its profile says so, and calls by both', async () => {
    const properties = { $top: { type: 'number' }, id: { type: 'string' } }
    const inputSchema = {
      type: 'object',
      properties,
      oneOf: [{ required: ['id'] }, { required: ['name'] }],
    }
    const simplified = { _top: properties.$top, id: properties.id }
    const tools = [{ name: 'query', inputSchema }]
    await bench.addOffer('odd', RawServer.of({ 'tools/list': { tools } }))
    const { key: simple } = await bench.addAgent('Simple', { simplifiedSchemas: true })
    const { key: plain } = await bench.addAgent('Plain')
    const listed = async (of: string): Promise<unknown> =>
      (await (await bench.connect(of, era)).client.listTools()).tools[0]?.inputSchema
    expect(await listed(simple)).toEqual({ type: 'object', properties: simplified })
    expect(await listed(plain)).toEqual(inputSchema)
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

  it('reads a resource of two servers where its address or the link in a result leads, and else at none (F5)', async () => {
    const uri = 'memo://insights'
    for (const name of ['one', 'two']) {
      const values = {
        'tools/list': { tools: [{ name: 'note', inputSchema: { type: 'object' } }] },
        'resources/list': { resources: [{ uri, name: 'insights' }] },
        'resources/read': { contents: [{ uri, text: `of ${name}` }] },
        note: { content: [{ type: 'resource_link', uri, name: 'insights' }] },
      }
      await bench.addOffer(name, RawServer.of(values))
    }
    const { ask, call } = await bench.connect((await bench.start()).key, era)
    const read = async (of = uri): Promise<unknown> =>
      (await ask('resources/read', { uri: of })).contents
    await expect(read()).rejects.toThrow('Several servers offer this resource: one and two.')
    const { resources } = (await ask('resources/list')) as { resources: { uri: string }[] }
    const listed = await Promise.all(resources.map((one) => read(one.uri)))
    expect(listed).toMatchObject([[{ text: 'of one' }], [{ text: 'of two' }]])
    for (const name of ['one', 'two']) {
      await call(`${name}__note`)
      expect(await read()).toMatchObject([{ text: `of ${name}` }])
    }
  })
})
