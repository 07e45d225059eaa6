import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import type { Harness } from '../../../e2e/fixtures/harness'
import { isRunning } from '../../../e2e/fixtures/is-running'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import type { RequestChannel } from '../../../src-shared/ipc/contract'
import { memoryBackend } from '../../core/secrets/secret-vault'
import { SignInStore } from '../../core/sign-in/sign-in-record'

const keyed = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
})
/** Larger than a single keychain entry. */
const LONG = 'x'.repeat(5_000)

/** Opens a running server with a secret, a shared secret, a registry with a token, an agent and a sign-in. */
async function fill(harness: Harness): Promise<{ pid: number }> {
  const id = await harness.install(keyed, { name: 'Keyed', values: { env_API_KEY: 'hunter2' } })
  const { pid = 0 } = await harness.until(id, 'ready')
  await harness.call('secret.create', { name: 'Team key', value: 'hunter3' })
  await harness.call('catalog.addSource', { baseUrl: 'https://127.0.0.1:9/r', token: 'hunter4' })
  await harness.call('agent.add', { name: 'Anna' })
  await new SignInStore(harness.memory.secrets, id).write({
    typedClients: { 'https://127.0.0.1:9': { client_id: LONG } },
  })
  await expect.poll(() => existsSync(join(harness.profileDir, 'logs'))).toBe(true)
  return { pid }
}

/** An agent app's own content, with unusual formatting. */
const HOST_TEXT = `{
    "mcpServers":   { "notes": {"command": "notes", "args": []} },
  "other" :[1,2]
}
`

