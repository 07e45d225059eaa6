import { beforeEach, describe, expect, it } from 'vitest'

import { V1, V2, versionOf, VersionsHarness } from '../../../e2e/fixtures/versions-harness'
import { OWN_PLACE } from '../../../src-shared/domain/installation/secret-place'

let bench: VersionsHarness
beforeEach(() => {
  bench = new VersionsHarness()
})

const installed = (): Promise<string> => bench.installFirst()

describe('E9: undoing an update', () => {
  it('restores values, a secret that the new version dropped, and the approval', async () => {
    const id = await installed()
    const { approvedPlan } = bench.now(id)
    await bench.update(id, V2, { arg_level: 'few', arg_mode: 'safe' })
    expect(bench.now(id).approvedPlan).toBeUndefined()
    expect(bench.now(id).secrets).toEqual({})
    const { asksAgain } = await bench.rollBack(id)
    expect(asksAgain).toBe(false)
    expect(bench.now(id)).toMatchObject({
      server: { version: '1.0.0' },
      values: { arg_level: 'all' },
      secrets: { arg_token: OWN_PLACE },
      approvedPlan,
    })
    expect(await bench.secretOf(id)).toBe('s3cret')
    // Once, in the installation.
    expect(bench.keychain.values).toEqual(['s3cret'])
  })

  it('restores that there was no folder and no approval', async () => {
    const id = await installed()
    await bench.update(id, V2, { arg_mode: 'safe' })
    bench.damage({ approvedPlan: undefined })
    await bench.approve(id)
    const { approvedPlan } = bench.now(id)
    expect(approvedPlan).toBeDefined()
    await bench.service.update(id, { ...bench.draft({ arg_mode: 'safe' }), cwd: '/' })
    expect(bench.now(id)).toMatchObject({ cwd: '/', approvedPlan })
    await bench.rollBack(id)
    expect(bench.now(id).cwd).toBeUndefined()
    expect(bench.now(id).approvedPlan).toBeUndefined()
  })

  it('can be undone itself, any number of times, and keeps no version twice', async () => {
    const id = await installed()
    await bench.update(id, V2, { arg_mode: 'safe' })
    await bench.approve(id)
    for (const there of ['1.0.0', '2.0.0', '1.0.0', '2.0.0']) {
      const { asksAgain, left } = await bench.rollBack(id)
      expect([bench.now(id).server.version, asksAgain]).toEqual([there, false])
      expect(bench.service.earlier.of(id)).toEqual([left])
    }
    expect(bench.now(id).values).toEqual({ arg_mode: 'safe' })
    await bench.rollBack(id)
    expect(await bench.secretOf(id)).toBe('s3cret')
    // Left again by an update: still one of each.
    await bench.update(id, V2)
    expect(bench.versionsOf(id)).toEqual(['1.0.0', '2.0.0'])
    await bench.update(id, V1)
    expect(bench.versionsOf(id)).toEqual(['2.0.0', '1.0.0'])
  })

  it("uses a secret's newer value, even under another key", async () => {
    const renamed = versionOf('2.0.0', ['level'])
    // The option has moved to the other list of arguments: another key, the same name.
    const packages = renamed.server.packages.map((pkg) => ({
      ...pkg,
      runtimeArguments: V1.server.packages.flatMap((one) => one.packageArguments.slice(1)),
    }))
    const id = await installed()
    await bench.update(id, { ...renamed, server: { ...renamed.server, packages } })
    const [key] = Object.keys(bench.now(id).secrets)
    expect(key).not.toBe('arg_token')
    await bench.service.update(id, bench.draft({ [key ?? '']: 'r0tated' }))
    await bench.rollBack(id)
    expect(await bench.secretOf(id)).toBe('r0tated')
    expect(bench.keychain.values).toEqual(['r0tated'])
  })

  it("requires approval if the command isn't the approved one", async () => {
    const id = await installed()
    await bench.update(id, V2)
    bench.damage({ values: { arg_level: 'other' } })
    expect((await bench.rollBack(id)).asksAgain).toBe(true)
  })

  it('finds a secret that an intermediate version left', async () => {
    const id = await installed()
    await bench.update(id, versionOf('1.5.0', ['token!']))
    await bench.update(id, V2)
    await bench.rollBack(id, '1.0.0')
    expect(await bench.secretOf(id)).toBe('s3cret')
    await bench.rollBack(id, '1.5.0')
    expect(await bench.secretOf(id)).toBe('s3cret')
  })

  it('names a missing secret, so that the start requests it', async () => {
    const id = await installed()
    await bench.update(id, V2)
    bench.keychain.held.clear()
    await bench.rollBack(id)
    expect(bench.now(id).secrets).toEqual({ arg_token: OWN_PLACE })
    expect(await bench.secretOf(id)).toBeUndefined()
  })

  it("isn't available for custom servers, whose changes aren't updates", async () => {
    const hand = { ...V1, source: 'hand' } as const
    const id = await bench.install(hand, {})
    await bench.update(id, { ...V2, source: 'hand' })
    expect(bench.service.earlier.of(id)).toEqual([])
  })

  it('is rejected with a message once the version is dropped', async () => {
    const id = await installed()
    await expect(bench.service.rollBack(id, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('E9: the number of earlier versions', () => {
  const at = (count: number): ReturnType<typeof versionOf> =>
    versionOf(`${String(count)}.0.0`, ['mode'])

  it("is three, and dropped versions' secrets are deleted", async () => {
    const id = await installed()
    for (const count of [2, 3, 4]) await bench.update(id, at(count))
    expect(bench.versionsOf(id)).toEqual(['3.0.0', '2.0.0', '1.0.0'])
    expect(bench.keychain.values).toEqual(['s3cret'])
    await bench.update(id, at(5))
    expect(bench.versionsOf(id)).toEqual(['4.0.0', '3.0.0', '2.0.0'])
    expect(bench.keychain.values).toEqual([])
    expect(bench.store.unwantedSecrets).toEqual([])
  })

  it('follows the setting: fewer drops some immediately, none deletes secrets without a field', async () => {
    const id = await installed()
    await bench.update(id, at(2))
    await bench.update(id, at(3))
    bench.store.saveSettings({ ...bench.store.settings, versionsKept: 1 })
    const reported: (readonly string[])[] = []
    bench.store.onDidChange(({ saved }) => reported.push(saved))
    await bench.service.earlier.tidy()
    expect(reported[0]).toEqual([id])
    expect(bench.versionsOf(id)).toEqual(['2.0.0'])
    expect(bench.keychain.values).toEqual([])
    bench.store.saveSettings({ ...bench.store.settings, versionsKept: 0 })
    const other = await bench.install(V1, { arg_token: 'x' }, 'Another')
    await bench.update(other, V2)
    expect([bench.versionsOf(other), bench.keychain.values]).toEqual([[], []])
  })

  it("is limited by size: a version that fills the settings file isn't kept", async () => {
    const id = await bench.install(V1, {})
    await bench.service.update(id, bench.draft({ arg_level: 'x'.repeat(1_000_000) }))
    await bench.update(id, V2)
    expect(bench.service.earlier.of(id)).toEqual([])
  })
})
