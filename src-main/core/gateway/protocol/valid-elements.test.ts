import { isDeepStrictEqual } from 'node:util'

import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  type AgentMode,
  type ConnectedAgent,
  GatewayHarness,
  PROTOCOL_MODES,
  statelessMeta,
} from '../../../../e2e/fixtures/gateway-harness'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { Offer } from '../../../../e2e/fixtures/tools-harness'

const gateway = new GatewayHarness()
beforeEach(async () => void (await gateway.open({ agentRate: 100_000, toolCap: 2_000 })))
afterEach(() => gateway.close())

type Path = readonly (string | number)[]
type Element = Readonly<Record<string, unknown>>

/** Replacements for each member, one after the other; undefined removes it. */
const VALUES = [null, '', 'x', 0, -1.5, true, false, [], {}, ['x'], { a: 1 }, [null], undefined]
const ANNOTATIONS = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' }
const ICONS = [{ src: 'https://a.test/i.png', mimeType: 'image/png', sizes: ['48x48'] }]
const NAMED = { title: 't', description: 'd', icons: ICONS, _meta: { a: 1 } }
const INPUT = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
const HINTS = { title: 'a', readOnlyHint: true, destructiveHint: false, openWorldHint: true }

const RESULTS: readonly Element[] = [
  { content: [{ type: 'text', text: 'x', annotations: ANNOTATIONS, _meta: {} }], isError: false },
  { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], _meta: { a: 1 } },
  { content: [{ type: 'resource_link', uri: 'mem://a', name: 'a', size: 3, ...NAMED }] },
  { content: [{ type: 'resource', resource: { uri: 'mem://a', blob: 'aGk=' } }] },
  { content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } },
]
const CONTENTS = {
  contents: [
    { uri: 'mem://a', mimeType: 'text/plain', text: 'x', _meta: {} },
    { uri: 'mem://b', blob: 'aGk=' },
  ],
}
const IMAGE = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
const MESSAGES = { description: 'd', messages: [{ role: 'user', content: IMAGE }] }

type List = {
  readonly list: string
  readonly method: string
  readonly element: Element
  /** Members without which an element can't be listed. */
  readonly needs: readonly [name: string, ...others: string[]]
  readonly get: (client: Client) => Promise<readonly object[]>
}
const LISTS: readonly List[] = [
  {
    ...{ list: 'tools', method: 'tools/list', needs: ['name', 'inputSchema', 'outputSchema'] },
    element: {
      ...{ name: 'a', ...NAMED, annotations: HINTS, execution: { taskSupport: 'optional' } },
      ...{ inputSchema: { ...INPUT, $schema: 'https://json-schema.org/draft/2020-12/schema' } },
      outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
    get: async (client) => (await client.listTools()).tools,
  },
  {
    ...{ list: 'prompts', method: 'prompts/list', needs: ['name'] },
    element: { name: 'a', ...NAMED, arguments: [{ name: 'x', description: 'd', required: true }] },
    get: async (client) => (await client.listPrompts()).prompts,
  },
  {
    ...{ list: 'resources', method: 'resources/list', needs: ['uri'] },
    element: { uri: 'mem://a', name: 'a', ...NAMED, size: 3, annotations: ANNOTATIONS },
    get: async (client) => (await client.listResources()).resources,
  },
  {
    ...{ list: 'resourceTemplates', method: 'resources/templates/list', needs: ['uriTemplate'] },
    element: { uriTemplate: 'mem://{x}', name: 'a', ...NAMED, annotations: ANNOTATIONS },
    get: async (client) => (await client.listResourceTemplates()).resourceTemplates,
  },
]

function pathsIn(value: unknown, path: Path = []): Path[] {
  const isInner = typeof value === 'object' && value !== null
  const below = isInner
    ? Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]))
    : []
  return path.length > 0 ? [path, ...below] : below
}

