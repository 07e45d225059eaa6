import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { json, OlderRemote, status } from '../../../e2e/fixtures/older-remote'
import { node, Supervisors, untilKind } from '../../../e2e/fixtures/supervisors'
import type { AppError } from '../../../src-shared/domain/app-error'
import type { ProtocolFaults } from '../../../src-shared/domain/running/protocol-faults'
import type { ServerSession } from './session'

const servers = join(import.meta.dirname, '../../../e2e/servers')
/** Each way to answer of that server, see there. */
const WAYS = [
  ...['refused', 'wrong_id', 'wrong_id_first', 'text_id', 'null_id', 'twice', 'both', 'neither'],
  ...['wrong_type', 'bad_error', 'late', 'batch', 'pretty', 'colours', 'byte_order_mark', 'crlf'],
  ...['bad_utf8', 'deep', 'not_rpc', 'well'],
]

let supervisors: Supervisors
beforeEach(() => {
  supervisors = new Supervisors()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

async function open(script: string, ...args: string[]) {
  const { server } = supervisors.open({ spec: node(join(servers, script), ...args) })
  server.start()
  await expect.poll(() => server.status.kind, { timeout: 20_000 }).toMatch(/ready|degraded/u)
  const { session } = server
  if (!session) throw new Error('There is no session.')
  return { server, session }
}

type Asked = (session: ServerSession, name: string) => Promise<unknown>
/** Ways that leave the call without an answer, or answer it after 1.2 s. */
const SILENT = ['wrong_id', 'late', 'pretty']
const limitOf = (name: string) => (SILENT.includes(name) ? { timeoutMs: 400 } : {})
const asParsed: Asked = (session, name) =>
  session.request('tools/call', { name, arguments: {} }, limitOf(name))
const asText: Asked = async (session, name) => {
  const { text } = await session.requestText('tools/call', { name, arguments: {} }, limitOf(name))
  return JSON.parse(text.toString()) as unknown
}

describe('B3 a request whose result is text', () => {
  it.each(WAYS)('has the outcome of any other, of a server that answers: %s', async (way) => {
    const seen: { outcome: unknown; faults: ProtocolFaults }[] = []
    for (const ask of [asParsed, asText]) {
      const { server, session } = await open('answers.mjs')
      const outcome = await ask(session, way).catch((error: unknown) => {
        const { code, message } = error as AppError
        return `${code} ${message}`
      })
      // Whatever comes late or twice is there by then.
      if (way === 'late') await expect.poll(() => server.faults.lateAnswers).toBe(1)
      await asParsed(session, 'well')
      seen.push({ outcome, faults: server.faults })
    }
    expect(seen[1]).toEqual(seen[0])
  })

  it('meets no other request of the same time', async () => {
    const { session } = await open('plain.mjs')
    const ask = async (n: number): Promise<unknown> => {
      const params = { name: 'echo', arguments: { n } }
      const isText = n % 2 === 0
      const parsed: unknown = isText
        ? JSON.parse((await session.requestText('tools/call', params)).text.toString())
        : await session.request('tools/call', params)
      return (parsed as { content: [{ text: string }] }).content[0].text
    }
    const numbers = Array.from({ length: 400 }, (_, n) => n)
    expect(await Promise.all(numbers.map(ask))).toEqual(numbers.map((n) => `{"n":${n}}`))
    expect(session.inFlight).toBe(0)
  })

  it('gets the text of a stateless server too', async () => {
    const { session } = await open('modern.mjs', 'only')
    const params = { name: 'pid', arguments: {} }
    const { text, result } = await session.requestText('tools/call', params)
    expect(session.era).toBe('modern')
    expect(JSON.parse(text.toString())).toEqual(result)
    expect(result).toEqual(await session.request('tools/call', params))
  })

  it('fails with how the server ended once that is gone', async () => {
    const { server, session } = await open('plain.mjs')
    await server.stop()
    const asked = session.requestText('tools/call', { name: 'echo' })
    await expect(asked).rejects.toMatchObject({ code: 'SERVER_EXITED' })
    await untilKind(server, 'stopped')
  })
})

describe('F6 the digits of a result', () => {
  const params = { name: 'big', arguments: {} }
  const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
  /** A result as its server writes it; the type of a result belongs to the stateless protocol alone. */
  const written = (isStateless: boolean): string =>
    `{${isStateless ? '"resultType":"complete",' : ''}"content": [], "n": 9007199254740993.0}`
  const TEXT = '{"content": [], "n": 9007199254740993.0}'

  it.each([false, true])('are kept over pipes, stateless: %s', async (isStateless) => {
    const code = `
      const say = (id, text) => console.log('{"jsonrpc":"2.0","id":' + id + ',' + text + '}')
      const ok = (id, result) => say(id, '"result":' + JSON.stringify(result))
      const no = (id) => say(id, '"error":{"code":-32601,"message":"Method not found"}')
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line)
        if (id === undefined) return
        if (method === 'initialize' && ${String(!isStateless)}) ok(id, { capabilities: { tools: {} },
          protocolVersion: params.protocolVersion, serverInfo: { name: 'big', version: '1' } })
        else if (method === 'server/discover') ok(id, ${JSON.stringify(DISCOVERED)})
        else if (method === 'tools/list') ok(id, { tools: [] })
        else if (method === 'tools/call') say(id, '"result":' + ${JSON.stringify(written(isStateless))})
        else no(id)
      })`
    const { server } = supervisors.open({ spec: node('-e', code) })
    server.start()
    await untilKind(server, 'ready')
    const answer = await server.session?.requestText('tools/call', params)
    expect([server.session?.era, String(answer?.text)]).toEqual([
      isStateless ? 'modern' : 'legacy',
      TEXT,
    ])
  })

  it.each([
    ['JSON', false],
    ['JSON', true],
    ['events', false],
    ['events', true],
  ])('are kept over HTTP as %s, stateless: %s', async (form, isStateless) => {
    await using remote = await OlderRemote.open()
    if (isStateless)
      remote.answers['server/discover'] = (response, id) =>
        json({ jsonrpc: '2.0', id, result: DISCOVERED })(response, id)
    remote.answers['tools/call'] = (response, id) => {
      const text = `{"jsonrpc":"2.0","id":${String(id)},"result":${written(isStateless)}}`
      if (form === 'JSON') status(200, text, 'application/json')(response, id)
      else status(200, `data: ${text}\n\n`, 'text/event-stream')(response, id)
    }
    const { server } = supervisors.open({ remote: { url: remote.url } })
    server.start()
    await untilKind(server, 'ready')
    const answer = await server.session?.requestText('tools/call', params)
    expect([server.session?.era, String(answer?.text)]).toEqual([
      isStateless ? 'modern' : 'legacy',
      TEXT,
    ])
  })
})
