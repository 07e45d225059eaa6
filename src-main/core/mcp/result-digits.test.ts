import { describe, expect, it } from 'vitest'

import { type Answer, json, status } from '../../../e2e/fixtures/older-remote'
import { started, startedRemote, type Supervised } from '../../../e2e/fixtures/supervised'
import { node } from '../../../e2e/fixtures/supervisors'

const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
const TEXT = '{"content": [], "n": 9007199254740993.0}'
/** A result as its server writes it; the type of a result belongs to the stateless protocol alone. */
const written = (isStateless: boolean): string =>
  `{${isStateless ? '"resultType":"complete",' : ''}${TEXT.slice(1)}`

async function resultOf({ server }: Supervised): Promise<unknown[]> {
  const result = await server.session?.requestText('tools/call', { name: 'big', arguments: {} })
  return [server.session?.era, String(result?.text)]
}

describe.each([
  [false, 'legacy'],
  [true, 'modern'],
])('F6 the digits of a result, stateless: %s', (isStateless, era) => {
  it('are kept over pipes', async () => {
    const code = `
      const say = (id, text) => console.log('{"jsonrpc":"2.0","id":' + id + ',' + text + '}')
      const ok = (id, result) => say(id, '"result":' + JSON.stringify(result))
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line)
        if (id === undefined) return
        if (method === 'initialize' && ${String(!isStateless)}) ok(id, { capabilities: { tools: {} },
          protocolVersion: params.protocolVersion, serverInfo: { name: 'big', version: '1' } })
        else if (method === 'server/discover') ok(id, ${JSON.stringify(DISCOVERED)})
        else if (method === 'tools/list') ok(id, { tools: [] })
        else if (method === 'tools/call') say(id, '"result":' + ${JSON.stringify(written(isStateless))})
        else say(id, '"error":{"code":-32601,"message":"Method not found"}')
      })`
    expect(await resultOf(await started({ spec: node('-e', code) }))).toEqual([era, TEXT])
  })

  it.each(['JSON', 'events'])('are kept over HTTP as %s', async (form) => {
    const discovered: Answer = (response, id) =>
      json({ jsonrpc: '2.0', id, result: DISCOVERED })(response, id)
    const called: Answer = (response, id) => {
      const text = `{"jsonrpc":"2.0","id":${String(id)},"result":${written(isStateless)}}`
      if (form === 'JSON') status(200, text, 'application/json')(response, id)
      else status(200, `data: ${text}\n\n`, 'text/event-stream')(response, id)
    }
    const discover = isStateless && { 'server/discover': discovered }
    const opened = await startedRemote({ 'tools/call': called, ...discover })
    expect(await resultOf(opened)).toEqual([era, TEXT])
  })
})
