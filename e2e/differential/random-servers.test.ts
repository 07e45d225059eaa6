import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

import { exactJson, isRawJson, mayLoseDigits } from '../../src-main/core/mcp/json/exact-json'
import { isJsonObject } from '../../src-shared/domain/json-object'
import { GatewayHarness, messagesOf, PROTOCOL_MODES } from '../fixtures/gateway-harness'
import { serverFile } from '../fixtures/home-with-apps'

const PNG = 'iVBORw0KGgo='
const RUNS = 60

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('1.0', '0.50', '1e3', '-0.0', '9007199254740993', '1234567890123456789'),
  fc.constantFrom('12345678901234567890', '0.10000000000000000555', '9223372036854775807'),
)
const stringText = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('a\nb\tc', '\u0000\u2028'))
  .map((text) => JSON.stringify(text))
const keyText = fc
  .oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), fc.constantFrom('a', 'b'))
  .filter((key) => key !== '__proto__')

/** JSON values as text, so that digits are those of a server in any language. */
const { json: anyJson } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('true', 'false', '""', '[]', '{}'),
    numberText,
    stringText,
    fc.array(tie('json'), { maxLength: 3 }).map((all) => `[${all.join()}]`),
    objectOf(tie('json')),
  ),
}))
const anyObject = objectOf(anyJson)

function objectOf(json: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.tuple(keyText, json), { maxLength: 3, selector: ([key]) => key })
    .map((all) => `{${all.map(([key, one]) => `${JSON.stringify(key)}:${one}`).join()}}`)
}

const decorated = (members: string): fc.Arbitrary<string> =>
  fc.option(anyObject, { nil: undefined }).map((meta) => {
    return meta === undefined ? `{${members}}` : `{${members},"_meta":${meta}}`
  })
const words = stringText.filter((text) => (JSON.parse(text) as string).trim() !== '')
const block = fc.oneof(
  words.chain((text) => decorated(`"type":"text","text":${text}`)),
  decorated(`"type":"image","mimeType":"image/png","data":"${PNG}"`),
  decorated('"type":"resource_link","uri":"memo://a","name":"a","size":12.0'),
  words.map((text) => `{"type":"resource","resource":{"uri":"memo://b","text":${text}}}`),
  words.map((text) => `{"type":"text","text":${text},"annotations":{"priority":1.0}}`),
)
/** A valid tool result with something to read. */
const toolResult = fc
  .record({
    content: fc.array(block, { minLength: 1, maxLength: 3 }),
    more: fc.array(
      fc.oneof(
        anyObject.map((one) => `"structuredContent":${one}`),
        fc.constantFrom('"isError":true', '"isError":false'),
        anyObject.map((one) => `"_meta":${one}`),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ content, more }) => {
    const members = new Map(more.map((one) => [one.slice(0, one.indexOf(':')), one]))
    return `{${[`"content":[${content.join()}]`, ...members.values()].join()}}`
  })
/** A valid input schema with numbers everywhere. */
const inputSchema = fc
  .record({ value: numberText, limit: numberText, other: anyJson })
  .map(
    ({ value, limit, other }) =>
      `{"type":"object","properties":{"id":{"type":"integer","enum":[${value}],"default":${value},"maximum":${limit}},"b":{"description":"b","default":${other}}}}`,
  )

/** Tools, their results, and list texts, generated once for the file. */
const SERVER = fc
  .sample(
    fc.array(fc.record({ result: toolResult, schema: inputSchema, meta: anyObject }), {
      minLength: RUNS,
      maxLength: RUNS,
    }),
    { numRuns: 1 },
  )
  .flat()

const names = SERVER.map((_, index) => `t${String(index)}`)
const RESULTS: Readonly<Record<string, string>> = Object.fromEntries([
  ...SERVER.map(({ result }, index) => [`t${String(index)}`, result] as const),
  [
    'p',
    '{"messages":[{"role":"user","content":{"type":"text","text":"n 1.0"}}],"_meta":{"n":1.50}}',
  ],
  ['memo://r', '{"contents":[{"uri":"memo://r","text":"r","_meta":{"n":12345678901234567890}}]}'],
])
const FILE = {
  lists: {
    'tools/list': `{"tools":[${SERVER.map(
      ({ schema, meta }, index) =>
        `{"name":"t${String(index)}","description":"d","inputSchema":${schema},"_meta":${meta}}`,
    ).join()}]}`,
    'prompts/list': '{"prompts":[{"name":"p","_meta":{"n":12345678901234567890}}]}',
    'resources/list':
      '{"resources":[{"uri":"memo://r","name":"r","size":7,"_meta":{"n":9007199254740993}}]}',
  },
  results: RESULTS,
}

const folder = mkdtempSync(join(tmpdir(), 'patchbay-differential-'))
const path = join(folder, 'server.json')
const bench = new GatewayHarness()
let opened: Promise<{ readonly key: string; readonly direct: Client }> | undefined

/** The server twice, for all tests: behind the gateway with an agent's key, and with its own client. */
function both(): NonNullable<typeof opened> {
  return (opened ??= (async () => {
    writeFileSync(path, JSON.stringify(FILE))
    await bench.open()
    await bench.addServer('raw', 'raw-results.mjs', [path])
    const { key } = await bench.addAgent('Anna', { toolCap: 1_000 })
    const direct = new Client({ name: 'direct', version: '1' })
    const args = [serverFile('raw-results'), path]
    await direct.connect(new StdioClientTransport({ command: process.execPath, args }))
    return { key, direct }
  })())
}

afterAll(async () => {
  await (await opened)?.direct.close()
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

/** JSON with sorted members and exact numbers, without top-level members and metadata that a protocol version adds. */
function canonical(text: string, added: readonly string[] = []): string {
  const sorted = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1))
    if (isRawJson(value)) {
      const digits = JSON.stringify(value)
      return mayLoseDigits(digits) ? value : Number(digits)
    }
    if (!isJsonObject(value)) return value
    const members = Object.entries(value)
      .filter(([name]) => !added.includes(name) && !name.startsWith('io.modelcontextprotocol/'))
      .filter(([name, one]) => depth > 0 || name !== '_meta' || !isAdded(one))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(members.map(([name, one]) => [name, sorted(one, depth + 1)]))
  }
  return JSON.stringify(sorted(exactJson(text), 0))
}

