// Writes argv[2] lines of 100 bytes that are no messages to stdout before it reads its first request, and as many before each response
// to a call.
import { serveTools } from './mcp-server.mjs'

const LINES_A_BLOCK = 1_000
const count = Number(process.argv[2])
const block = `${'noise '.repeat(16)}abc\n`.repeat(LINES_A_BLOCK)
const makeNoise = () => {
  for (let line = 0; line < count; line += LINES_A_BLOCK) process.stdout.write(block)
  return 'heard'
}
makeNoise()
serveTools([{ name: 'say', call: makeNoise }])
