import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import type { Keychain } from '../../../src-main/core/ports'
import { storedName } from '../../../src-main/core/secrets/secret-keys'
import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import type { SecretDirectory } from '../../../src-shared/domain/installation/stored-secret'
import type { AppNotice } from '../../../src-shared/domain/state/app-state'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'

const KEYED = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
})
const FIRST = 'first-value-of-the-team'
const SECOND = 'second-value-of-the-team'
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

const store = (harness: Harness, name: string, value: string): Promise<{ secretId: string }> =>
  harness.call('secret.create', { name, value })

/** Sets up a copy with a shared secret as its key, like the form. */
async function installWith(harness: Harness, name: string, secretId: string): Promise<string> {
  const entry = await harness.paste(KEYED)
  const of = { entryId: entry.entryId, offer: { kind: 'package', index: 0 } } as const
  const secrets = { env_API_KEY: { kind: 'stored', secretId } } as const
  const preview = await harness.call('launch.preview', { of, values: {}, secrets })
  expect(preview.problems).toEqual([])
  const { installationId } = await harness.call('installation.create', {
    ...of,
    name,
    values: {},
    secrets,
    start: true,
    approvedPlan: preview.planHash,
  })
  return installationId
}

const lastStart = (lines: readonly string[]): string[] =>
  lines.slice(lines.findLastIndex((line) => line.startsWith('Start ')))

