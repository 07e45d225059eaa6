// Returns the length of a call's text, and results as large as a call requests.
import { serveTools } from './mcp-server.mjs'

const MEGABYTE = 'm'.repeat(1024 * 1024)

/** Piece by piece, so that this process stays small; the id comes first or last. */
function answerLarge(id, { megabytes, idLast }) {
  process.stdout.write(
    `{"jsonrpc":"2.0",${idLast ? '' : `"id":${id},`}"result":{"content":[{"type":"text","text":"`,
  )
  for (let written = 0; written < megabytes; written += 1) process.stdout.write(MEGABYTE)
  process.stdout.write(`"}]}${idLast ? `,"id":${id}` : ''}}\n`)
}

serveTools([{ name: 'measure', call: ({ text = '' }) => text.length }, { name: 'large' }], {
  takesOver: ({ id, method, params }) => {
    if (method !== 'tools/call' || params.name !== 'large') return false
    answerLarge(id, params.arguments)
    return true
  },
})
