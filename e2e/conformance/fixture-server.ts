// The server of the server scenarios, over stdio or, with the argument "http", on a free port of 127.0.0.1, which it then
// writes as a line. Both eras over HTTP, the newer one alone over stdio.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { serveStdio } from '@modelcontextprotocol/server/stdio'

import { WebExchange } from '../../src-main/core/gateway/protocol/requests/web-exchange'
import { conformanceServer } from './conformance-server'
import { FixtureDoor } from './fixture-door'
import { Toggles } from './toggles'

const toggles = new Toggles()

async function listen(): Promise<string> {
  const door = new FixtureDoor(toggles)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const exchange = new WebExchange(request, response)
    await exchange.answer(await door.answer(exchange.request, Buffer.concat(parts).toString()))
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
  // Over stdio a server of both eras would be spoken to by `initialize`.
} else serveStdio(() => conformanceServer(toggles), { legacy: 'reject' })