describe('A2: a secret shared by two servers', () => {
  it('reaches both, is rotated once, and both get the new value at the next start', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const { secretId } = await store(harness, 'Team key', FIRST)
    const ids = [
      await installWith(harness, 'One', secretId),
      await installWith(harness, 'Two', secretId),
    ]
    for (const id of ids) {
      await harness.until(id, 'ready')
      await expect.poll(() => harness.log(id)).toContain(`key ${hashOf(FIRST)}`)
    }
    await harness.call('secret.rotate', { secretId, value: SECOND })
    for (const id of ids) {
      expect((await harness.view(id)).unapplied).toEqual([
        'The shared secret “Team key” has a new value.',
      ])
      await harness.call('server.restart', { installationId: id })
    }
    for (const id of ids) {
      await harness.until(id, 'ready')
      const lines = async (): Promise<string[]> => lastStart(await harness.log(id))
      await expect.poll(lines).toContain(`key ${hashOf(SECOND)}`)
      await expect.poll(lines).toContain('the key itself: ••••••••.')
      expect((await harness.view(id)).unapplied).toEqual([])
      expect((await harness.log(id)).join('\n')).not.toMatch(/(first|second)-value-of-the-team/)
    }
    expect(JSON.stringify(memory.document)).not.toContain('value-of-the-team')
    expect(JSON.stringify(await harness.call('app.snapshot', {}))).not.toContain(
      'value-of-the-team',
    )
    expect(await memory.secrets.get(storedName(secretId))).toBe(SECOND)
    await harness.patchbay.close()

    const next = openHarness(memory)
    for (const id of ids) {
      await next.until(id, 'ready')
      await expect.poll(() => next.log(id)).toContain(`key ${hashOf(SECOND)}`)
    }
    await next.call('secret.remove', { secretId, evenIfUsed: true })
    expect(await memory.secrets.get(storedName(secretId))).toBeNull()
  })

  it('is masked by its old and new value after a reconnect uses the new one', async () => {
    const harness = openHarness()
    const { secretId } = await store(harness, 'Team key', FIRST)
    const id = await installWith(harness, 'One', secretId)
    await harness.until(id, 'ready')
    await harness.call('secret.rotate', { secretId, value: SECOND })
    await harness.call('server.reconnect', { installationId: id })
    await expect.poll(() => harness.log(id)).toContain(`key ${hashOf(SECOND)}`)
    const { log } = harness.patchbay.servers.read(id)
    expect(log.redactor(`${FIRST} and ${SECOND}`)).toBe('•••••••• and ••••••••')
  })

  it('is sent to every screen only when its name or use changes', async () => {
    const harness = openHarness()
    const directories: SecretDirectory[] = []
    harness.patchbay.onEvent((event) => {
      if (event.channel === 'secrets.changed') directories.push(event.payload.secrets)
    })
    const { secretId } = await store(harness, 'Team key', FIRST)
    const id = await installWith(harness, 'One', secretId)
    await harness.until(id, 'ready')
    await harness.call('settings.update', { theme: 'dark' })
    await harness.call('secret.rename', { secretId, name: 'Our key' })
    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect(
      directories.map(({ stored }) =>
        stored.map(({ name, uses }) => [name, uses.map((use) => use.serverName)]),
      ),
    ).toEqual([
      [['Team key', []]],
      [['Team key', ['One']]],
      [['Our key', ['One']]],
      [['Our key', []]],
    ])
    expect((await harness.call('app.snapshot', {})).secrets).toEqual(directories.at(-1))
  })

  it('once removed stops the next start with an error at the field', async () => {
    const harness = openHarness()
    const { secretId } = await store(harness, 'Team key', FIRST)
    const id = await installWith(harness, 'One', secretId)
    await harness.until(id, 'ready')
    await expect(
      harness.call('secret.remove', { secretId, evenIfUsed: false }),
    ).rejects.toMatchObject({ code: 'SECRET_IN_USE' })
    await harness.call('secret.remove', { secretId, evenIfUsed: true })
    expect((await harness.view(id)).status.kind).toBe('ready')
    const preview = await harness.call('launch.preview', { of: { installationId: id }, values: {} })
    expect(preview.problems).toMatchObject([{ fieldKey: 'env_API_KEY' }])
    await harness.call('server.restart', { installationId: id })
    const { status } = await harness.until(id, 'error')
    expect(status).toMatchObject({
      code: 'CONFIG_INCOMPLETE',
      fields: [
        {
          fieldKey: 'env_API_KEY',
          message: 'The shared secret no longer exists. Choose another one, or enter a value.',
        },
      ],
    })
  })

  it('has no value after a run without a keychain: servers say so, and continue once it is entered again', async () => {
    const memory: Harness['memory'] = { document: null, secrets: memoryBackend() }
    const first = openHarness(memory)
    const { secretId } = await store(first, 'Team key', FIRST)
    const id = await installWith(first, 'One', secretId)
    await first.until(id, 'ready')
    await first.patchbay.close()
    const second = openHarness({ ...memory, secrets: memoryBackend() })
    const { status } = await second.until(id, 'error')
    expect(status).toMatchObject({ code: 'CONFIG_INCOMPLETE', fields: [{ label: 'API key' }] })
    expect(await second.call('secret.findEmpty', {})).toEqual([secretId])
    await second.call('secret.rotate', { secretId, value: SECOND })
    expect(await second.call('secret.findEmpty', {})).toEqual([])
    expect((await second.view(id)).unapplied).toHaveLength(1)
    await second.call('server.restart', { installationId: id })
    await second.until(id, 'ready')
    await expect.poll(() => second.log(id)).toContain(`key ${hashOf(SECOND)}`)
  })
})

describe("A2: a server's own secret", () => {
  it('is shared without a restart, and reaches the server as before', async () => {
    const harness = openHarness()
    const id = await harness.installReady(KEYED, { values: { env_API_KEY: FIRST } })
    const share = { installationId: id, fieldKey: 'env_API_KEY', name: 'Team key' }
    const { secretId } = await harness.call('secret.share', share)
    const view = await harness.view(id)
    expect([view.status.kind, view.unapplied, view.hasSecrets]).toEqual(['ready', [], false])
    const other = await installWith(harness, 'Other', secretId)
    await harness.call('server.restart', { installationId: id })
    for (const one of [id, other]) {
      await harness.until(one, 'ready')
      await expect
        .poll(async () => lastStart(await harness.log(one)))
        .toContain(`key ${hashOf(FIRST)}`)
    }
  })
})