/** Whether metadata only contains the gateway's own entries. */
function isAdded(meta: unknown): boolean {
  return isJsonObject(meta) && Object.keys(meta).every((key) => key.startsWith('io.model'))
}

/** The result in the gateway's response, as text. */
function resultText(answer: string): string {
  const line = answer.startsWith('{')
    ? answer
    : (answer.split('\n').findLast((one) => one.startsWith('data: ')) ?? '').slice(6)
  return JSON.stringify((exactJson(line) as { readonly result?: unknown }).result)
}

describe('F16: a random server, directly and through the gateway', () => {
  it('gives the same results of tools, prompts and resources, with every digit', async () => {
    const { key } = await both()
    const agent = await bench.session(key)
    const stateless = bench.stateless(key)
    const requests = [
      ...names.map((name) => ({
        method: 'tools/call',
        params: { name: `raw__${name}`, arguments: {} },
        own: name,
      })),
      { method: 'prompts/get', params: { name: 'raw__p' }, own: 'p' },
      { method: 'resources/read', params: { uri: 'memo://r' }, own: 'memo://r' },
    ]
    for (const [id, { own, ...request }] of requests.entries()) {
      const given = RESULTS[own] ?? ''
      const older = await (await agent.send({ id, ...request })).text()
      expect(canonical(resultText(older)), given).toBe(canonical(given))
      const newer = await (await stateless.send({ id, ...request })).text()
      const added = ['resultType', 'ttlMs', 'cacheScope']
      expect(canonical(resultText(newer), added), given).toBe(canonical(given, added))
    }
  })

  it('lists the same elements except for names, with every digit', async () => {
    const { key } = await both()
    const agent = await bench.session(key)
    for (const [method, text] of Object.entries(FILE.lists)) {
      const listed = await (await agent.send({ id: 1, method })).text()
      expect(canonical(resultText(listed), ['name'])).toBe(canonical(text, ['name']))
    }
  })

  it.each(PROTOCOL_MODES)("is the same for the official SDK's client: %s", async (protocolMode) => {
    const { key, direct } = await both()
    const agent = await bench.connect(key, protocolMode)
    const written = (list: object): string => canonical(JSON.stringify(list), ['name'])
    expect(written((await agent.client.listTools()).tools)).toBe(
      written((await direct.listTools()).tools),
    )
    for (const name of names.slice(0, 20)) {
      const result = JSON.stringify(await agent.call(`raw__${name}`))
      const own = JSON.stringify(await direct.callTool({ name, arguments: {} }))
      expect(canonical(result, ['resultType'])).toBe(canonical(own, ['resultType']))
    }
    const answers = await bench.session(key)
    const [unknown] = await messagesOf(
      await answers.send({ id: 7, method: 'tools/call', params: { name: 'nothing' } }),
    )
    expect(unknown).toMatchObject({ id: 7, error: { code: -32_602 } })
  })
})
