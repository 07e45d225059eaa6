import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { freePort } from '../../../../e2e/fixtures/free-port'
import {
  type ConnectedAgent,
  GatewayHarness,
  textOf,
} from '../../../../e2e/fixtures/gateway-harness'
import { isTreeAlive } from '../../../../e2e/fixtures/is-tree-alive'
import { RemoteServer } from '../../../../e2e/fixtures/remote-server'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import type { InstanceView } from '../../../../src-shared/domain/running/instances'
import type { OfferRef } from '../../../../src-shared/domain/server-json/offer'
import type { Sharing } from '../../../../src-shared/domain/sharing'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

type Page = { readonly page: string; readonly pid: number }

async function open(sharing: Sharing, args: readonly string[] = []): Promise<string> {
  await gateway.open()
  const id = await gateway.addServer('page', 'holds-page.mjs', args)
  await gateway.harness.call('server.setSharing', { installationId: id, sharing })
  return id
}

async function go(agent: ConnectedAgent, to: string): Promise<Page> {
  return JSON.parse(textOf(await agent.call('page__go', { to }))) as Page
}

async function where(agent: ConnectedAgent): Promise<Page> {
  return JSON.parse(textOf(await agent.call('page__where'))) as Page
}

async function instances(id: string): Promise<readonly InstanceView[]> {
  return (await gateway.harness.view(id)).instances
}

async function connect(name: string): Promise<ConnectedAgent & { key: string; agentId: string }> {
  const added = await gateway.addAgent(name)
  return { ...added, ...(await gateway.connect(added.key, 'sessions')) }
}

