import { describe, expect, it } from 'vitest'

import { builtThread } from '../../fixtures/built-program'
import { fixtureServer } from '../../fixtures/fixture-server'
import { openHarness, openHarnessWith } from '../../fixtures/open-harness'
import { openTestRegistry } from '../../fixtures/test-catalog'

const createCatalogWorker = builtThread('catalog')

const LEVEL = { type: 'named', name: '--level', description: 'How much it says' }
const OLD = fixtureServer('plain.mjs', {
  packageArguments: [
    LEVEL,
    { type: 'named', name: '--gone', description: 'Not for long' },
    { type: 'named', name: '--key', description: 'A key', isSecret: true },
  ],
})
const NEW = {
  ...fixtureServer('plain.mjs', {
    packageArguments: [
      { type: 'named', name: '--key', description: 'A key', isSecret: true },
      { type: 'named', name: '--level', description: 'How much it says' },
      { type: 'named', name: '--mode', value: 'safe' },
    ],
  }),
  version: '2.0.0',
}
const VALUES = { arg_level: 'all', arg_gone: 'soon', arg_key: 'secret-of-mine' }

/** A running server of the old version, with a registry that has another one. */
async function withRegistry(entries: readonly object[]) {
  const registry = await openTestRegistry(entries)
  // A registry set later is synced immediately; one set at the start waits for `update.check`.
  const earlier = await openHarnessWith({ registryUrl: registry.url, catalogUpkeep: false })
  await earlier.patchbay.close()
  const harness = openHarness(earlier.memory, { createCatalogWorker })
  const id = await harness.installReady(OLD, { values: VALUES })
  return { harness, id }
}

