// A server of the era since 2026-07-28 over stdio whose list of tools says that it holds for as many milliseconds as
// its first argument says; its only tool is named after how many listings came. With "tells" as the second argument it
// declares that it tells of changes.
import { createInterface } from 'node:readline'

import { say } from './mcp-server.mjs'

const [, , ttlMs, tells] = process.argv
const VERSION = '2026-07-28'
let listings = 0

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined || method === 'subscriptions/listen') return
  say({ id, ...answer(method) })
})

function answer(method) {
  if (method === 'server/discover') {
    const capabilities = { tools: { listChanged: tells === 'tells' } }
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'holds', version: '1.0.0' } }
    const held = { ttlMs: 0, cacheScope: 'private' }
    return {
      result: {
        resultType: 'complete',
        supportedVersions: [VERSION],
        capabilities,
        _meta,
        ...held,
      },
    }
  }
  if (method !== 'tools/list') return { error: { code: -32601, message: 'Method not found' } }
  listings += 1
  const tools = [{ name: `listing-${listings}`, inputSchema: { type: 'object' } }]
  return { result: { resultType: 'complete', tools, ttlMs: Number(ttlMs), cacheScope: 'private' } }
}
