import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import * as z from 'zod'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import type { AgentMode, GatewayHarness } from '../fixtures/gateway-harness'

/** A server as a local program. */
export type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export type Request = { readonly method: string; readonly params?: JsonObject }

/** A client's outcome: a result, an error, or nothing in time. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code?: unknown; readonly message: string } }
  | 'nothing'

/** A client's route to the server. */
export type Route = {
  readonly name: string
  readonly ask: (request: Request) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/** Time limit of a client, in ms. */
const ANSWER_MS = 5_000
const Whatever = z.record(z.string(), z.unknown())
/** Members of every result in MCP 2026-07-28. */
const OF_VERSION = ['resultType', 'ttlMs', 'cacheScope']

/** The official TypeScript client, directly at the server; undefined if it can't connect. */
export async function directRoute({ command, args, env }: Program): Promise<Route | undefined> {
  const client = new Client({ name: 'direct', version: '1' })
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], stderr: 'ignore' },
    env: { ...(process.env as Record<string, string>), ...env },
  })
  try {
    await client.connect(transport, { timeout: ANSWER_MS })
  } catch {
    await client.close()
    return undefined
  }
  return routeOf('direct', client)
}

/** The same client at the gateway, where the server is named `alias`. */
export async function gatewayRoute(
  bench: GatewayHarness,
  key: string,
  protocolMode: AgentMode,
  alias: string,
): Promise<Route> {
  const { client } = await bench.connect(key, protocolMode)
  const route = routeOf(`gateway ${protocolMode}`, client)
  return {
    ...route,
    ask: async (request) => fromGateway(await route.ask(forGateway(request, alias)), alias),
  }
}

function routeOf(name: string, client: Client): Route {
  return {
    name,
    ask: async ({ method, params = {} }) => {
      try {
        const asking = client.request({ method, params } as never, Whatever, { timeout: ANSWER_MS })
        return { result: await asking }
      } catch (error) {
        const { code, message } = error as { code?: unknown; message: string }
        return code === 'REQUEST_TIMEOUT' || /timed out/iu.test(message)
          ? 'nothing'
          : { error: { code, message } }
      }
    },
    close: () => client.close(),
  }
}

/** A request with the gateway's names. */
export function forGateway({ method, params = {} }: Request, alias: string): Request {
  const { name, ref } = params
  const named = (one: unknown): unknown => (typeof one === 'string' ? `${alias}__${one}` : one)
  if (isJsonObject(ref) && ref.type === 'ref/prompt')
    return { method, params: { ...params, ref: { ...ref, name: named(ref.name) } } }
  return method === 'tools/call' || method === 'prompts/get'
    ? { method, params: { ...params, name: named(name) } }
    : { method, params }
}

/** An outcome with the server's own names. */
export function fromGateway(outcome: Outcome, alias: string): Outcome {
  if (outcome === 'nothing' || !('result' in outcome) || !isJsonObject(outcome.result))
    return outcome
  const { result } = outcome
  const own = (one: unknown): unknown => {
    if (!isJsonObject(one) || typeof one.name !== 'string') return one
    const prefix = `${alias}__`
    return one.name.startsWith(prefix) ? { ...one, name: one.name.slice(prefix.length) } : one
  }
  const lists = ['tools', 'prompts'].flatMap((key) => {
    const list = result[key]
    return Array.isArray(list) ? [[key, list.map(own)] as const] : []
  })
  return { result: { ...result, ...Object.fromEntries(lists) } }
}

/**
 * The list of a server that depends on its client's capabilities: without elements listed only for Patchbay, and without those that MCP
 * 2026-07-28 removed.
 */
export function likeDirect(outcome: Outcome, direct: Outcome | undefined): Outcome {
  const [ours, theirs] = [outcome, direct].map((one) =>
    one !== undefined && one !== 'nothing' && 'result' in one && isJsonObject(one.result)
      ? one.result
      : {},
  )
  const { tools } = ours ?? {}
  const listed = theirs?.tools
  if (!Array.isArray(tools) || !Array.isArray(listed)) return outcome
  const known = new Map((listed as JsonObject[]).map((one) => [one.name, one]))
  const kept = (tools as JsonObject[]).flatMap((one) => {
    const own = known.get(one.name)
    return own ? [{ ...(own.execution !== undefined && { execution: own.execution }), ...one }] : []
  })
  return { result: { ...ours, tools: kept } }
}

/** A comparable outcome: JSON with sorted members, without additions of a protocol version or the gateway. */
export function comparable(outcome: Outcome): unknown {
  if (outcome === 'nothing') return outcome
  if ('error' in outcome) {
    const { code, message } = outcome.error
    // Clients put the code before the message.
    return { error: { code, message: message.replace(/^MCP error -?\d+: /u, '') } }
  }
  const { result } = outcome
  if (!isJsonObject(result)) return { result }
  const kept = Object.entries(result).filter(
    ([name, value]) => !OF_VERSION.includes(name) && !(name === '_meta' && isOfProtocol(value)),
  )
  return { result: withoutNulls(Object.fromEntries(kept)) }
}

function isOfProtocol(meta: unknown): boolean {
  return (
    meta === null ||
    (isJsonObject(meta) &&
      Object.keys(meta).every((key) => key.startsWith('io.modelcontextprotocol/')))
  )
}

/** Sorted, without null, which means an absent member; in structured content it is a value. */
function withoutNulls(value: unknown, keepsNull = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, keepsNull))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => keepsNull || one !== null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, withoutNulls(one, keepsNull || key === 'structuredContent')]),
  )
}
