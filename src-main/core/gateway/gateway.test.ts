import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { freePort } from '../../../e2e/fixtures/free-port'
import { listenFor, PROFILE } from '../../../e2e/fixtures/gateway-door'
import { openAgents } from '../../../e2e/fixtures/open-agents'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { bindLoopback } from '../listener/bind-loopback'
import type { AgentStore } from './agents/agent-store'
import { Gateway } from './gateway'

let addressFile: string
let agents: AgentStore
let port: number
let opened: number[]
let moved: string[]
let troubles: (string | undefined)[]

beforeEach(async () => {
  const folder = tempFolder('gateway')
  addressFile = join(folder, 'gateway.json')
  agents = openAgents(folder)
  ;[port, opened, moved, troubles] = [await freePort(), [], [], []]
})

const urlAt = (at: number): string => `http://127.0.0.1:${String(at)}/mcp`

function openGateway(platform = process.platform): { gateway: Gateway; kinds: string[] } {
  const gateway = new Gateway({
    ...{ agents, addressFile, platform },
    port: () => port,
    open: (wanted) => {
      opened.push(wanted)
      return listenFor(agents, { port: wanted })
    },
    onMoved: (url) => moved.push(url),
    onTrouble: (message) => troubles.push(message),
  })
  const kinds: string[] = []
  gateway.onDidChange(() => kinds.push(gateway.status.kind))
  onTestFinished(() => gateway.close())
  return { gateway, kinds }
}

const untilOpen = (gateway: Gateway): Promise<void> =>
  expect.poll(() => gateway.status).toEqual({ kind: 'open', url: urlAt(port), port })

async function ask(key: string, at = port): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return (await fetch(urlAt(at), { method: 'POST', headers, body: '{}' })).status
}

describe('D6 the gateway', () => {
  it('is off until the first agent, and off again after the last', async () => {
    const { gateway, kinds } = openGateway()
    gateway.follow()
    expect(gateway.status).toEqual({ kind: 'off' })
    await expect(ask('x')).rejects.toThrow()
    const { key } = await agents.add('Anna', PROFILE)
    await untilOpen(gateway)
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
    writeFileSync(addressFile, 'left behind by a killed run')
    const { gateway } = openGateway()
    expect(existsSync(addressFile)).toBe(false)
    await agents.add('Anna', PROFILE)
    await untilOpen(gateway)
    const address: unknown = JSON.parse(readFileSync(addressFile, 'utf8'))
    expect(address).toMatchObject({ url: urlAt(port), pid: process.pid })
    if (process.platform !== 'win32') expect(statSync(addressFile).mode & 0o777).toBe(0o600)
    await gateway.close()
    expect(existsSync(addressFile)).toBe(false)
    expect(troubles).toEqual([])
    // It opens no more once the app closes.
    gateway.follow()
    await gateway.retry()
    expect(gateway.status).toEqual({ kind: 'off' })
  })

  it.each([
    ['linux', 'ss -ltnp "sport = :PORT"'],
    ['darwin', 'lsof -nP -iTCP:PORT -sTCP:LISTEN'],
    ['win32', 'netstat -ano | findstr :PORT'],
  ] as const)(
    'says that its port is taken and what tells by whom (%s)',
    async (platform, command) => {
      const other = createServer()
      await bindLoopback(other, port, () => undefined)
      await agents.add('Anna', PROFILE)
      const { gateway } = openGateway(platform)
      const error = {
        message: `Another program uses port ${String(port)} on 127.0.0.1.`,
        hint: expect.stringContaining(command.replace('PORT', String(port))) as string,
      }
      await expect.poll(() => gateway.status).toMatchObject({ kind: 'failed', port, error })
      expect(existsSync(addressFile)).toBe(false)
      // A setting that is none of its own changes nothing.
      gateway.follow()
      await gateway.retry()
      expect(gateway.status.kind).toBe('failed')
      expect(opened).toHaveLength(2)
      await new Promise((resolve) => other.close(resolve))
      await gateway.retry()
      expect(gateway.status.kind).toBe('open')
    },
  )

  it('moves with its port to where it is wanted last, which cuts who is connected and is said', async () => {
    const { gateway } = openGateway()
    const { key } = await agents.add('Anna', PROFILE)
    await untilOpen(gateway)
    expect(await ask(key)).toBe(200)
    const before = port
    port = await freePort()
    gateway.follow()
    await untilOpen(gateway)
    expect(await ask(key)).toBe(200)
    await expect(ask(key, before)).rejects.toThrow()
    expect(moved).toEqual([urlAt(port)])
    expect(readFileSync(addressFile, 'utf8')).toContain(String(port))
    for (const wanted of [await freePort(), await freePort(), await freePort()]) {
      port = wanted
      gateway.follow()
    }
    await untilOpen(gateway)
    expect(await ask(key)).toBe(200)
  })

  it('says that the bridge cannot find it, and is open for all others', async () => {
    const { key } = await agents.add('Anna', PROFILE)
    // Below a file.
    addressFile = join(addressFile, '../agents.json/gateway.json')
    const { gateway } = openGateway()
    await untilOpen(gateway)
    expect(troubles).toEqual([expect.stringContaining('patchbay bridge')])
    expect(await ask(key)).toBe(200)
  })
})