describe('E9: versions of an installed server', () => {
  it('a newer one is found, shows its changes, and runs only once approved', async () => {
    const { harness, id } = await withRegistry([NEW])
    expect((await harness.view(id)).update).toBeUndefined()
    const versions: unknown[] = []
    harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'server.changed') versions.push(payload.server.update?.version)
    })
    const found = await harness.call('update.check', { installationId: id })
    const entryId = found?.entryId ?? ''
    // Screens are notified and need not ask.
    expect(versions.at(-1)).toBe('2.0.0')
    expect((await harness.view(id)).update).toEqual({ entryId, version: '2.0.0' })

    const review = await harness.call('update.review', { installationId: id, entryId })
    expect(review).toMatchObject({
      fromVersion: '1.0.0',
      values: { arg_level: 'all' },
      secrets: { arg_key: { kind: 'own' } },
      dropped: [{ machineName: '--gone', value: 'soon', reason: 'gone' }],
    })
    const changed = review.changes.command.filter(({ kind }) => kind !== 'same')
    expect(changed).toContainEqual({ kind: 'removed', text: 'soon' })
    expect(changed).toContainEqual({ kind: 'added', text: 'safe' })
    expect(JSON.stringify(review)).not.toContain('secret-of-mine')

    const of = { installationId: id, entryId, offer: review.offer }
    const draft = { name: 'Plain', values: review.values, budgets: {} }
    await harness.call('update.apply', { ...of, ...draft })
    const moved = await harness.call('installation.read', { installationId: id })
    expect(moved.approvedPlan).toBeUndefined()
    expect(await harness.view(id)).toMatchObject({ entryVersion: '2.0.0', update: undefined })
    await harness.call('server.restart', { installationId: id })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })

    const { planHash } = await harness.call('launch.preview', {
      of: { installationId: id },
      values: review.values,
    })
    await harness.call('installation.update', {
      installationId: id,
      ...draft,
      approvedPlan: planHash,
    })
    await harness.call('server.start', { installationId: id })
    await harness.until(id, 'ready')
    await expect
      .poll(() => harness.log(id))
      .toContain('argv ["--key","••••••••","--level","all","--mode","safe"]')
  })

  it('the preview before the change is the approved one', async () => {
    const { harness, id } = await withRegistry([NEW])
    const found = await harness.call('update.check', { installationId: id })
    const entryId = found?.entryId ?? ''
    const { values, offer } = await harness.call('update.review', { installationId: id, entryId })
    const of = { installationId: id, entryId, offer }
    const preview = await harness.call('launch.preview', { of, values })
    expect(preview.problems).toEqual([])
    const draft = { name: 'Plain', values, budgets: {}, approvedPlan: preview.planHash }
    await harness.call('update.apply', { ...of, ...draft })
    await harness.call('server.restart', { installationId: id })
    await harness.until(id, 'ready')
    const { secrets, server } = await harness.call('installation.read', { installationId: id })
    expect([secrets, server.version]).toEqual([{ arg_key: { kind: 'own' } }, '2.0.0'])
  })

  it('a rollback is one call, with secret and approval; secrets of the newer version stay hidden', async () => {
    const last = { ...fixtureServer('plain.mjs', { packageArguments: [LEVEL] }), version: '3.0.0' }
    const { harness: earlierRun, id } = await withRegistry([last])
    const found = await earlierRun.call('update.check', { installationId: id })
    const entryId = found?.entryId ?? ''
    const { offer } = await earlierRun.call('update.review', { installationId: id, entryId })
    const of = { installationId: id, entryId, offer }
    // The new version has no field for the secret, but prints it anyway.
    const values = { arg_level: 'it is secret-of-mine' }
    const { planHash: approvedPlan } = await earlierRun.call('launch.preview', { of, values })
    const draft = { name: 'Plain', values, budgets: {}, approvedPlan, start: true }
    const { earlier } = await earlierRun.call('update.apply', { ...of, ...draft })
    await earlierRun.patchbay.close()
    const harness = openHarness(earlierRun.memory)
    const runs = async (): Promise<string[]> =>
      (await harness.log(id)).filter((text) => text.startsWith('argv'))
    await expect.poll(runs).toEqual(['argv ["--level","it is ••••••••"]'])

    const views = await harness.call('update.earlier', { installationId: id })
    expect(views).toMatchObject([{ version: '1.0.0', asksAgain: false, hasSecrets: true }])
    expect((await harness.view(id)).earlier).toEqual([earlier])
    const key = { installationId: id, versionKey: earlier?.versionKey ?? '' }
    const back = await harness.call('update.rollBack', { ...key, start: true })
    expect(back).toMatchObject({ asksAgain: false, left: { version: '3.0.0' } })
    const first = 'argv ["--level","all","--gone","soon","--key","••••••••"]'
    await expect.poll(runs).toEqual(['argv ["--level","it is ••••••••"]', first])
    await harness.until(id, 'ready')
    expect(await harness.view(id)).toMatchObject({ entryVersion: '1.0.0', earlier: [back.left] })
    await expect(harness.call('update.rollBack', key)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { events } = await harness.call('history.read', { installationId: id, limit: 50 })
    const facts = events.map(({ fact }) => fact)
    expect(facts).toContainEqual({ kind: 'wentBack', from: '3.0.0', to: '1.0.0' })

    await harness.call('settings.update', { versionsKept: 0 })
    expect((await harness.view(id)).earlier).toEqual([])
  })

  it('none is found if the registry has nothing newer', async () => {
    const { harness, id } = await withRegistry([OLD])
    expect(await harness.call('update.check', { installationId: id })).toBeNull()
  })

  it('another server is no version of this one, and gets nothing of it', async () => {
    const other = fixtureServer('works.mjs')
    const { harness, id } = await withRegistry([other])
    const { entryId } = await harness.paste(other)
    const offer = { kind: 'package', index: 0 } as const
    const change = { installationId: id, entryId, offer, name: 'x', values: {}, budgets: {} }
    await expect(harness.call('update.apply', change)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect((await harness.view(id)).entryVersion).toBe('1.0.0')
  })

  it('a custom server has none, whatever an entry is named', async () => {
    const { harness, id } = await withRegistry([NEW])
    const newer = await harness.call('update.check', { installationId: id })
    const entryId = newer?.entryId ?? ''
    const { installationId } = await harness.call('customServer.save', {
      name: 'By hand',
      server: { kind: 'command', command: 'node', args: [], env: [] },
      start: false,
    })
    const rejected = { code: 'NOT_AVAILABLE_HERE' }
    const offer = { kind: 'package', index: 0 } as const
    const change = { installationId, entryId, offer, name: 'x', values: {}, budgets: {} }
    for (const request of [
      harness.call('update.check', { installationId }),
      harness.call('update.review', { installationId, entryId }),
      harness.call('update.apply', change),
    ]) {
      await expect(request).rejects.toMatchObject(rejected)
    }
  })

  it('one without the used package says so and changes nothing', async () => {
    const gone = { ...NEW, version: '3.0.0', packages: [] }
    const { harness, id } = await withRegistry([gone])
    const found = await harness.call('update.check', { installationId: id })
    const review = harness.call('update.review', {
      installationId: id,
      entryId: found?.entryId ?? '',
    })
    await expect(review).rejects.toMatchObject({ code: 'UNSUPPORTED_PACKAGE' })
  })
})
