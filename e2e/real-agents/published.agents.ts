import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { installOnce } from '../../bench/gateway/install-once'
import { builtProgram } from '../fixtures/built-program'
import { GatewayHarness } from '../fixtures/gateway-harness'

const run = promisify(execFile)
const SDK = '@modelcontextprotocol/sdk'
const INSPECTOR = '@modelcontextprotocol/inspector'
const sdk = await installOnce({ name: SDK, version: '1.32.2' })
const inspector = await installOnce({ name: INSPECTOR, version: '2.12.0' })
const remote = await installOnce({ name: 'mcp-remote', version: '0.15.1' })

type Installed = typeof sdk

/** The parts of the SDK's first version that the test uses. */
type OldClient = {
  connect(transport: unknown): Promise<void>
  listTools(): Promise<unknown>
  callTool(params: object): Promise<unknown>
  close(): Promise<void>
}
type OldSdk = {
  readonly Client: new (info: object) => OldClient
  readonly StdioClientTransport: new (options: object) => unknown
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => unknown
}

const bench = new GatewayHarness()
const program = builtProgram('e2e/fixtures/bridge-program.ts')
const added = { agentId: '', key: '' }
beforeEach(async () => {
  await bench.open()
  await bench.addServer('one')
  Object.assign(added, await bench.addAgent('Anna'))
})
afterEach(() => bench.close())

const authorization = (): string => `Bearer ${added.key}`
const bridge = (): string[] => [
  ...[program.file, '--agent', added.agentId],
  ...['--profile', bench.harness.profileDir],
]
const stdio = (): object => ({
  command: process.execPath,
  args: bridge(),
  env: { ...process.env, PATCHBAY_AGENT_KEY: added.key },
})

/** Their files are deleted with the harness. */
const ownHome = (): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  HOME: bench.harness.profileDir,
})

const why = (of: Installed): string => (of.kind === 'missing' ? ` (skipped: ${of.reason})` : '')
const folderOf = (of: Installed): string => (of.kind === 'there' ? of.folder : '')

async function oldSdk(): Promise<OldSdk> {
  const load = async (file: string): Promise<object> => {
    const path = join(folderOf(sdk), 'node_modules', SDK, 'dist', 'esm', 'client', file)
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as object
  }
  const parts = await Promise.all(['index.js', 'stdio.js', 'streamableHttp.js'].map(load))
  return Object.assign({}, ...parts) as OldSdk
}

describe.skipIf(sdk.kind === 'missing')(`D6: the SDK's client of version 1${why(sdk)}`, () => {
  it.each(['http', 'bridge'])('lists and calls by %s', async (way) => {
    const old = await oldSdk()
    const client = new old.Client({ name: 'old', version: '1' })
    const requestInit = { headers: { authorization: authorization() } }
    await client.connect(
      way === 'http'
        ? new old.StreamableHTTPClientTransport(new URL(bench.url), { requestInit })
        : new old.StdioClientTransport(stdio()),
    )
    expect(JSON.stringify(await client.listTools())).toContain('one__echo')
    const echo = { name: 'one__echo', arguments: { value: 'ä' } }
    expect(JSON.stringify(await client.callTool(echo))).toContain('one: \\"ä\\"')
    await client.close()
  })
})

describe.skipIf(inspector.kind === 'missing')(`D6: the Inspector${why(inspector)}`, () => {
  const inspect = async (way: string, ...args: string[]): Promise<string> => {
    const program = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
    const target =
      way === 'http'
        ? [bench.url, '--transport', 'http', '--header', `Authorization: ${authorization()}`]
        : [process.execPath, ...bridge(), '-e', `PATCHBAY_AGENT_KEY=${added.key}`]
    const words = [join(folderOf(inspector), program), '--cli', ...target, ...args]
    const { stdout } = await run(process.execPath, words, { timeout: 60_000, env: ownHome() })
    return stdout
  }

  it.each(['http', 'bridge'])('lists and calls by %s', async (way) => {
    expect(await inspect(way, '--method', 'tools/list')).toContain('one__echo')
    const echo = ['--tool-name', 'one__echo', '--tool-arg', 'value=seven']
    expect(await inspect(way, '--method', 'tools/call', ...echo)).toContain('seven')
  })
})

describe.skipIf(remote.kind === 'missing')(`D6: mcp-remote${why(remote)}`, () => {
  it('lists and calls over HTTP', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const program = join(folderOf(remote), 'node_modules', 'mcp-remote', 'dist', 'proxy.js')
    const header = ['--header', `Authorization:${authorization()}`]
    const args = [program, bench.url, ...header, '--transport', 'http-only', '--allow-http']
    const command = process.execPath
    await client.connect(new StdioClientTransport({ command, args, env: ownHome() }))
    expect(JSON.stringify(await client.listTools())).toContain('one__echo')
    const echo = { name: 'one__echo', arguments: { value: 'ä' } }
    expect(JSON.stringify(await client.callTool(echo))).toContain('one: \\"ä\\"')
    await client.close()
  })
})