/** Returns the element with another value at each of its places in turn. */
function mutationsOf(element: Element): Element[] {
  return pathsIn(element).flatMap((path) =>
    VALUES.map((value) => {
      const mutated = structuredClone(element)
      const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Element)[key], mutated)
      Object.assign(parent as object, { [path.at(-1) ?? '']: value })
      return mutated
    }),
  )
}

/** Connects an agent whose SDK validates everything, with a server that answers with these values. */
async function connect(
  protocolMode: AgentMode,
  values: Element,
): Promise<ConnectedAgent & { id: string }> {
  const id = await gateway.addOffer('odd', RawServer.of(values))
  const { key } = await gateway.addAgent('Anna', { toolCap: 2_000 })
  return { ...(await gateway.connect(key, protocolMode)), id }
}

describe.each(PROTOCOL_MODES)(
  'F1, F2: an agent (%s), with any member of a response wrong,',
  (protocolMode) => {
    it.each(LISTS)(
      'gets $method without elements that lack a usable name or schema, and with all others',
      async ({ list, method, element, needs, get }) => {
        const [name] = needs
        const elements = mutationsOf(element).map((one, at) => {
          return one[name] === element[name] ? { ...one, [name]: `${String(one[name])}${at}` } : one
        })
        const isUsable = (one: Element): boolean =>
          String(one[name]).startsWith(String(element[name])) &&
          needs.slice(1).every((key) => isDeepStrictEqual(one[key], element[key]))
        const { client } = await connect(protocolMode, { [method]: { [list]: elements } })
        const usable = elements.filter(isUsable).length
        expect(usable).toBeGreaterThan(100)
        expect((await get(client)).length).toBeGreaterThanOrEqual(usable)
      },
    )

    it('gets every result of a tool, a resource and a prompt', async () => {
      const calls = RESULTS.flatMap(mutationsOf)
      const [reads, gets] = [mutationsOf(CONTENTS), mutationsOf(MESSAGES)]
      const entries = [
        ['tools/list', { tools: calls.map((_, at) => ({ name: `t${at}`, inputSchema: INPUT })) }],
        [
          'resources/list',
          { resources: reads.map((_, at) => ({ uri: `mem://${at}`, name: 'r' })) },
        ],
        ['prompts/list', { prompts: gets.map((_, at) => ({ name: `p${at}` })) }],
        ...calls.map((result, at) => [`t${at}`, result]),
        ...reads.map((result, at) => [`mem://${at}`, result]),
        ...gets.map((result, at) => [`p${at}`, result]),
      ] as const
      const { client } = await connect(protocolMode, Object.fromEntries(entries) as Element)
      const wrong: string[] = []
      const check = async (result: Element | undefined, get: Promise<unknown>): Promise<void> => {
        const failure = await get.then(
          (got) =>
            /undefined|\[object/u.test(JSON.stringify(got)) ? JSON.stringify(got) : undefined,
          (error: unknown) => String(error),
        )
        if (failure !== undefined) wrong.push(`${JSON.stringify(result)}: ${failure}`)
      }
      for (const [at, result] of calls.entries())
        await check(result, client.callTool({ name: `odd__t${at}`, arguments: { q: 'x' } }))
      for (const [at, result] of reads.entries())
        await check(result, client.readResource({ uri: `mem://${at}` }))
      for (const [at, result] of gets.entries())
        await check(result, client.getPrompt({ name: `odd__p${at}` }))
      expect(wrong).toEqual([])
    })
  },
)

describe.each(PROTOCOL_MODES)('F2: an agent (%s) whose SDK validates', (protocolMode) => {
  it('gets a result that breaks its output schema as an error with its text, and the log reports it once', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const { client, id } = await connect(protocolMode, {
      'tools/list': { tools: [{ name: 'forgets', outputSchema }] },
      forgets: { content: [{ type: 'text', text: 'no number' }] },
    })
    await client.listTools()
    const notice = expect.stringContaining('Patchbay') as string
    for (let round = 0; round < 2; round += 1)
      expect(await client.callTool({ name: 'odd__forgets' })).toMatchObject({
        isError: true,
        content: [{ text: 'no number' }, { text: notice }],
      })
    expect(await gateway.logged(id, 'don’t match its output schema')).toHaveLength(1)
  })

  it('sees MCP Apps announced only if an exposed server has a page (E5)', async () => {
    const { key } = await gateway.start('whole')
    const extensions = async (): Promise<unknown> =>
      (await gateway.connect(key, protocolMode)).client.getServerCapabilities()?.extensions
    expect(await extensions()).toBeUndefined()
    const _meta = { ui: { resourceUri: 'ui://board' } }
    await gateway.addOffer('pages', new Offer({ tools: [{ name: 'board', _meta }] }))
    const announced = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    await expect.poll(extensions).toEqual(announced)
  })

  it('sees tools for views only if its app draws views (E13)', async () => {
    const ui = { resourceUri: 'ui://board' }
    const tools = [
      { name: 'board', _meta: { ui } },
      { name: 'submit', _meta: { ui: { ...ui, visibility: ['app'] } } },
    ]
    await gateway.start()
    await gateway.addOffer('pages', new Offer({ tools }))
    const { key } = await gateway.addAgent('Bob')
    const names = async (capabilities: object): Promise<string[]> => {
      const { client } = await gateway.connect(key, protocolMode, { capabilities })
      return (await client.listTools()).tools.map(({ name }) => name)
    }
    const extensions = {
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
    }
    expect(await names({ extensions })).toEqual(['pages__board', 'pages__submit'])
    expect(await names({})).toEqual(['pages__board'])
    expect(await names({ extensions })).toEqual(['pages__board', 'pages__submit'])
  })

  it('gets schemas that model APIs reject in a simplified form if its profile says so, and both kinds can be called', async () => {
    const properties = { $top: { type: 'number' }, id: { type: 'string' } }
    const inputSchema = {
      type: 'object',
      properties,
      oneOf: [{ required: ['id'] }, { required: ['name'] }],
    }
    const simplified = { _top: properties.$top, id: properties.id }
    const tools = [{ name: 'query', inputSchema }]
    await gateway.addOffer('odd', RawServer.of({ 'tools/list': { tools } }))
    const { key: simple } = await gateway.addAgent('Simple', { simplifiedSchemas: true })
    const { key: plain } = await gateway.addAgent('Plain')
    const listed = async (of: string): Promise<unknown> =>
      (await (await gateway.connect(of, protocolMode)).client.listTools()).tools[0]?.inputSchema
    expect(await listed(simple)).toEqual({ type: 'object', properties: simplified })
    expect(await listed(plain)).toEqual(inputSchema)
    const agent =
      protocolMode === 'stateless' ? gateway.stateless(simple) : await gateway.session(simple)
    const meta = protocolMode === 'stateless' ? `,"_meta":${JSON.stringify(statelessMeta())}` : ''
    const call = async (args: string): Promise<string> => {
      const params = `{"name":"odd__query","arguments":${args}${meta}}`
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
      return (await agent.send(message)).text()
    }
    // The digits of the arguments are kept, too.
    const sent = await call('{"_top":12345678901234567890.0,"id":"x"}')
    expect(sent).toContain('\\"arguments\\":{\\"$top\\":12345678901234567890.0,')
    expect(await call('{"_top":5}')).toContain('Not sent')
  })

  it('reads a shared resource at the server of its address or link, and is rejected otherwise (F5)', async () => {
    const uri = 'memo://insights'
    for (const name of ['one', 'two']) {
      const values = {
        'tools/list': { tools: [{ name: 'note', inputSchema: { type: 'object' } }] },
        'resources/list': { resources: [{ uri, name: 'insights' }] },
        'resources/read': { contents: [{ uri, text: `of ${name}` }] },
        note: { content: [{ type: 'resource_link', uri, name: 'insights' }] },
      }
      await gateway.addOffer(name, RawServer.of(values))
    }
    const { ask, call } = await gateway.connect((await gateway.start()).key, protocolMode)
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
