// The gateway in front of the fixture server over stdio: prints its address as a line, and exits with its input. The suite has no keys, so
// a proxy before the gateway adds an agent's key to each request; the agent gets plain names.
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { AgentProfile } from '../../src-shared/domain/agents/agent'
import { freePort } from '../fixtures/free-port'
import { Harness } from '../fixtures/harness'

const POLL_MS = 50
const [, , fixture = ''] = process.argv
const LOCAL = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/u

const server = {
  name: 'test.conformance/fixture',
  title: 'Fixture',
  description: 'The server of the server scenarios.',
  version: '1.0.0',
  packages: [
    {
      registryType: 'cargo',
      identifier: 'node',
      version: '1.0.0',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: fixture }],
    },
  ],
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(POLL_MS)
}

/** Adds the key; a name of this computer leads to the gateway's port, any other is passed on to be rejected. */
function openDoor(gatewayPort: number, key: string): Promise<string> {
  const withPort = (value: string | undefined): string | undefined =>
    value?.replace(LOCAL, `$1$2:${String(gatewayPort)}`)
  const door = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { host, origin, ...headers } = request.headers
    const forwarded = send({
      ...{ host: '127.0.0.1', port: gatewayPort, path: request.url, method: request.method },
      setHost: false,
      headers: {
        ...headers,
        host: withPort(host),
        ...(origin !== undefined && { origin: withPort(origin) }),
        authorization: `Bearer ${key}`,
      },
    })
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  const { promise, resolve } = Promise.withResolvers<string>()
  door.listen(0, '127.0.0.1', () => {
    resolve(`http://127.0.0.1:${String((door.address() as AddressInfo).port)}/mcp`)
  })
  return promise
}

const harness = new Harness()
const port = await freePort()
await harness.call('settings.update', { gatewayPort: port, agentRate: 100_000, questionMs: 10_000 })
const installationId = await harness.install(server)
await until(async () => (await harness.view(installationId)).status.kind === 'ready')
const profile = AgentProfile.parse({ naming: 'plain' })
const { key } = await harness.call('agent.add', { name: 'Conformance', profile })
await until(async () => (await harness.call('app.snapshot', {})).agents.gateway.kind === 'open')
process.stdout.write(`${await openDoor(port, key)}\n`)
process.stdin.resume().once('end', () => {
  void harness.close().then(() => process.exit(0))
})
