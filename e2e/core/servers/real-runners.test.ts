import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { PhaseRecord } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Harness } from '../../fixtures/harness'
import { realNpx, realUvx } from '../../fixtures/real-tools'
import { type SlowProxy, startSlowProxy } from '../../fixtures/slow-proxy'
import { uvBundle } from '../../fixtures/uv-bundle'

/** Enough for a cached server, and less than the first connection takes. */
const HANDSHAKE_MS = 25_000
const CONNECTION_MS = 27_000
const LIMIT_MS = 240_000

const folder = mkdtempSync(join(tmpdir(), 'patchbay-runners-'))
const memory = '@modelcontextprotocol/server-memory'
const [npx, uvx] = await Promise.all([realNpx(folder, memory), realUvx()])
// No hook runs if every test is skipped.
if (npx.kind === 'missing' && uvx.kind === 'missing') rmSync(folder, { recursive: true })
const isBehindProxy = [process.env.HTTPS_PROXY, process.env.https_proxy].some(Boolean)
const opened: Harness[] = []

const before = { ...process.env }
let proxy: SlowProxy

beforeAll(async () => {
  proxy = await startSlowProxy(CONNECTION_MS)
  // npm sets it for its own scripts, and it overrides the test's.
  delete process.env.npm_config_cache
  process.env.NPM_CONFIG_CACHE = join(folder, 'npm-cache')
  process.env.UV_CACHE_DIR = join(folder, 'uv-cache')
  if (uvx.kind === 'there') process.env.PATH = [uvx.folder, process.env.PATH].join(delimiter)
  if (!isBehindProxy) process.env.HTTPS_PROXY = proxy.url
})
afterAll(async () => {
  await Promise.all(opened.map((harness) => harness.close()))
  proxy.close()
  process.env = before
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A harness that closes after the parallel tests. */
function open(memory?: Harness['memory']): Harness {
  const harness = new Harness(memory)
  opened.push(harness)
  return harness
}

function serverOf(registryType: string, identifier: string, version: string): object {
  return {
    name: `real/${identifier.replace(/\W+/gu, '-')}`,
    title: identifier,
    description: 'A published server.',
    version: '1.0.0',
    packages: [{ registryType, identifier, version, transport: { type: 'stdio' } }],
  }
}

function phase(view: ServerView, name: PhaseRecord['phase']): PhaseRecord | undefined {
  return view.phases.find((record) => record.phase === name)
}

/** Settles once the server is Ready with another process than `before`; throws when its start fails. */
async function untilReady(
  harness: Harness,
  installationId: string,
  before?: ServerView,
): Promise<ServerView> {
  const ended = await vi.waitFor(
    async () => {
      const view = await harness.view(installationId)
      const isLive = ['ready', 'degraded'].includes(view.status.kind)
      if (view.status.kind === 'error' || (isLive && view.pid !== before?.pid)) return view
      throw new Error(`still ${JSON.stringify(view.status)}`)
    },
    { timeout: LIMIT_MS, interval: 100 },
  )
  if (ended.status.kind === 'error') throw new Error(JSON.stringify(ended.status))
  return ended
}

async function installLines(harness: Harness, installationId: string): Promise<string[]> {
  const entries = await harness.entries(installationId)
  return entries.filter(({ source }) => source === 'install').map(({ text }) => text)
}

const why = (tool: typeof npx): string =>
  tool.kind === 'missing' ? ` (skipped: ${tool.reason})` : ''

describe("B9: a package's first start", () => {
  it.skipIf(npx.kind === 'missing').concurrent(
    `with real npx uses no handshake time, and the next start downloads nothing${why(npx)}`,
    { timeout: LIMIT_MS },
    async () => {
      const [install] = await firstAndNext([serverOf('npm', memory, '2026.8.31')])
      if (!isBehindProxy) expect(durationOf(install)).toBeGreaterThan(HANDSHAKE_MS)
    },
  )

  it.skipIf(uvx.kind === 'missing').concurrent(
    `with real uvx uses no handshake time, and the next start downloads nothing${why(uvx)}`,
    { timeout: LIMIT_MS },
    // uv replaces a slow connection by another, so its download is only as slow as it allows.
    async () => {
      const names = ['mcp-server-time', 'mcp-server-git', 'mcp-server-fetch']
      await firstAndNext(names.map((name) => serverOf('pypi', name, '2026.10.19')))
    },
  )

  it.skipIf(uvx.kind === 'missing').concurrent(
    `with real uv creates a bundle's environment first${why(uvx)}`,
    { timeout: LIMIT_MS },
    async () => {
      const harness = open()
      const path = join(folder, 'uv.mcpb')
      writeFileSync(path, await uvBundle())
      const { entryId } = await harness.call('bundle.openFile', { openingId: 'uv', path })
      const id = await harness.setUp(await harness.call('catalog.read', { entryId }))
      const view = await untilReady(harness, id)
      expect(phase(view, 'install')?.outcome).toBe('done')
      expect((await installLines(harness, id)).join('\n')).toContain('iniconfig')
      expect(view.counts.tools).toBe(1)
    },
  )
})

/** Starts servers with an empty cache, again in the same run, and again after a restart of the app; returns the first downloads. */
async function firstAndNext(
  servers: readonly object[],
): Promise<readonly (PhaseRecord | undefined)[]> {
  const harness = open()
  const ids = await Promise.all(
    servers.map((server) => harness.install(server, { budgets: { handshakeMs: HANDSHAKE_MS } })),
  )
  const first = await Promise.all(ids.map((id) => untilReady(harness, id)))
  for (const view of first) {
    expect(phase(view, 'install')?.outcome).toBe('done')
    expect(view.counts.tools).toBeGreaterThan(0)
  }
  const lines = await Promise.all(ids.map((id) => installLines(harness, id)))
  expect(lines.flat().join('\n')).toMatch(/Download(ed|ing)/u)
  for (const view of first) {
    const downloaded = phase(view, 'install')?.endedAt ?? Infinity
    expect(phase(view, 'handshake')?.startedAt).toBeGreaterThanOrEqual(downloaded)
  }

  await Promise.all(ids.map((installationId) => harness.call('server.restart', { installationId })))
  const second = await Promise.all(ids.map((id, index) => untilReady(harness, id, first[index])))
  expect(second.map((view) => phase(view, 'install')?.outcome)).toEqual(ids.map(() => 'skipped'))
  await harness.patchbay.close()

  const later = open(harness.memory)
  const third = await Promise.all(ids.map((id) => untilReady(later, id)))
  expect(third.map((view) => phase(view, 'install')?.outcome)).toEqual(ids.map(() => 'done'))
  const again = await Promise.all(ids.map((id) => installLines(later, id)))
  expect(again.flat().filter((line) => line.includes('Download'))).toEqual([])
  return first.map((view) => phase(view, 'install'))
}

function durationOf(record: PhaseRecord | undefined): number {
  return (record?.endedAt ?? 0) - (record?.startedAt ?? 0)
}