/** Connects Cursor in the harness's home folder; resolves to its file's path. */
async function connectCursor(harness: Harness): Promise<string> {
  const folder = join(harness.profileDir, 'home', '.cursor')
  const path = join(folder, 'mcp.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, HOST_TEXT)
  const asked = {
    fileId: `cursor:${path}`,
    agent: { kind: 'new', name: 'Cursor' },
  } as const
  const { previewHash } = await harness.call('hosts.previewConnect', asked)
  await harness.call('hosts.connect', { ...asked, previewHash })
  expect(readFileSync(path, 'utf8')).toContain('"patchbay"')
  return path
}

describe('D6: the removal of everything that Patchbay created', () => {
  it('lists it first, then stops and removes it; other secrets and files stay', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    await memory.secrets.set('another-profile/env_KEY', 'kept')
    const harness = openHarness(memory)
    const { pid } = await fill(harness)
    const { items, stays } = await harness.call('removal.read', {})
    const labels = items.map(({ label }) => label)
    for (const label of [
      ...['API key of Keyed', 'Shared secret Team key', 'Key of the agent Anna', 'Agents'],
      ...['Token of the registry https://127.0.0.1:9/r', 'Sign-in of Keyed', 'Logs'],
    ])
      expect(labels).toContain(label)
    expect(new Set(items.map(({ itemId }) => itemId)).size).toBe(items.length)
    expect(stays.map(({ label }) => label)).toContain('Other Patchbay secrets in the keychain: 1')
    expect(isRunning(pid)).toBe(true)

    const outcome = await harness.call('removal.remove', {})
    expect(outcome.left).toEqual([])
    expect(outcome.removed).toEqual(expect.arrayContaining(labels))
    expect(isRunning(pid)).toBe(false)
    expect(await memory.secrets.keys()).toEqual(['another-profile/env_KEY'])
    for (const channel of ['app.snapshot', 'hosts.look'] satisfies RequestChannel[])
      await expect(harness.call(channel, {})).rejects.toMatchObject({ code: 'REMOVED' })

    await harness.patchbay.close()
    await harness.patchbay.finish()
    expect(existsSync(harness.profileDir)).toBe(false)
  })

  it("can't end the app before it has run", async () => {
    const harness = openHarness()
    await expect(harness.call('removal.end', {})).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await harness.patchbay.finish()
    expect(existsSync(harness.profileDir)).toBe(true)
  })

  it("keeps the records of secrets that can't be deleted until a retry succeeds", async () => {
    const secrets = memoryBackend()
    let isLocked = false
    const locking = {
      ...secrets,
      delete: (key: string) =>
        isLocked ? Promise.reject(new Error('locked')) : secrets.delete(key),
    }
    const harness = openHarness({ document: null, secrets: locking })
    await harness.call('agent.add', { name: 'Anna' })
    writeFileSync(join(harness.profileDir, 'notes.txt'), 'mine')
    isLocked = true
    const first = await harness.call('removal.remove', {})
    expect(first.left.map(({ label }) => label)).toEqual(['Key of the agent Anna', 'Agents'])
    expect(first.left[0]?.reason).toContain('locked')
    expect(existsSync(join(harness.profileDir, 'agents.json'))).toBe(true)

    isLocked = false
    const second = await harness.call('removal.remove', {})
    expect(second.left).toEqual([])
    expect(second.removed).toEqual(expect.arrayContaining(['Key of the agent Anna', 'Agents']))
    expect(await secrets.keys()).toEqual([])
    await harness.patchbay.finish()
    // A file that Patchbay didn't create keeps the folder.
    expect(existsSync(join(harness.profileDir, 'notes.txt'))).toBe(true)
    expect(existsSync(join(harness.profileDir, 'agents.json'))).toBe(false)
  })

  it('finds the secrets of unreadable servers and agents', async () => {
    const secrets = memoryBackend()
    await secrets.set('odd-1/env_KEY', 'x')
    await secrets.set('agent/bert', 'x')
    const document = { version: 1, installations: [{ installationId: 'odd-1', name: 'Odd' }] }
    const harness = openHarness({ document, secrets })
    writeFileSync(join(harness.profileDir, 'settings.json'), JSON.stringify(document))
    writeFileSync(join(harness.profileDir, 'agents.json.bad'), '{"agents":[{"agentId":"bert",')
    await harness.call('removal.remove', {})
    expect(await secrets.keys()).toEqual([])
  })

  it('removes the entry from an agent app’s file and restores its exact text', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const path = await connectCursor(harness)
    const { items } = await harness.call('removal.read', {})
    expect(items[0]).toMatchObject({ kind: 'hostEntry', place: path })
    expect(items.map(({ label }) => label)).toContain('Key for app configuration backups')
    expect((await harness.call('removal.remove', {})).left).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(HOST_TEXT)
    expect(await memory.secrets.keys()).toEqual([])
    expect((await harness.call('removal.read', {})).items).toEqual([])
  })

  it('leaves a read-only file, reports that, and removes the entry on retry', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const path = await connectCursor(harness)
    const connected = readFileSync(path, 'utf8')
    chmodSync(path, 0o444)
    const { left } = await harness.call('removal.remove', {})
    expect(left.map(({ label, place }) => [label, place])).toEqual([
      ['Entry patchbay of Cursor', path],
      ['App connections', join(harness.profileDir, 'hosts.json')],
    ])
    expect(left[0]?.reason).toContain('read-only')
    expect(readFileSync(path, 'utf8')).toBe(connected)
    expect(existsSync(join(harness.profileDir, 'agents.json'))).toBe(false)
    expect(await memory.secrets.keys()).toEqual([])

    chmodSync(path, 0o644)
    expect((await harness.call('removal.remove', {})).left).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(HOST_TEXT)
    expect(existsSync(join(harness.profileDir, 'hosts.json'))).toBe(false)
  })

  it('continues after an interrupted run', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const path = await connectCursor(harness)
    // As if the app had ended between the keychain and the files.
    for (const key of await memory.secrets.keys()) await memory.secrets.delete(key)
    await harness.patchbay.close()
    const again = openHarness(memory, { profileDir: harness.profileDir })
    expect((await again.call('removal.remove', {})).left).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(HOST_TEXT)
    expect((await again.call('removal.read', {})).items).toEqual([])
  })
})
