import { isDeepStrictEqual } from 'node:util'

import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { AgentBench, ERAS } from '../../../../e2e/fixtures/agent-bench'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { untilServing } from '../../../../e2e/fixtures/tool-desk'

type Path = readonly (string | number)[]
type Element = Readonly<Record<string, unknown>>

/** What stands in the place of each member, one after the other; undefined removes it. */
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
  /** Members that an element can't be listed without. */
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

/** The element with another value at each of its places in turn. */
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

const bench = new AgentBench()
beforeEach(async () => {
  await bench.open({ agentRate: 100_000, toolCap: 2_000 })
})
afterEach(() => bench.close())

/** An agent whose SDK validates all that it gets, before a server that answers with these values. */
async function connect(era: (typeof ERAS)[number], values: Element) {
  const raw = RawServer.of(values)
  onTestFinished(() => raw.close())
  const id = await bench.desk.install(raw.server, { name: 'odd' })
  await untilServing(bench.desk, id)
  const { key } = await bench.addAgent('Anna', { toolCap: 2_000 })
  return bench.connect(key, era)
}

describe.each(ERAS)('F1 F2 with any member of an answer wrong, an agent of the %s era', (era) => {
  it.each(LISTS)(
    'gets $method, where only an element without a usable name or schema is missing',
    async ({ list, method, element, needs, get }) => {
      const [name] = needs
      const elements = mutationsOf(element).map((one, at) => {
        return one[name] === element[name] ? { ...one, [name]: `${String(one[name])}${at}` } : one
      })
      const isUsable = (one: Element): boolean =>
        String(one[name]).startsWith(String(element[name])) &&
        needs.slice(1).every((key) => isDeepStrictEqual(one[key], element[key]))
      const { client } = await connect(era, { [method]: { [list]: elements } })
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
      ['resources/list', { resources: reads.map((_, at) => ({ uri: `mem://${at}`, name: 'r' })) }],
      ['prompts/list', { prompts: gets.map((_, at) => ({ name: `p${at}` })) }],
      ...calls.map((result, at) => [`t${at}`, result]),
      ...reads.map((result, at) => [`mem://${at}`, result]),
      ...gets.map((result, at) => [`p${at}`, result]),
    ] as const
    const { client } = await connect(era, Object.fromEntries(entries) as Element)
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
})

describe('F7 a request in a session', () => {
  it.each([
    ['is nested too deeply', 400, -32_600, 'Nested deeper than 512 levels.'],
    ['subscribes to an unknown resource', 200, -32_002, 'Resource not found'],
  ])('that %s is refused by its ID with the reason', async (what, status, code, words) => {
    const { key } = await bench.addAgent('Anna')
    const { send } = await bench.session(key)
    const levels = 600
    const deep = `{"name":"a","arguments":${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}}`
    const [method, params] = what.startsWith('is nested')
      ? ['tools/call', deep]
      : ['resources/subscribe', '{"uri":"mem://none"}']
    const answer = await send(`{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`)
    const error = { code, message: expect.stringContaining(words) as string }
    expect([answer.status, await answer.json()]).toMatchObject([status, { id: 7, error }])
  })
})
