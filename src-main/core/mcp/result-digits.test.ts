import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { json, OlderRemote, status } from '../../../e2e/fixtures/older-remote'
import { node, Supervisors, untilKind } from '../../../e2e/fixtures/supervisors'

let supervisors: Supervisors
beforeEach(() => {
  supervisors = new Supervisors()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

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
