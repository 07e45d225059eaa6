import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { freePort } from '../../e2e/fixtures/free-port'
import { Harness } from '../../e2e/fixtures/harness'
import { AgentStore } from '../../src-main/core/gateway/agents/agent-store'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import { systemTime } from '../../src-main/core/lifecycle/system-time'
import { memoryBackend } from '../../src-main/core/secrets/secret-vault'
import { AgentProfile } from '../../src-shared/domain/agents/agent'
import { setUpHarness } from '../catalog/catalog-harness'
import { tool } from './many-tools'

/** Amount of data in the app. */
export type Amount = {
  readonly servers: number
  readonly toolsEach: number
  readonly listed: number
}

/** The amount for the bars; enough catalog entries to scroll. */
export const FULL: Amount = { servers: 100, toolsEach: 20, listed: 2_000 }
/** Servers as separate programs that write logs; the others use HTTP. */
const TALKERS = 4
const AGENTS = 3

/** Programs and files of the servers; must live as long as the profiles that use them. */
export class UiHarness implements AsyncDisposable {
  private constructor(
    readonly amount: Amount,
    private readonly stack: AsyncDisposableStack,
    private readonly folder: string,
    private readonly port: string,
  ) {}

  static async open(amount: Amount): Promise<UiHarness> {
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-ui-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const lists = Array.from({ length: amount.servers }, (_, at) => toolsOf(at, amount.toolsEach))
    for (const [at, tools] of lists.entries())
      writeFileSync(join(folder, `${String(at)}.json`), JSON.stringify(tools))
    const file = join(folder, 'all.json')
    writeFileSync(file, JSON.stringify(lists))
    const child = spawn(process.execPath, [resolve('bench/ui/many-remotes.mjs'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stack.defer(() => void child.kill())
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return new UiHarness(amount, stack.move(), folder, port.toString().trim())
  }

  /** Writes typical data into a profile folder: settings, servers, a catalog, agents; returns the agents' keys. */
  async fill(profileDir: string): Promise<string[]> {
    await using catalog = await setUpHarness(this.amount.listed)
    const harness = new Harness()
    const total = this.amount.servers * this.amount.toolsEach
    await harness.call('settings.update', {
      ...{ catalogUpkeep: false, registryUrl: catalog.baseUrl, catalogIcons: false },
      ...{ toolCap: total, agentRate: 1_000_000, gatewayPort: await freePort() },
    })
    for (let at = 0; at < this.amount.servers; at += 1)
      await harness.install(this.#server(at), {
        name: nameOf(at),
        offer: { kind: at < TALKERS ? 'package' : 'remote', index: 0 },
      })
    await harness.close()
    const text = JSON.stringify(harness.memory.document)
    writeFileSync(documentFile(profileDir), text, { mode: 0o600 })
    await catalog.list(profileDir)
    return await addAgents(profileDir, total)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.disposeAsync()
  }

  #server(at: number): object {
    const base = {
      name: `bench.fixture/ui-${String(at)}`,
      description: 'Lists tools.',
      version: '1.0.0',
    }
    if (at >= TALKERS) {
      const url = `http://127.0.0.1:${this.port}/${String(at)}/mcp`
      return { ...base, remotes: [{ type: 'streamable-http', url }] }
    }
    const args = [resolve('bench/ui/talker.mjs'), join(this.folder, `${String(at)}.json`)]
    const of = { registryType: 'cargo', identifier: 'node', version: '1.0.0' }
    return {
      ...base,
      packages: [
        {
          ...of,
          transport: { type: 'stdio' },
          packageArguments: args.map((value) => ({ type: 'positional', value })),
        },
      ],
    }
  }
}

/** A server's name by index. */
function nameOf(at: number): string {
  return `Server ${String(at)}`
}

/** Agents' name of a server's first tool. */
export function firstToolOf(at: number): string {
  return `Server-${String(at)}__talk`
}

function toolsOf(at: number, count: number): object[] {
  const talk = {
    name: 'talk',
    description: 'Writes lines into its log.',
    inputSchema: { type: 'object', properties: { lines: { type: 'integer' } } },
    annotations: { readOnlyHint: true },
  }
  const others = Array.from(
    { length: count - 1 },
    (_, index) => tool(`${String(at)}_part_${String(index)}`).tool,
  )
  return [talk, ...others]
}

async function addAgents(profileDir: string, toolCap: number): Promise<string[]> {
  const fail = (message: string): never => {
    throw new Error(message)
  }
  const store = new AgentStore({
    file: join(profileDir, 'agents.json'),
    secrets: memoryBackend(),
    clock: systemTime,
    onLost: fail,
    onKeyLeft: (_agent, message) => fail(message),
    onUnsaved: () => undefined,
  })
  const keys: string[] = []
  for (let one = 0; one < AGENTS; one += 1)
    keys.push((await store.add(`Agent ${String(one)}`, AgentProfile.parse({ toolCap }))).key)
  return keys
}
