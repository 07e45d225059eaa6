import { beforeEach, describe, expect, it } from 'vitest'

import {
  NotedKeychain,
  V2,
  versionOf,
  VersionsHarness,
} from '../../../e2e/fixtures/versions-harness'
import { EarlierVersions } from './earlier-versions'

let bench: VersionsHarness
beforeEach(() => {
  bench = new VersionsHarness()
})

const installed = (): Promise<string> => bench.installFirst()

describe('E9: an interrupted update', () => {
  it('has written the file before it deletes any secret', async () => {
    const id = await installed()
    bench.steps.length = 0
    await bench.update(id, V2)
    // The copy, the file, the deletion of the moved secret, and the record of that.
    expect(bench.steps).toEqual(['set', 'write', 'delete', 'write'])
  })

  it("loses no secret: the next start deletes what couldn't be deleted", async () => {
    const id = await installed()
    bench.keychain.isStuck = true
    await bench.update(id, V2)
    expect(bench.keychain.values).toEqual(['s3cret', 's3cret'])
    bench.reopen()
    bench.keychain.isStuck = false
    await bench.service.earlier.tidy()
    expect(bench.keychain.values).toEqual(['s3cret'])
    await bench.rollBack(id)
    expect(await bench.secretOf(id)).toBe('s3cret')
  })

  it("doesn't delete a new secret at the same key", async () => {
    const id = await installed()
    bench.keychain.isStuck = true
    await bench.update(id, V2)
    await bench.rollBack(id)
    bench.keychain.isStuck = false
    await bench.service.earlier.tidy()
    expect(await bench.secretOf(id)).toBe('s3cret')
    expect(bench.store.unwantedSecrets).toEqual([])
  })

  it("changes nothing if the file can't be written", async () => {
    const id = await installed()
    await bench.update(id, V2)
    const [held, document] = [new Map(bench.keychain.held), structuredClone(bench.disk.document)]
    bench.disk.isFull = true
    const rejected = { code: 'SETTINGS_UNWRITABLE' }
    await expect(bench.rollBack(id)).rejects.toMatchObject(rejected)
    await expect(bench.update(id, versionOf('3.0.0', ['level']))).rejects.toMatchObject(rejected)
    expect([bench.keychain.held, bench.disk.document]).toEqual([held, document])
    expect(bench.now(id).server.version).toBe('2.0.0')
  })

  it('keeps the list of keychain secrets to delete in a run without a keychain', async () => {
    const id = await installed()
    bench.keychain.isStuck = true
    await bench.update(id, V2)
    const left = bench.store.unwantedSecrets
    const place = Object.assign(new NotedKeychain([]), {
      state: { kind: 'memory', reason: '', fix: '' } as const,
    })
    await new EarlierVersions(bench.store, place).tidy()
    expect(bench.store.unwantedSecrets).toEqual(left)
  })
})

describe('E9: earlier versions of a removed server', () => {
  it('are deleted with it, including secrets', async () => {
    const id = await installed()
    await bench.update(id, V2)
    await bench.service.removed.remove(id, true)
    expect([bench.store.earlier, bench.keychain.values]).toEqual([[], []])
  })

  it('are restored with it, with kept secrets as shared ones', async () => {
    const id = await installed()
    await bench.update(id, V2)
    await bench.service.removed.markRemoved(id, false)
    expect(bench.service.stored.list.map(({ name }) => name)).toEqual(['Notes: Token (1.0.0)'])
    await bench.service.removed.restore(id)
    await bench.rollBack(id)
    expect(await bench.secretOf(id)).toBe('s3cret')
  })
})

describe('E9: earlier versions in the settings file', () => {
  it.each([
    ['a damaged one', [{ installationId: 'x', server: { name: 'a/b', version: '9' } }]],
    ['another value than a list', 7],
  ])('with %s are reported and kept, without affecting others', async (_what, damage) => {
    const id = await installed()
    await bench.update(id, V2)
    const document = bench.disk.document as { earlier: unknown[] }
    const bad = Array.isArray(damage) ? damage : [damage]
    const earlier = Array.isArray(damage) ? [...damage, ...document.earlier] : damage
    bench.disk.document = { ...document, earlier }
    bench.reopen()
    expect(bench.store.notices).toMatchObject([
      { severity: 'warn', noticeId: 'earlier-unreadable-1' },
    ])
    expect(bench.store.installations).toHaveLength(1)
    expect(bench.versionsOf(id)).toEqual(Array.isArray(damage) ? ['1.0.0'] : [])
    bench.store.saveSettings(bench.store.settings)
    expect((bench.disk.document as { earlier: unknown[] }).earlier).toEqual(
      expect.arrayContaining(bad as unknown[]),
    )
  })

  it('that are unreadable are deleted with their server, including secrets', async () => {
    const id = await installed()
    await bench.update(id, V2)
    bench.damage({ offer: { kind: 'package', index: 7 } })
    expect(bench.store.notices[0]?.title).toBe('Version 1.0.0 of test/notes can’t be restored')
    await bench.service.removed.remove(id, true)
    expect(bench.keychain.values).toEqual([])
    expect(bench.disk.document).toMatchObject({ earlier: [] })
  })
})
