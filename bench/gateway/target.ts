import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { freePort } from '../../e2e/fixtures/free-port'
import { type Installed, installOnce } from './install-once'
import { type Dialect, Peer } from './peer'

/** The server behind each gateway. */
export const SERVER = resolve('bench/gateway/server.mjs')
const FLOOR = resolve('bench/gateway/floor-gw.mjs')
const INSTANT = resolve('bench/gateway/instant.mjs')
const HUB = { name: 'mcp-hub', version: '4.2.1' }
const READY_LIMIT_MS = 60_000

/** A gateway in its own process, with one bench server. */
export type Target = {
  readonly name: string
  readonly url: string
  /** One per agent; absent if no key is needed. */
  readonly headers?: readonly Readonly<Record<string, string>>[]
  /** Connects an agent that can list the tools. */
  connect(): Promise<Peer>
  /** The gateway's name for a tool. */
  toolName(tool: string): string
  close(): Promise<void>
}

/** The yardstick: no SDK, no checks, 35 lines. */
export async function openFloor(): Promise<Target> {
  return openConfigured('floor', 'streamable', (port, config) => [
    FLOOR,
    ...['--port', String(port), '--config', config],
  ])
}

/** Answers immediately without a server: as many calls as the agent itself can make. */
export async function openInstant(): Promise<Target> {
  return openConfigured('instant', 'streamable', (port) => [INSTANT, '--port', String(port)])
}

/** The fastest peer, from npm; says why if unavailable. */
export async function openHub(): Promise<
  (Target & { kind: 'there' }) | Extract<Installed, { kind: 'missing' }>
> {
  const hub = await installOnce(HUB)
  if (hub.kind === 'missing') return hub
  const program = join(hub.folder, 'node_modules', HUB.name, 'dist', 'cli.js')
  const target = await openConfigured('mcp-hub', 'sse', (port, config) => [
    program,
    ...['--port', String(port), '--config', config],
  ])
  return { kind: 'there', ...target }
}

async function openConfigured(
  name: string,
  dialect: Dialect,
  argsOf: (port: number, config: string) => string[],
): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  const config = join(folder, 'mcp.json')
  const bench = { command: process.execPath, args: [SERVER] }
  writeFileSync(config, JSON.stringify({ mcpServers: { bench } }))
  const port = await freePort()
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder }
  const child = spawn(process.execPath, argsOf(port, config), {
    ...{ env, cwd: folder, stdio: 'ignore' },
    // Linux shares the processor by session: each gateway gets its own, like desktop apps.
    detached: true,
  })
  const url = `http://127.0.0.1:${String(port)}/mcp`
  const connect = (): Promise<Peer> => Peer.connect(url, { dialect })
  const close = async (): Promise<void> => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilShown(connect, 'bench__small')
  } catch (error) {
    await close()
    throw new Error(`${name} never showed the tools of its server.`, { cause: error })
  }
  return { name, url, connect, toolName: (tool) => `bench__${tool}`, close }
}

/** Settles when an agent can list a tool; rejects with the last error after a minute. */
export async function untilShown(connect: () => Promise<Peer>, tool: string): Promise<void> {
  const until = performance.now() + READY_LIMIT_MS
  for (;;) {
    try {
      const peer = await connect()
      const list = await peer.ask('tools/list', {}).finally(() => peer.close())
      if (list.includes(`"${tool}"`)) return
      throw new Error(`There is no ${tool}: ${list.toString('latin1', 0, 500)}`)
    } catch (error) {
      if (performance.now() > until) throw error
      await delay(200)
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exited
  clearTimeout(limit)
}
