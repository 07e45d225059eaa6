import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Installed, installOnce } from '../../bench/gateway/install-once'
import { loadKeytar } from '../../src-main/adapters/keytar-secret-store'
import { builtProgram } from '../fixtures/built-program'
import { GatewayHarness } from '../fixtures/gateway-harness'
import { startSecretService } from '../fixtures/secret-service'
import { Profile } from '../fixtures/tools-harness'
import { LoopbackModel } from './loopback-model'
import { runWithPatchbay } from './patchbay-on-path'
import type { PublishedApp } from './published-app'
import { PUBLISHED_APPS } from './published-apps'

const SERVICE = 'Patchbay agents restart test'
const SDK = '@modelcontextprotocol/sdk'
const keyring = await startSecretService()
/** Apps that call tools in a turn without an account. */
const apps = PUBLISHED_APPS.filter(({ offers }) => offers !== undefined)
const installed = new Map<string, Installed>()
for (const app of apps) installed.set(app.hostId, await installOnce(app.package))
const sdk = await installOnce({ name: SDK, version: '1.32.2' })
const remote = await installOnce({ name: 'mcp-remote', version: '0.15.1' })

const bench = new GatewayHarness()
let profile = new Profile()
let model = new LoopbackModel()
const program = builtProgram('e2e/fixtures/bridge-program.ts')
beforeAll(() => {
  if (!('unavailable' in keyring)) Object.assign(process.env, keyring.env)
})
beforeEach(() => {
  model = new LoopbackModel()
})
afterEach(async () => {
  await profile.close()
  await bench.close()
  await model[Symbol.asyncDispose]()
})
afterAll(async () => {
  if (!('unavailable' in keyring)) await keyring.stop()
})

/** Restarts Patchbay on its profile, at the same port. */
async function restart(): Promise<void> {
  await bench.reopen(profile)
  await bench.untilOpen()
}

function whySkipped(of: Installed | undefined, needsKeyring: boolean): string | undefined {
  if (needsKeyring && 'unavailable' in keyring) return keyring.unavailable
  return of?.kind === 'there' ? undefined : (of?.reason ?? 'not installed')
}

const folderOf = (of: Installed | undefined): string => (of?.kind === 'there' ? of.folder : '')
const named = (name: string, why: string | undefined): string =>
  why === undefined ? name : `${name} (skipped: ${why})`

async function callInTurn(app: PublishedApp): Promise<string> {
  profile = new Profile(await loadKeytar(SERVICE))
  await bench.reopen(profile)
  await bench.addServer('one')
  const { hostId } = app
  const run = runWithPatchbay(app, {
    folder: folderOf(installed.get(hostId)),
    profileDir: profile.folder,
    bridge: program.file,
    ...{ service: SERVICE, keyring },
    model: await model.open(),
  })
  const connection = {
    fileId: `${hostId}:${run.file}`,
    agent: { kind: 'new', name: hostId },
  } as const
  const { previewHash } = await bench.harness.call('hosts.previewConnect', connection)
  await bench.harness.call('hosts.connect', { ...connection, previewHash })
  await bench.untilOpen()
  return (await app.session?.(run)) ?? ''
}

describe('F3: a published agent during a restart of Patchbay', () => {
  for (const app of apps) {
    const why = whySkipped(installed.get(app.hostId), true)
    it.skipIf(why !== undefined)(
      named(`${app.package.name} ${app.package.version} calls the next tool of its turn`, why),
      async () => {
        model.calls = 2
        model.beforeCall = (index) => (index === 1 ? restart() : Promise.resolve())
        expect(await callInTurn(app)).toMatch(app.tells ?? /^$/u)
        expect(JSON.stringify(model.results)).toMatch(/one: .+seven 0.+one: .+seven 1/u)
        const { agents } = await bench.harness.call('app.snapshot', {})
        expect(agents.agents).toMatchObject([{ calls: 1, errors: 0 }])
      },
    )
  }

  const sdkWhy = whySkipped(sdk, false)
  it.skipIf(sdkWhy !== undefined)(
    named('the SDK of version 1 goes on over HTTP, and hears of changes', sdkWhy),
    async () => {
      const load = async (
        file: string,
      ): Promise<Record<string, new (...args: unknown[]) => never>> =>
        (await import(
          /* @vite-ignore */ pathToFileURL(
            join(folderOf(sdk), 'node_modules', SDK, 'dist', 'esm', 'client', file),
          ).href
        )) as Record<string, new (...args: unknown[]) => never>
      profile = new Profile()
      await bench.reopen(profile)
      await bench.addServer('one')
      const { key } = await bench.addAgent('Anna')
      const { Client: OldClient } = await load('index.js')
      const { StreamableHTTPClientTransport } = await load('streamableHttp.js')
      if (!OldClient || !StreamableHTTPClientTransport) throw new Error('The SDK is another one.')
      const client = new OldClient({ name: 'old', version: '1' }) as unknown as Client
      const methods: string[] = []
      client.fallbackNotificationHandler = ({ method }) =>
        Promise.resolve(void methods.push(method))
      const requestInit = { headers: { authorization: `Bearer ${key}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(bench.url), { requestInit }))
      const echo = { name: 'one__echo', arguments: { value: 'seven' } }
      expect(JSON.stringify(await client.callTool(echo))).toContain('seven')
      await restart()
      expect(JSON.stringify(await client.callTool(echo))).toContain('seven')
      await expect.poll(() => methods).toContain('notifications/tools/list_changed')
      await client.close()
    },
  )

  const remoteWhy = whySkipped(remote, false)
  it.skipIf(remoteWhy !== undefined)(named('mcp-remote goes on over HTTP', remoteWhy), async () => {
    profile = new Profile()
    await bench.reopen(profile)
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const client = new Client({ name: 'test', version: '1' })
    const program = join(folderOf(remote), 'node_modules', 'mcp-remote', 'dist', 'proxy.js')
    const header = ['--header', `Authorization:Bearer ${key}`]
    const args = [program, bench.url, ...header, '--transport', 'http-only', '--allow-http']
    const env = { ...(process.env as Record<string, string>), HOME: profile.folder }
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
    const echo = { name: 'one__echo', arguments: { value: 'seven' } }
    expect(JSON.stringify(await client.callTool(echo))).toContain('seven')
    await restart()
    expect(JSON.stringify(await client.callTool(echo))).toContain('seven')
    await client.close()
  })
})
