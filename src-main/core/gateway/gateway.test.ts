import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { freePort } from '../../../e2e/fixtures/free-port'
import { listenFor, PROFILE } from '../../../e2e/fixtures/listener-harness'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { openAgents } from '../../../e2e/fixtures/open-agents'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { Emitter } from '../lifecycle/emitter'
import { bindLoopback } from '../listener/bind-loopback'
import type { AgentStore } from './agents/agent-store'
import { BRIDGE_HEADER } from './calls/gateway-capabilities'
import { type BusyPort, Gateway } from './gateway'

let addressFile: string
let agents: AgentStore
let port: number
let opened: number[]
let moved: string[]
let troubles: (string | undefined)[]
let busyPorts: (BusyPort | undefined)[]
let clock: ManualClock
let wake: Emitter<undefined>

beforeEach(async () => {
  const folder = tempFolder('gateway')
  addressFile = join(folder, 'gateway.json')
  agents = openAgents(folder)
  ;[port, opened, moved, troubles, busyPorts] = [await freePort(), [], [], [], []]
  ;[clock, wake] = [new ManualClock(), new Emitter()]
})

const urlAt = (at: number): string => `http://127.0.0.1:${String(at)}/mcp`

function openGateway(platform = process.platform): { gateway: Gateway; kinds: string[] } {
  const gateway = new Gateway({
    ...{ agents, addressFile, platform },
    port: () => port,
    time: clock,
    open: (wanted) => {
      opened.push(wanted)
      return listenFor(agents, { port: wanted })
    },
    onMoved: (url) => moved.push(url),
    onLost: (message) => troubles.push(message),
    onBusy: (busy) => busyPorts.push(busy),
  })
  const following = wake.event(() => void gateway.retry())
  onTestFinished(() => following[Symbol.dispose]())
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

describe('D6: the gateway', () => {
  it('is open from the first agent until the last is removed', async () => {
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

  it('writes its address for the bridge while it is open, readable by this account only', async () => {
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
    // The gateway doesn't reopen once the app closes.
    gateway.follow()
    await gateway.retry()
    expect(gateway.status).toEqual({ kind: 'off' })
  })

  it.each([
    ['linux', 'ss -ltnp "sport = :PORT"'],
    ['darwin', 'lsof -nP -iTCP:PORT -sTCP:LISTEN'],
    ['win32', 'netstat -ano | findstr :PORT'],
  ] as const)(
    'reports that its port is taken and how to find the program (%s)',
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
      // An unrelated setting changes nothing.
      gateway.follow()
      await gateway.retry()
      expect(gateway.status.kind).toBe('failed')
      expect(opened).toHaveLength(2)
      await new Promise((resolve) => other.close(resolve))
      await gateway.retry()
      expect(gateway.status.kind).toBe('open')
    },
  )

  it('moves to the newest port setting, cuts connected agents and reports that', async () => {
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

  it("reports that the bridge can't find it, and stays open for everyone else", async () => {
    const { key } = await agents.add('Anna', PROFILE)
    // A path below a file can't be created.
    addressFile = join(addressFile, '../agents.json/gateway.json')
    const { gateway } = openGateway()
    await untilOpen(gateway)
    expect(troubles).toEqual([expect.stringContaining('patchbay bridge')])
    expect(await ask(key)).toBe(200)
  })
})

describe('D6: a port that another program has', () => {
  /** Occupies the port; the returned function frees it. */
  async function hold(): Promise<() => Promise<unknown>> {
    const other = createServer()
    await bindLoopback(other, port, () => undefined)
    return () => new Promise((resolve) => other.close(resolve))
  }

  /** Lets a retry delay of the gateway pass, and waits for the retry. */
  async function pass(ms: number): Promise<void> {
    await expect.poll(() => clock.waiting).toBe(1)
    const before = opened.length
    clock.pass(ms - 1)
    expect(opened).toHaveLength(before)
    clock.pass(1)
    await expect.poll(() => opened.length).toBeGreaterThan(before)
  }

  it('is retried with growing delays, reported once, and kept if an agent used HTTP', async () => {
    const letGo = await hold()
    await agents.add('Anna', PROFILE)
    agents.recordHttp('anna')
    const { gateway } = openGateway()
    for (const s of [1, 2, 5, 10, 20, 40, 60, 60]) await pass(s * 1_000)
    await expect.poll(() => clock.waiting).toBe(1)
    expect(busyPorts).toEqual([{ port }])
    await letGo()
    await pass(60_000)
    await untilOpen(gateway)
    expect(new Set(opened)).toEqual(new Set([port]))
    expect(busyPorts).toEqual([{ port }, undefined])
    expect(clock.waiting).toBe(0)
  })

  it('counts as used by an agent that connects directly, not through the bridge', async () => {
    const uses: unknown[] = []
    const { key } = await agents.add('Anna', PROFILE)
    const listener = await listenFor(agents, {
      onEvent: (event) => {
        if (event.kind === 'used') uses.push([event.agentId, event.isBridge])
      },
    })
    onTestFinished(() => listener.close())
    await ask(key, listener.port)
    const headers = { authorization: `Bearer ${key}`, [BRIDGE_HEADER]: '1' }
    await fetch(listener.url, { method: 'DELETE', headers })
    expect(uses).toEqual([
      ['anna', false],
      ['anna', true],
    ])
  })

  it('is retried immediately when the computer wakes up', async () => {
    const letGo = await hold()
    await agents.add('Anna', PROFILE)
    const { gateway } = openGateway()
    await expect.poll(() => gateway.status.kind).toBe('failed')
    await letGo()
    wake.emit(undefined)
    await untilOpen(gateway)
    expect(clock.waiting).toBe(0)
  })

  it('is replaced by a free one if no agent ever used HTTP', async () => {
    await hold()
    await agents.add('Anna', PROFILE)
    const { gateway } = openGateway()
    for (const s of [1, 2, 5, 10]) await pass(s * 1_000)
    await expect.poll(() => gateway.status.kind).toBe('open')
    const { url } = JSON.parse(readFileSync(addressFile, 'utf8')) as { url: string }
    expect(gateway.status).toMatchObject({ url })
    expect(url).not.toBe(urlAt(port))
    expect(busyPorts).toEqual([{ port }, { port, url }])
    expect(clock.waiting).toBe(0)
  })

  it('is no longer retried once the app closes', async () => {
    await hold()
    await agents.add('Anna', PROFILE)
    const { gateway } = openGateway()
    await expect.poll(() => clock.waiting).toBe(1)
    await gateway.close()
    wake.emit(undefined)
    expect(clock.waiting).toBe(0)
    expect(busyPorts).toEqual([{ port }, undefined])
    expect(opened).toEqual([port])
  })
})
