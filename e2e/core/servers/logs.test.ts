import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'

const SECRET = 'sk-very-hidden-value'

describe('A7 and B1: log files', () => {
  it('contain the log with masked secrets, and are deleted with their server', async () => {
    const harness = openHarness()
    const id = await harness.installReady(
      fixtureServer('colours.mjs', {
        environmentVariables: [{ name: 'PAINTER_KEY', isSecret: true }],
      }),
      { values: { env_PAINTER_KEY: SECRET } },
    )
    const folder = join(harness.profileDir, 'logs', id)
    const file = join(folder, 'server.log')
    await expect.poll(() => existsSync(file)).toBe(true)
    await harness.stop(id)
    const { files, folder: all } = await harness.call('log.usage', {})
    expect({ files, all }).toEqual({ files: 1, all: join(harness.profileDir, 'logs') })
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/Z {2}patchbay {2}info {2}Start 1, by you\n/u)
    expect(text).toMatch(/Z {2}stderr {2}error {2}ERROR cannot read config\.json: ENOENT\n/u)
    expect(text).toMatch(/Z {2}stderr {2}info {2}the key is ••••••••\n/u)
    expect(text).not.toContain(SECRET)

    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect(existsSync(folder)).toBe(false)
    expect(await harness.call('log.usage', {})).toMatchObject({ files: 0, bytes: 0 })
  })

  it('are deleted on demand, without the lines on screen', async () => {
    const harness = openHarness()
    const id = await harness.installReady(fixtureServer('plain.mjs'))
    await harness.call('log.clearFiles', {})
    expect(await harness.log(id)).toContain('Start 1, by you')
    await harness.call('settings.update', { logFileMb: 1, logDays: 1 })
    await harness.call('server.restart', { installationId: id })
    await harness.patchbay.close()
    const text = readFileSync(join(harness.profileDir, 'logs', id, 'server.log'), 'utf8')
    expect(text).toContain('Stopped')
  })
})

describe('D4: the log line of a start', () => {
  const marksOf = async (harness: Harness, id: string): Promise<string[]> =>
    (await harness.log(id)).filter((line) => line.startsWith('Start '))

  it("says whether the user, a change or the app's start caused it", async () => {
    const harness = openHarness()
    const id = await harness.installReady(fixtureServer('plain.mjs'), { name: 'Plain' })
    const marks = ['Start 1, by you', 'Start 2, after a change', 'Start 3, by you']
    const restart = async (count: number): Promise<void> => {
      await harness.call('server.restart', { installationId: id })
      await expect.poll(() => marksOf(harness, id)).toEqual(marks.slice(0, count))
      await harness.until(id, 'ready')
    }
    const draft = { name: 'Plain', values: {}, budgets: { handshakeMs: 50_000 } }
    await harness.call('installation.update', { installationId: id, ...draft })
    await restart(2)
    await restart(3)
    await harness.patchbay.close()

    const later = openHarness(harness.memory, { profileDir: harness.profileDir })
    await expect.poll(() => marksOf(later, id)).toEqual(['Start 1, at app start'])
  })
})
