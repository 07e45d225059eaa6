// From its start, writes argv[3] lines to stderr, argv[2] a second; the last one is "torrent over". It works meanwhile.
import { serveTools } from './mcp-server.mjs'

const TICK_MS = 10
const [rate, total] = process.argv.slice(2).map(Number)
const levels = ['INFO', 'INFO', 'DEBUG', 'INFO', 'WARN', 'INFO', 'INFO', 'ERROR']
const lineOf = (number) =>
  `2026-01-01T00:00:00Z ${levels[number % 8]} worker-${number % 7} request ${number} took ${number % 31} ms for /api/items/${number % 1_009}\n`

let written = 0
let isWaiting = false
const begin = performance.now()
const timer = setInterval(() => {
  if (isWaiting) return
  const due = Math.min(total, Math.floor(((performance.now() - begin) * rate) / 1_000))
  let text = ''
  while (written < due) text += lineOf((written += 1))
  if (written >= total) {
    clearInterval(timer)
    text += 'torrent over\n'
  }
  if (text === '') return
  isWaiting = true
  process.stderr.write(text, () => (isWaiting = false))
}, TICK_MS)
serveTools([{ name: 'count', call: () => written }])
