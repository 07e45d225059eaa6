// A registry of API v0.1 that serves prepared pages from a file: {full: string[], increment: string[]}, each with a page's entries as JSON
// text. `@@ROUND@@` in an increment becomes its number, so that each has something new. Prints its port as the first line.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { full, increment } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
let round = 0

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost')
  const isIncrement = searchParams.has('updated_since')
  const pages = isIncrement ? increment : full
  const page = Number(searchParams.get('cursor') ?? 0)
  if (isIncrement && page === 0) round += 1
  const entries = isIncrement ? pages[page].replaceAll('@@ROUND@@', String(round)) : pages[page]
  const cursor = page + 1 < pages.length ? `,"nextCursor":"${page + 1}"` : ''
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(`{"servers":${entries},"metadata":{"count":100${cursor}}}`)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
