import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'
import { beforeEach, describe, expect, it } from 'vitest'

import { freePort } from '../../../e2e/fixtures/free-port'
import { PROFILE } from '../../../e2e/fixtures/gateway-door'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { systemTime } from '../lifecycle/system-time'
import { bindLoopback } from '../listener/bind-loopback'
import { memoryBackend } from '../secrets/memory-backend'
import { AgentStore } from './agents/agent-store'
import { Gateway } from './gateway'
import { GatewayListener } from './gateway-listener'

let folder: string
let agents: AgentStore
let port: number
let opened: number[]
let moved: string[]
let troubles: (string | undefined)[]

beforeEach(async () => {
  folder = tempFolder('gateway')
  ;[port, opened, moved, troubles] = [await freePort(), [], [], []]
  agents = new AgentStore({
    file: join(folder, 'agents.json'),
    secrets: memoryBackend(),
    clock: systemTime,
    onLost: () => undefined,
    onKeyLeft: () => undefined,
  })
})

const addressFile = (): string => join(folder, 'gateway.json')

function openGateway(platform = process.platform): { gateway: Gateway; kinds: string[] } {
  const gateway = new Gateway({
    agents,
    port: () => port,
    addressFile: addressFile(),
    platform,
    open: (wanted) => {
      opened.push(wanted)
      return GatewayListener.open({
        port: wanted,
        byKey: (key) => agents.byKey(key),
        find: (agentId) => agents.find(agentId),
        endpoint: { serve: ({ response }) => void response.end('{}') },
        limits: () => ({ agentCalls: 64, agentRate: 60_000, maxMessageMb: 1 }),
        time: systemTime,
        onUse: () => undefined,
        onConnections: () => undefined,
        onFault: () => undefined,
      })
    },
    onMoved: (url) => moved.push(url),
    onTrouble: (message) => troubles.push(message),
  })
  const kinds: string[] = []
  gateway.onDidChange(() => kinds.push(gateway.status.kind))
  onTestFinished(() => gateway.close())
  return { gateway, kinds }
}

async function takePort(): Promise<Server> {
  const server = createServer()
  await bindLoopback(server, port, () => undefined)
  onTestFinished(() => void server.close())
  return server
}

async function ask(key: string, at = port): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${String(at)}/mcp`
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status
}

describe('D6 the gateway', () => {
  it('is off until the first agent, and off again after the last', async () => {
    const { gateway, kinds } = openGateway()
    gateway.follow()
    expect(gateway.status).toEqual({ kind: 'off' })
    await expect(ask('x')).rejects.toThrow()
    const { key } = await agents.add('Anna', PROFILE)
    await expect.poll(() => gateway.status.kind).toBe('open')
    const url = `http://127.0.0.1:${String(port)}/mcp`
    expect(gateway.status).toEqual({ kind: 'open', url, port })
    expect(await ask(key)).toBe(200)
    await agents.add('Bert', PROFILE)
    await agents.remove('anna')
    expect(await ask(key)).toBe(401)
    await agents.remove('bert')
    await expect.poll(() => gateway.status.kind).toBe('off')
    await expect(ask(key)).rejects.toThrow()
    expect(kinds).toEqual(['opening', 'open', 'off'])
    expect(opened).toEqual([port])
  })

  it('tells the bridge where it is while it is open, and this account alone', async () => {
    writeFileSync(addressFile(), 'left behind by a killed run')
    const { gateway } = openGateway()
    expect(existsSync(addressFile())).toBe(false)
    await agents.add('Anna', PROFILE)
    await expect.poll(() => gateway.status.kind).toBe('open')
    const { url, pid } = JSON.parse(readFileSync(addressFile(), 'utf8')) as Record<string, unknown>
    expect({ url, pid }).toEqual({ url: `http://127.0.0.1:${String(port)}/mcp`, pid: process.pid })
    if (process.platform !== 'win32') expect(statSync(addressFile()).mode & 0o777).toBe(0o600)
    await gateway.close()
    expect(existsSync(addressFile())).toBe(false)
    expect(gateway.status.kind).toBe('off')
    expect(troubles).toEqual([])
  })

  it.each([
    ['linux', 'ss -ltnp "sport = :PORT"'],
    ['darwin', 'lsof -nP -iTCP:PORT -sTCP:LISTEN'],
    ['win32', 'netstat -ano | findstr :PORT'],
  ] as const)(
    'says that its port is taken and what tells by whom (%s)',
    async (platform, command) => {
      const other = await takePort()
      await agents.add('Anna', PROFILE)
      const { gateway } = openGateway(platform)
      await expect.poll(() => gateway.status.kind).toBe('failed')
      const where = `port ${String(port)} on 127.0.0.1`
      expect(gateway.status).toMatchObject({
        port,
        error: { message: `Another program uses ${where}.` },
      })
      const hint = gateway.status.kind === 'failed' ? gateway.status.error.hint : undefined
      expect(hint).toContain(command.replace('PORT', String(port)))
      expect(existsSync(addressFile())).toBe(false)
      // A setting that is none of its own changes nothing.
      gateway.follow()
      gateway.follow()
      await gateway.retry()
      expect(gateway.status.kind).toBe('failed')
      expect(opened).toHaveLength(2)
      other.close()
      await expect
        .poll(async () => {
          await gateway.retry()
          return gateway.status.kind
        })
        .toBe('open')
    },
  )

  it('moves with its port, which cuts who is connected and is said', async () => {
    const { gateway } = openGateway()
    const { key } = await agents.add('Anna', PROFILE)
    await expect.poll(() => gateway.status.kind).toBe('open')
    expect(await ask(key)).toBe(200)
    const before = port
    port = await freePort()
    gateway.follow()
    await expect.poll(() => gateway.status).toMatchObject({ kind: 'open', port })
    expect(await ask(key)).toBe(200)
    await expect(ask(key, before)).rejects.toThrow()
    expect(moved).toEqual([`http://127.0.0.1:${String(port)}/mcp`])
    expect(readFileSync(addressFile(), 'utf8')).toContain(String(port))
  })

  it('ends up as it is wanted last, however often that changes meanwhile', async () => {
    const { gateway } = openGateway()
    const { key } = await agents.add('Anna', PROFILE)
    const last = await freePort()
    for (const wanted of [await freePort(), await freePort(), last]) {
      port = wanted
      gateway.follow()
    }
    await expect.poll(() => gateway.status).toMatchObject({ kind: 'open', port: last })
    expect(await ask(key)).toBe(200)
  })

  it('says that the bridge cannot find it, and is open for all others', async () => {
    const { key } = await agents.add('Anna', PROFILE)
    folder = join(folder, 'agents.json')
    const { gateway } = openGateway()
    await expect.poll(() => gateway.status.kind).toBe('open')
    expect(troubles).toHaveLength(1)
    expect(troubles[0]).toContain('patchbay bridge')
    expect(await ask(key)).toBe(200)
  })

  it('opens no more once the app closes', async () => {
    const { gateway } = openGateway()
    const adding = agents.add('Anna', PROFILE)
    await gateway.close()
    await adding
    gateway.follow()
    await gateway.retry()
    expect(gateway.status).toEqual({ kind: 'off' })
  })
})
