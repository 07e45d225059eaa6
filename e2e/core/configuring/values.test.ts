import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import { fixtureServer } from '../../fixtures/fixture-server'
import { openHarness } from '../../fixtures/open-harness'

describe('A5: values', () => {
  it('reach the server unchanged, whatever they contain', async () => {
    const harness = openHarness()
    const trap = join(harness.profileDir, 'trap')
    const odd = `"double" 'single' $(touch ${trap}) \`touch ${trap}\`; | & \\ %PATH% zażółć 日本 🙂\nsecond line\n\tthird`
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--text', description: 'Any text' }],
    })
    const id = await harness.installReady(server, { values: { arg_text: odd } })
    expect(await harness.log(id)).toContain(`argv ${JSON.stringify(['--text', odd])}`)
    expect(existsSync(trap)).toBe(false)
  })
})

describe('A5: two copies of one server', () => {
  it('run in parallel with their own values', async () => {
    const harness = openHarness()
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--mode', description: 'A mode' }],
    })
    const modes = ['a', 'b']
    const ids: string[] = []
    for (const mode of modes)
      ids.push(await harness.install(server, { name: mode, values: { arg_mode: mode } }))
    const views = await Promise.all(ids.map((id) => harness.until(id, 'ready')))
    expect(new Set(views.map(({ pid }) => pid)).size).toBe(2)
    for (const [index, id] of ids.entries()) {
      const argvs = (await harness.log(id)).filter((line) => line.startsWith('argv '))
      expect(argvs).toEqual([`argv ["--mode","${modes[index] ?? ''}"]`])
    }
  })
})

describe('A5: the working folder', () => {
  it('is the home folder wherever Patchbay was started, and is shown before consent', async () => {
    const harness = openHarness()
    const { entryId } = await harness.paste(fixtureServer('plain.mjs'))
    const of = { entryId, offer: { kind: 'package', index: 0 } } as const
    const preview = await harness.call('launch.preview', { of, values: {} })
    expect(preview).toMatchObject({ cwd: homedir() })
    const id = await harness.installReady(fixtureServer('plain.mjs'))
    expect(await harness.log(id)).toContain(`folder ${realpathSync(homedir())}`)
  })
})

describe('A6: a missing value', () => {
  it('stops the start before any spawn, names the field, and delays no other server', async () => {
    const harness = openHarness()
    const server = fixtureServer('plain.mjs', {
      packageArguments: [
        { type: 'named', name: '--dir', description: 'A folder', isRequired: true },
      ],
    })
    const id = await harness.install(server, { asItIs: true })
    const { status, phases } = await harness.until(id, 'error')
    expect(status).toMatchObject({ code: 'CONFIG_INCOMPLETE', fields: [{ fieldKey: 'arg_dir' }] })
    expect(phases.map(({ phase }) => phase)).toEqual(['resolve'])
    await harness.until(await harness.install(fixtureServer('noisy.mjs')), 'ready')
  })
})

describe('D3: consent', () => {
  it('is requested again when the command changes', async () => {
    const harness = openHarness()
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--mode', description: 'A mode', default: 'a' }],
    })
    const id = await harness.installReady(server)
    const change = { installationId: id, name: 'plain', values: { arg_mode: 'b' } }
    await harness.call('installation.update', change)
    await harness.call('server.restart', { installationId: id })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
  })

  it('is valid only for the command shown', async () => {
    const harness = openHarness()
    const entry = await harness.paste(fixtureServer('plain.mjs'))
    const create = harness.call('installation.create', {
      entryId: entry.entryId,
      offer: { kind: 'package', index: 0 },
      name: 'plain',
      values: {},
      start: true,
      approvedPlan: 'f'.repeat(64),
    })
    await expect(create).rejects.toMatchObject({ code: 'CONSENT_REQUIRED' })
    expect((await harness.call('app.snapshot', {})).servers).toEqual([])
  })
})

describe('A2 and A7: secrets', () => {
  it('are only in the keychain, reach the server, and are masked in its log', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--key', isSecret: true, isRequired: true }],
    })
    const id = await harness.installReady(server, { values: { arg_key: 'hunter2-hunter2' } })
    expect(JSON.stringify(memory.document)).not.toContain('hunter2')
    expect(await memory.secrets.get(`${id}/arg_key`)).toBe('hunter2-hunter2')
    expect(await harness.log(id)).toContain('argv ["--key","••••••••"]')
    expect(
      JSON.stringify(await harness.call('installation.read', { installationId: id })),
    ).not.toContain('hunter2')
  })
})

describe('D1: reopening the app', () => {
  it('restores and starts enabled servers and leaves the others stopped', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const first = openHarness(memory)
    const plain = await first.install(fixtureServer('plain.mjs'))
    const off = await first.install(fixtureServer('noisy.mjs'))
    await first.call('installation.setEnabled', { installationId: off, enabled: false })
    await first.patchbay.close()
    const second = openHarness(memory)
    await second.until(plain, 'ready')
    expect((await second.view(off)).status).toEqual({ kind: 'stopped' })
  })
})
