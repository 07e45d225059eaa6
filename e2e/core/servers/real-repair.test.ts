import { execFile } from 'node:child_process'
import {
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { isFailed, isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { Harness } from '../../fixtures/harness'
import { openHarnessWith } from '../../fixtures/open-harness'
import { realNpx, realUvx } from '../../fixtures/real-tools'

const run = promisify(execFile)
const LIMIT_MS = 240_000
const MEMORY = { name: '@modelcontextprotocol/server-memory', version: '2026.8.31' }
const TIME = { name: 'mcp-server-time', version: '2026.10.19' }

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'patchbay-repair-')))
const [npmCache, uvCache] = [join(folder, 'npm-cache'), join(folder, 'uv-cache')]
const [npx, uvx] = await Promise.all([realNpx(folder, MEMORY.name), realUvx()])
// No hook runs if every test is skipped.
if (npx.kind === 'missing' && uvx.kind === 'missing') rmSync(folder, { recursive: true })
const why = (tool: typeof npx): string =>
  tool.kind === 'missing' ? ` (skipped: ${tool.reason})` : ''
const before = { ...process.env }

beforeAll(() => {
  // npm sets it for its own scripts, and it overrides the test's.
  delete process.env.npm_config_cache
  process.env.NPM_CONFIG_CACHE = npmCache
  process.env.UV_CACHE_DIR = uvCache
  if (uvx.kind === 'there') process.env.PATH = [uvx.folder, process.env.PATH].join(delimiter)
})
afterAll(() => {
  process.env = before
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

type Served = { readonly harness: Harness; readonly id: string }

/** A server of a running package, so that its runner keeps a copy. */
async function serve(registryType: string, { name, version }: typeof MEMORY): Promise<Served> {
  const harness = await openHarnessWith({ startsAgain: false })
  const id = await harness.install({
    name: `real/${name.replace(/\W+/gu, '-')}`,
    title: name,
    description: 'A published server.',
    version: '1.0.0',
    packages: [{ registryType, identifier: name, version, transport: { type: 'stdio' } }],
  })
  await untilOver({ harness, id })
  return { harness, id }
}

/** Settles once a start has ended, with any outcome. */
function untilOver({ harness, id }: Served): Promise<ServerView> {
  return vi.waitFor(
    async () => {
      const view = await harness.view(id)
      if (isFailed(view.status) || isWorking(view.status)) return view
      throw new Error(`still ${JSON.stringify(view.status)}`)
    },
    { timeout: LIMIT_MS, interval: 100 },
  )
}

/** Breaks a stopped server's copy, checks that it doesn't start, and repairs it; returns the shown cause. */
async function breakAndRepair(served: Served, damage: () => void): Promise<string | undefined> {
  const { harness, id } = served
  await harness.stop(id)
  damage()
  await harness.call('server.start', { installationId: id })
  const { status } = await untilOver(served)
  if (!isFailed(status)) throw new Error(`it started although it was broken: ${status.kind}`)
  expect(status.cause?.step).toEqual({ kind: 'repair' })

  await harness.call('server.repair', { installationId: id })
  const repaired = await untilOver(served)
  expect(repaired.status.kind, JSON.stringify(repaired.status)).toBe('ready')
  expect(repaired.counts.tools).toBeGreaterThan(0)
  return status.cause?.causeId
}

/** Identifies a folder, to detect a new one. */
const markOf = (path: string): number => statSync(path).ino

describe('E7: a broken copy', () => {
  it.skipIf(npx.kind === 'missing')(
    `of real npx is detected, and one request repairs only it${why(npx)}`,
    { timeout: LIMIT_MS },
    async () => {
      const args = ['-y', '-p', 'is-odd@3.0.1', 'node', '-e', '0']
      await run('npx', args, { env: process.env, timeout: LIMIT_MS })
      const [neighbour = ''] = globSync(join(npmCache, '_npx', '*'))
      const mark = markOf(neighbour)
      const served = await serve('npm', MEMORY)
      const own = (): string => {
        const lists = globSync(join(npmCache, '_npx', '*', 'package.json'))
        return dirname(lists.find((one) => readFileSync(one, 'utf8').includes(MEMORY.name)) ?? '')
      }

      const missing = await breakAndRepair(served, () =>
        rmSync(join(own(), 'node_modules', 'zod'), { recursive: true }),
      )
      const program = await breakAndRepair(served, () =>
        rmSync(join(own(), 'node_modules', '.bin'), { recursive: true }),
      )
      const cut = await breakAndRepair(served, () =>
        truncateSync(join(own(), 'node_modules', MEMORY.name, 'dist', 'index.js'), 3_000),
      )
      expect([missing, program, cut]).toEqual([
        ...['npx-copy-broken', 'npx-program-missing', 'npx-file-cut'],
      ])
      expect(readdirSync(join(npmCache, '_npx')).length).toBe(2)
      expect(markOf(neighbour)).toBe(mark)

      const { events } = await served.harness.call('history.read', { installationId: served.id })
      expect(events.filter(({ fact }) => fact.kind === 'repaired').length).toBe(3)
    },
  )

  it.skipIf(uvx.kind === 'missing')(
    `of real uvx is detected, and one request repairs only it${why(uvx)}`,
    { timeout: LIMIT_MS },
    async () => {
      const args = ['--from', 'iniconfig==2.1.0', 'python', '-c', '0']
      await run('uvx', args, { env: process.env, timeout: LIMIT_MS })
      const [neighbour = ''] = environments()
      const mark = markOf(neighbour)
      const served = await serve('pypi', TIME)
      const own = (): string => {
        const found = environments().find((one) => inSite(one, 'mcp_server_time') !== undefined)
        return found ?? ''
      }

      const missing = await breakAndRepair(served, () =>
        rmSync(join(inSite(own(), 'mcp') ?? '', 'server'), { recursive: true }),
      )
      // The same file in the wheel, which the environment links to.
      const cut = await breakAndRepair(served, () => {
        const module = inSite(own(), 'mcp_server_time') ?? ''
        rmSync(join(module, '__pycache__'), { recursive: true })
        truncateSync(join(module, 'server.py'), 3_000)
      })
      const program = await breakAndRepair(served, () => rmSync(join(own(), 'bin', TIME.name)))
      expect([missing, cut, program]).toEqual([
        ...['uvx-copy-broken', 'uvx-file-cut', 'uvx-program-missing'],
      ])
      expect(environments().length).toBe(2)
      expect(markOf(neighbour)).toBe(mark)
    },
  )
})

/** Environments in uv's cache. */
function environments(): string[] {
  const links = globSync(join(uvCache, 'environments-v*', '*', '*'))
  return links.filter((one) => !one.endsWith('.lock')).map((one) => realpathSync(one))
}

/** A module of an environment, if it has it. */
function inSite(environment: string, module: string): string | undefined {
  return globSync(join(environment, 'lib', 'python*', 'site-packages', module))[0]
}
