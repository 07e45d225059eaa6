// After initialization, sends the requests from the JSON lines of the file argv[2], including lines added later. Appends each response
// and each client notification as a line to argv[2].received.
import { appendFileSync, readFileSync } from 'node:fs'

import { say, serveTools } from './mcp-server.mjs'

const file = process.argv[2]
let sent = 0

function ask() {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  for (const line of lines.slice(sent)) say({ id: `ask-${sent++}`, ...JSON.parse(line) })
}

const record = (message) => appendFileSync(`${file}.received`, `${JSON.stringify(message)}\n`)

serveTools([{ name: 'wait' }], {
  takesOver: (message) => {
    if (message.method === 'notifications/initialized') setInterval(ask, 50)
    else if (message.method === undefined || message.id === undefined) record(message)
    else return false
    return true
  },
})
