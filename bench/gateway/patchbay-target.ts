import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { freePort } from '../../e2e/fixtures/free-port'
import { Harness } from '../../e2e/fixtures/harness'
import { launchServe } from '../../e2e/ways-in/browser'
import { AgentStore } from '../../src-main/core/gateway/agents/agent-store'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import { systemTime } from '../../src-main/core/lifecycle/system-time'
import { memoryBackend } from '../../src-main/core/secrets/secret-vault'
import { AgentProfile } from '../../src-shared/domain/agents/agent'
import { Peer } from './peer'
import { SERVER, type Target, untilShown } from './target'

/** Limits out of the bench's reach: the default ones end it after a minute's worth of requests. */
const LIMITS = { agentRate: 1_000_000, agentCalls: 256, toolCap: 2_000, catalogUpkeep: false }
const OPEN_LIMIT_MS = 60_000

/** The built app (`patchbay serve`) in its own process, with its agents' keys. */
export type PatchbayTarget = Target & {
  readonly pid: number
  readonly profileDir: string
  /** One per agent. */
  readonly headers: readonly Readonly<Record<string, string>>[]
}

/** Starts Patchbay with bench servers, which have three tools or a thousand. They are named `bench`, `bench1` and so on. */
export async function openPatchbay(
  options: {
    readonly mode?: 'three' | 'thousand'
    readonly agents?: number
    readonly servers?: number
  } = {},
): Promise<PatchbayTarget> {
  const { mode = 'three', agents = 1, servers = 1 } = options
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  await using opened = new AsyncDisposableStack()
  opened.defer(() => rmSync(profileDir, { recursive: true, force: true }))
  await fill(profileDir, mode, servers)
  const keys = await addAgents(profileDir, agents)
  const headers = keys.map((key) => ({ authorization: `Bearer ${key}` }))
  const served = await launchServe({ profileDir, isApart: true })
  opened.defer(async () => {
    await served.close()
  })
  const url = await urlOf(profileDir)
  const connect = (): Promise<Peer> => Peer.connect(url, { headers: headers[0] ?? {} })
  const last = mode === 'three' ? 'small' : 'search_part_999'
  for (const name of serverNames(servers)) await untilShown(connect, `${name}__${last}`)
  const { pid } = served
  const toolName = (tool: string): string => `bench__${tool}`
  // From here on the caller closes everything.
  const whole = opened.move()
  const close = (): Promise<void> => whole.disposeAsync()
  return { name: 'patchbay', pid, url, profileDir, headers, connect, toolName, close }
}

function serverNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `bench${index === 0 ? '' : String(index)}`)
}

/** Writes a user's settings with bench servers into a profile folder. */
async function fill(profileDir: string, mode: string, servers: number): Promise<void> {
  const harness = new Harness()
  await harness.call('settings.update', { ...LIMITS, gatewayPort: await freePort() })
  for (const name of serverNames(servers))
    await harness.until(await harness.install(benchServer(mode), { name }), 'ready')
  await harness.close()
  const text = JSON.stringify(harness.memory.document)
  writeFileSync(documentFile(profileDir), text, { mode: 0o600 })
}

function benchServer(mode: string): object {
  const of = { registryType: 'cargo', identifier: 'node', version: '1.0.0' }
  return {
    name: 'bench.fixture/gateway',
    description: 'The server of the bench.',
    version: '1.0.0',
    packages: [
      {
        ...of,
        transport: { type: 'stdio' },
        packageArguments: [SERVER, mode].map((value) => ({ type: 'positional', value })),
      },
    ],
  }
}

async function addAgents(profileDir: string, count: number): Promise<string[]> {
  const store = new AgentStore({
    file: join(profileDir, 'agents.json'),
    secrets: memoryBackend(),
    clock: systemTime,
    onLost: fail,
    onKeyLeft: (_agent, message) => fail(message),
    onUnsaved: () => undefined,
  })
  const profile = AgentProfile.parse({ toolCap: LIMITS.toolCap })
  const keys: string[] = []
  for (let one = 0; one < count; one += 1)
    keys.push((await store.add(`Bench ${String(one)}`, profile)).key)
  return keys
}

function fail(message: string): never {
  throw new Error(message)
}

/** The gateway's address, once recorded. */
async function urlOf(profileDir: string): Promise<string> {
  const file = join(profileDir, 'gateway.json')
  const until = performance.now() + OPEN_LIMIT_MS
  while (!existsSync(file)) {
    if (performance.now() > until) throw new Error('The gateway did not open.')
    await delay(50)
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url
}
