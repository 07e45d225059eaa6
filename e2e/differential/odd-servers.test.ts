import { execFileSync } from 'node:child_process'

import { afterEach, describe, expect, it } from 'vitest'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import { fixtureServer } from '../fixtures/fixture-server'
import { GatewayHarness, PROTOCOL_MODES } from '../fixtures/gateway-harness'
import { serverFile } from '../fixtures/home-with-apps'
import {
  comparable,
  directRoute,
  gatewayRoute,
  type Outcome,
  type Request,
  type Route,
} from './routes'

const program = serverFile('odd')
const WAYS = JSON.parse(
  execFileSync(process.execPath, [program, '--ways'], { encoding: 'utf8' }),
) as [way: string, args: JsonObject][]

/** Intended differences: by server variant, the requests and the reason. One that no longer differs must be removed. */
const MEANT: Readonly<Record<string, readonly [requests: readonly string[], why: string]>> = {
  'an empty cursor': [['tools/list'], 'the gateway lists all on one page'],
  'three pages': [['tools/list'], 'the gateway lists all on one page'],
  'odd names': [['tools/list'], 'names fit the app (F11)'],
  'odd schemas': [['tools/call union'], 'arguments are validated (C11)'],
  'half a character': [['tools/call echo'], 'lone surrogates become U+FFFD (F6)'],
  'empty results': [
    ['blank', 'nothing', 'two', 'error', 'structured'].map((name) => `tools/call ${name}`),
    'results have something to read',
  ],
  'types of images': [
    ['upper', 'parameter', 'octets', 'jpeg'].map((name) => `tools/call ${name}`),
    'types are those of the bytes',
  ],
  'output that breaks its schema': [['tools/call echo'], 'only its text passes (F6)'],
}

const bench = new GatewayHarness()
afterEach(() => bench.close())

type Answer = { readonly request: string; readonly outcome: Outcome | undefined }

function toolNames({ outcome }: Answer): string[] {
  const result =
    outcome !== undefined && outcome !== 'nothing' && 'result' in outcome ? outcome.result : {}
  const tools: unknown = isJsonObject(result) ? result.tools : []
  return (Array.isArray(tools) ? (tools as JsonObject[]) : []).map(({ name }) => String(name))
}

/** The tool list, and a call of each in order. */
async function askAll(route: Route, args: JsonObject): Promise<Answer[]> {
  const list = { request: 'tools/list', outcome: await route.ask({ method: 'tools/list' }) }
  const calls = toolNames(list).map(async (name): Promise<Answer> => {
    const request: Request = { method: 'tools/call', params: { name, arguments: args } }
    return { request: `tools/call ${name}`, outcome: await route.ask(request) }
  })
  return [list, ...(await Promise.all(calls))]
}

describe('F16: an odd server, directly and through the gateway', () => {
  it.each(WAYS)('gives the same answer, or one where it gave none: %s', async (way, args) => {
    await bench.open()
    const server = fixtureServer('odd.mjs', { args: [way] })
    const id = await bench.harness.install(server, { name: 'odd', budgets: { callMs: 3_000 } })
    await expect.poll(async () => (await bench.harness.view(id)).counts.tools).toBeGreaterThan(0)
    const { key } = await bench.addAgent('Anna')
    const direct = await directRoute({ command: process.execPath, args: [program, way] })
    const own = direct ? await askAll(direct, args) : []
    await direct?.close()
    for (const protocolMode of PROTOCOL_MODES) {
      const through = await gatewayRoute(bench, key, protocolMode, 'odd')
      const ours = await askAll(through, args)
      await through.close()
      const different = ours.flatMap(({ request, outcome }, at) => {
        const before = own[at]?.outcome ?? 'nothing'
        // A message that the client couldn't read is repaired, or fails with an explanation.
        if (before === 'nothing') return outcome === 'nothing' ? [`${request}: nothing`] : []
        const [a, b] = [before, outcome ?? 'nothing'].map((one) => JSON.stringify(comparable(one)))
        return a === b ? [] : [`${request}: directly ${a ?? ''}, here ${b ?? ''}`]
      })
      const [meant = []] = MEANT[way] ?? []
      expect(
        different.filter((one) => !meant.some((request) => one.startsWith(`${request}:`))),
      ).toEqual([])
      expect(different).toHaveLength(meant.length)
    }
  })
})