describe('D3: a change of a running server', () => {
  it('waits for a restart and says so; a new name and a stopped server need none', async () => {
    const harness = openHarness()
    const id = await harness.installReady(KEYED, { name: 'One', values: { env_API_KEY: FIRST } })
    const change = (name: string, values: Record<string, string>) =>
      harness.call('installation.update', { installationId: id, name, values })
    await change('Renamed', {})
    expect((await harness.view(id)).unapplied).toEqual([])
    await change('Renamed', { env_API_KEY: SECOND })
    expect((await harness.view(id)).unapplied).toEqual(['The configuration was changed.'])
    await harness.stop(id)
    expect((await harness.view(id)).unapplied).toEqual([])
  })
})

describe('E9: another version of a server', () => {
  it('keeps using the shared secret', async () => {
    const harness = openHarness()
    const { secretId } = await store(harness, 'Team key', FIRST)
    const id = await installWith(harness, 'One', secretId)
    await harness.until(id, 'ready')
    const next = { ...KEYED, version: '2.0.0' }
    const { entryId } = await harness.paste(next)
    const review = await harness.call('update.review', { installationId: id, entryId })
    expect(review).toMatchObject({ secrets: { env_API_KEY: { kind: 'stored', secretId } } })
    await harness.call('update.apply', {
      installationId: id,
      entryId,
      offer: review.offer,
      name: 'One',
      values: review.values,
    })
    const saved = await harness.call('installation.read', { installationId: id })
    expect(saved).toMatchObject({
      server: { version: '2.0.0' },
      secrets: { env_API_KEY: { kind: 'stored', secretId } },
    })
    expect((await harness.call('app.snapshot', {})).secrets.stored[0]?.uses).toHaveLength(1)
  })
})

const VALUE = 'value-of-before'
const HASH = hashOf(VALUE)
const UNMARKED = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isRequired: true }],
})

/** A settings file from before this name counted as secret: it contains the value, and starts with the app. */
async function documentOfBefore(): Promise<{ document: unknown; installationId: string }> {
  const memory = { document: null as unknown, secrets: memoryBackend() }
  const harness = openHarness(memory)
  const entry = await harness.paste(UNMARKED)
  const installationId = await harness.setUp(entry, {
    name: 'Keyed',
    values: { env_API_KEY: VALUE },
    start: false,
  })
  await harness.patchbay.close()
  const { installations, ...rest } = memory.document as { installations: object[] }
  const old = installations.map((one) => {
    const bare: unknown = JSON.parse(JSON.stringify(one), (key, value: unknown) =>
      key === 'isSecret' ? undefined : value,
    )
    return { ...(bare as object), enabled: true, values: { env_API_KEY: VALUE }, secrets: {} }
  })
  return { document: { ...rest, installations: old }, installationId }
}

const noticesOf = async (harness: Harness): Promise<AppNotice[]> =>
  (await harness.call('app.snapshot', {})).notices

describe('A2: an old profile with a value that is now a secret', () => {
  it('starts its servers with the value from the keychain, still approved', async () => {
    const { document, installationId } = await documentOfBefore()
    const memory = { document, secrets: memoryBackend() }
    const harness = openHarness(memory)
    await harness.until(installationId, 'ready')
    await expect.poll(() => harness.log(installationId)).toContain(`key ${HASH}`)
    expect((await harness.log(installationId)).join('\n')).not.toContain(VALUE)
    expect(JSON.stringify(memory.document)).not.toContain(VALUE)
    expect(await memory.secrets.get(`${installationId}/env_API_KEY`)).toBe(VALUE)
    expect(await noticesOf(harness)).toMatchObject([
      { message: 'The settings file no longer contains API_KEY (Keyed).' },
    ])
  })

  it('starts its servers without a keychain too, with the value masked in the log', async () => {
    const { document, installationId } = await documentOfBefore()
    const broken: Keychain = { ...memoryBackend(), set: () => Promise.reject(new Error('locked')) }
    const memory = { document, secrets: broken }
    const harness = openHarness(memory)
    await harness.until(installationId, 'ready')
    await expect.poll(() => harness.log(installationId)).toContain(`key ${HASH}`)
    expect((await harness.log(installationId)).join('\n')).not.toContain(VALUE)
    expect(JSON.stringify(memory.document)).toContain(VALUE)
    expect(await noticesOf(harness)).toEqual([])
  })
})
