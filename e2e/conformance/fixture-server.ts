// The server of the server scenarios, over stdio or, with the argument "http", on a free port of 127.0.0.1, which it prints as a line. With
// sessions and stateless over HTTP, only stateless over stdio.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { serveStdio } from '@modelcontextprotocol/server/stdio'

import { conformanceServer } from './conformance-server'
import { FixtureDoor } from './fixture-listener'
import { Toggles } from './toggles'

const toggles = new Toggles()

/** A request without its body, in the SDK's form. */
function webRequest({ method = 'GET', headers }: IncomingMessage, signal: AbortSignal): Request {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Request('http://127.0.0.1/mcp', { method, headers: given, signal })
}

async function listen(): Promise<string> {
  const door = new FixtureDoor(toggles)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const left = new AbortController()
    response.once('close', () => left.abort())
    const received = webRequest(request, left.signal)
    const { status, headers, body } = await door.answer(received, Buffer.concat(parts).toString())
    response.writeHead(status, Object.fromEntries(headers)).flushHeaders()
    try {
      for await (const part of body ?? []) response.write(part)
    } finally {
      response.end()
    }
  }
  const http = createServer((request, response) => void answer(request, response))
  const { promise, resolve } = Promise.withResolvers<undefined>()
  http.listen(0, '127.0.0.1', () => {
    resolve(undefined)
  })
  await promise
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`
}

if (process.argv[2] === 'http') {
  process.stdout.write(`${await listen()}\n`)
  process.stdin.resume().once('end', () => process.exit(0))
  // Over stdio, clients would use `initialize` with a server that supports both.
} else serveStdio(() => conformanceServer(toggles), { legacy: 'reject' })