describe('B12: a server with separate processes', () => {
  it('has one process for all by default', async () => {
    const id = await open('shared')
    const [anna, bob] = [await connect('Anna'), await connect('Bob')]
    const { pid } = await go(anna, 'a')
    expect(await where(bob)).toEqual({ page: 'a', pid })
    expect(await instances(id)).toEqual([])
  })

  it('has one process per app for all its sessions, shown with app and pid', async () => {
    const id = await open('perApp')
    const [anna, bob] = [await connect('Anna'), await connect('Bob')]
    const window = await gateway.connect(anna.key, 'stateless')
    const { pid } = await go(anna, 'a')
    const other = await where(bob)
    expect(other.page).toBe('about:blank')
    expect(await where(window)).toEqual({ page: 'a', pid })
    expect((await gateway.harness.view(id)).pid).not.toBe(pid)
    expect(await instances(id)).toMatchObject([
      { agent: 'Anna', isOfSession: false, pid, status: 'ready' },
      { agent: 'Bob', isOfSession: false, pid: other.pid, status: 'ready' },
    ])
    const metrics = async (): Promise<number | undefined> =>
      (await gateway.harness.call('metrics.read', { installationId: id, range: '1h' })).now
        ?.processes
    await expect.poll(metrics).toBe(3)
    // Log lines name their process.
    const logged = await gateway.logged(id, 'went to a')
    expect(logged).toEqual([expect.stringMatching(/^\[Anna #1\] /u)])
  })

  it('has one process per session, which ends with it', async () => {
    const id = await open('perSession')
    const anna = await connect('Anna')
    const window = await gateway.connect(anna.key, 'sessions')
    const { pid } = await go(anna, 'a')
    const other = await where(window)
    expect(other).not.toEqual({ page: 'a', pid })
    await anna.transport.terminateSession()
    await expect.poll(() => isTreeAlive(pid)).toBe(false)
    expect((await instances(id)).map((one) => one.pid)).toEqual([other.pid])
    expect(await where(window)).toEqual(other)
  })

  it('ends the process of a removed app, and processes that a change of the setting leaves over', async () => {
    const id = await open('perApp')
    const [anna, bob] = [await connect('Anna'), await connect('Bob')]
    const [first, second] = [await where(anna), await where(bob)]
    await gateway.harness.call('agent.remove', { agentId: anna.agentId })
    await expect.poll(() => isTreeAlive(first.pid)).toBe(false)
    expect(isTreeAlive(second.pid)).toBe(true)
    await gateway.harness.call('server.setSharing', { installationId: id, sharing: 'shared' })
    await expect.poll(() => isTreeAlive(second.pid)).toBe(false)
    const { pid } = await gateway.harness.view(id)
    expect((await where(bob)).pid).toBe(pid)
  })

  it('gives a process the folders of its app, and notifies it of changes', async () => {
    const id = await open('perSession')
    const { key } = await gateway.addAgent('Anna')
    let uri = 'file:///home/anna/one'
    const anna = await gateway.connect(key, 'sessions', {
      capabilities: { roots: { listChanged: true } },
      prepare: (client) =>
        client.setRequestHandler('roots/list', () => ({
          roots: [{ uri, name: 'one' }, { uri: 'https://no.folder' }],
        })),
    })
    const folders = async (): Promise<unknown> =>
      JSON.parse(textOf(await anna.call('page__folders')))
    expect(await folders()).toEqual({ roots: [{ uri, name: 'one' }] })
    uri = 'file:///home/anna/two'
    await anna.client.sendRootsListChanged()
    await expect.poll(() => gateway.logged(id, 'other folders')).toHaveLength(1)
    expect(await folders()).toEqual({ roots: [{ uri, name: 'one' }] })
    // Other processes see only the server's own folders.
    const bob = await connect('Bob')
    expect(JSON.parse(textOf(await bob.call('page__folders')))).toEqual({ roots: [] })
  })

  it('gives a process the folders of an app that has no session', async () => {
    await open('perApp')
    const { key } = await gateway.addAgent('Anna')
    const uri = 'file:///home/anna/one'
    const anna = await gateway.connect(key, 'stateless', {
      capabilities: { roots: {} },
      prepare: (client) =>
        client.setRequestHandler('roots/list', () => ({ roots: [{ uri, name: 'one' }] })),
    })
    const folders = async (): Promise<unknown> =>
      JSON.parse(textOf(await anna.call('page__folders')))
    expect(await folders()).toEqual({ roots: [{ uri, name: 'one' }] })
    expect(await folders()).toEqual({ roots: [{ uri, name: 'one' }] })
  })

  it('sends updates and log messages of a process to its own app only', async () => {
    await open('perApp')
    const [anna, bob] = [await connect('Anna'), await connect('Bob')]
    for (const { ask } of [anna, bob]) {
      await ask('logging/setLevel', { level: 'error' })
      await ask('resources/subscribe', { uri: 'page://now' })
    }
    await where(bob)
    await go(anna, 'a')
    const methods = ({ notifications }: ConnectedAgent): string[] =>
      notifications.map(({ method }) => method).filter((one) => !one.endsWith('list_changed'))
    await expect.poll(() => methods(anna).length).toBe(2)
    expect(methods(anna).toSorted()).toEqual([
      'notifications/message',
      'notifications/resources/updated',
    ])
    expect(await anna.ask('resources/read', { uri: 'page://now' })).toMatchObject({
      contents: [{ text: 'a' }],
    })
    expect(methods(bob)).toEqual([])
  })

  it("calls no tool that differs in an app's process, unless changes are followed", async () => {
    const id = await open('perApp', ['--differs', 'where', join(tempFolder('instances-'), 'first')])
    const anna = await connect('Anna')
    await expect(anna.call('page__where')).rejects.toThrow('its definition differs')
    expect((await go(anna, 'a')).page).toBe('a')
    await gateway.harness.call('tools.setChanges', { installationId: id, changes: 'follow' })
    expect((await where(anna)).page).toBe('a')
  })

  it('stops, restarts and quits with all processes, even during a call', async () => {
    const id = await open('perSession')
    const anna = await connect('Anna')
    const window = await gateway.connect(anna.key, 'sessions')
    const [first, second] = [await where(anna), await where(window)]
    const call = anna.call('page__wait').catch(String)
    await expect.poll(() => gateway.harness.patchbay.servers.read(id).inFlight).toBe(1)
    await gateway.harness.call('server.stop', { installationId: id })
    await gateway.harness.until(id, 'stopped')
    expect([first.pid, second.pid].filter((pid) => isTreeAlive(pid))).toEqual([])
    expect(await call).toContain('Patchbay stopped the process')
    await expect(where(anna)).rejects.toThrow('was stopped')
    await gateway.harness.call('server.start', { installationId: id })
    await gateway.harness.until(id, 'ready')
    const { pid } = await where(anna)
    await gateway.harness.call('server.restart', { installationId: id })
    await gateway.harness.until(id, 'ready')
    expect(isTreeAlive(pid)).toBe(false)
    const last = await where(anna)
    await gateway.harness.patchbay.close()
    expect(isTreeAlive(last.pid)).toBe(false)
  })

  it('starts another process with the next call after one ended or crashed', async () => {
    const id = await open('perApp')
    const anna = await connect('Anna')
    await go(anna, 'a')
    const [one] = await instances(id)
    await gateway.harness.call('server.endInstance', {
      installationId: id,
      instanceId: one?.instanceId ?? 0,
    })
    await expect.poll(() => instances(id)).toEqual([])
    const next = await where(anna)
    expect(next.page).toBe('about:blank')
    process.kill(next.pid, 'SIGKILL')
    await expect.poll(async () => (await instances(id))[0]?.pid).not.toBe(next.pid)
    expect((await where(anna)).pid).not.toBe(next.pid)
  })

  it('has a session per app at a remote server, and at a child that serves HTTP', async () => {
    await gateway.open()
    await using remote = await RemoteServer.open('sessions')
    const port = await freePort()
    const far = { name: 'test/far', description: 'Far', version: '1.0.0' }
    const near = { ...far, name: 'test/near' }
    const value = join(import.meta.dirname, '../../../../e2e/servers/serves.mjs')
    const positional = (one: string): object => ({ type: 'positional', value: one })
    const offers: [string, object, OfferRef][] = [
      [
        'far',
        { ...far, remotes: [{ type: 'streamable-http', url: remote.url }] },
        { kind: 'remote', index: 0 },
      ],
      [
        'near',
        {
          ...near,
          packages: [
            {
              ...{ registryType: 'cargo', identifier: 'node', version: '1.0.0' },
              transport: { type: 'streamable-http', url: `http://127.0.0.1:${String(port)}/mcp` },
              packageArguments: [value, String(port)].map(positional),
            },
          ],
        },
        { kind: 'package', index: 0 },
      ],
    ]
    for (const [name, server, offer] of offers) {
      const id = await gateway.harness.install(server, { name, offer })
      await gateway.harness.until(id, 'ready')
      await gateway.harness.call('server.setSharing', { installationId: id, sharing: 'perApp' })
      const [anna, bob] = [await connect(`Anna ${name}`), await connect(`Bob ${name}`)]
      for (const agent of [anna, bob]) await agent.call(`${name}__echo`, { text: 'a' })
      expect(await instances(id)).toMatchObject([{ status: 'ready' }, { status: 'ready' }])
    }
    const sessions = remote.requests.flatMap((headers) => headers['mcp-session-id'] ?? [])
    expect(new Set(sessions).size).toBe(3)
  })
})
