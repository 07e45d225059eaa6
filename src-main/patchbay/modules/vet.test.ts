import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { Harness } from '../../../e2e/fixtures/harness'
import { checkOf } from '../../../e2e/fixtures/vetted-server'
import { memoryBackend } from '../../core/secrets/secret-vault'

const OFFER = { kind: 'package', index: 0 } as const
const VALUES = { env_VET_SECRET: 'hunter2' }
const memory = { document: null as unknown, secrets: memoryBackend() }
let harness: Harness

beforeEach(() => {
  Object.assign(memory, { document: null, secrets: memoryBackend() })
  harness = new Harness(memory)
})
afterEach(() => harness.close())

const weather = fixtureServer('vet.mjs', {
  ...{ title: 'Weather', args: ['prints-secret'] },
  environmentVariables: [{ name: 'VET_SECRET', isSecret: true, isRequired: true }],
})

async function prepare(): Promise<Parameters<typeof runEntry>[0]> {
  const { entryId } = await harness.paste(weather)
  const of = { entryId, offer: OFFER }
  const { planHash } = await harness.call('launch.preview', { of, values: VALUES })
  return { ...of, values: VALUES, approvedPlan: planHash }
}

const runEntry = (asked: {
  readonly entryId: string
  readonly offer: typeof OFFER
  readonly values: typeof VALUES
  readonly approvedPlan: string
}) => harness.call('vet.runEntry', asked)

describe('E14: a check before an installation', () => {
  it('shows no server, and keeps neither settings nor secrets', async () => {
    const shown = new Set<string>()
    harness.patchbay.onEvent((event) => shown.add(JSON.stringify(event)))
    const running = runEntry(await prepare())
    const { entryId } = await prepare()
    await expect.poll(() => harness.call('vet.progress', { entryId })).not.toBeNull()
    const progress = await harness.call('vet.progress', { entryId })
    expect(progress?.groups.map(({ group }) => group)).toEqual([
      ...['start', 'package', 'protocol', 'tools', 'errors', 'reach', 'secrets', 'end'],
    ])
    expect(progress?.groups.reduce((sum, { of }) => sum + of, 0)).toBe(progress?.of)
    expect((await harness.call('app.snapshot', {})).servers).toEqual([])
    // With its secrets it can only be deleted, even by the app's next start.
    expect(memory.document).toMatchObject({ installations: [], removed: [{}] })
    const report = await running
    expect(checkOf(report, 'secrets.output').outcome).toBe('found')
    expect([...shown].filter((text) => text.includes('Weather'))).toEqual([])
    expect(memory.document).toMatchObject({ installations: [], removed: [] })
    expect(await memory.secrets.keys()).toEqual([])
    expect(await harness.call('vet.reports', { entryId })).toMatchObject([
      { command: report.command },
    ])
  })

  it('runs only the approved command', async () => {
    const asked = await prepare()
    const other = runEntry({ ...asked, approvedPlan: 'of another command' })
    await expect(other).rejects.toMatchObject({ code: 'CONSENT_REQUIRED' })
    expect(memory.document).not.toMatchObject({ removed: [{}] })
    expect(await memory.secrets.keys()).toEqual([])
  })

  it('is deleted at the next start of a killed app', async () => {
    const running = runEntry(await prepare()).catch(() => undefined)
    const { entryId } = await prepare()
    await expect.poll(() => harness.call('vet.progress', { entryId })).not.toBeNull()
    const killed = { document: structuredClone(memory.document), secrets: memoryBackend() }
    for (const key of await memory.secrets.keys()) await killed.secrets.set(key, 'hunter2')
    expect(killed.document).toMatchObject({ removed: [{}] })
    const next = new Harness(killed)
    await expect.poll(() => killed.document).toMatchObject({ installations: [], removed: [] })
    expect(await killed.secrets.keys()).toEqual([])
    await next.close()
    await harness.call('vet.cancel', { entryId })
    await running
  })
})

describe('E14: a check of an installed server', () => {
  it('runs nothing until the user has approved the command', async () => {
    const server = fixtureServer('vet.mjs', {
      packageArguments: [{ type: 'named', name: '--mode', default: 'a' }],
    })
    const installationId = await harness.installStopped(server)
    const values = { arg_mode: 'b' }
    await harness.call('installation.update', { installationId, name: 'Weather', values })
    const check = harness.call('vet.run', { installationId })
    await expect(check).rejects.toMatchObject({ code: 'CONSENT_REQUIRED' })
    expect(await harness.call('vet.reports', { installationId })).toEqual([])
  })

  it('runs once at a time, and ends without a report when it is stopped', async () => {
    const of = { installationId: await harness.install(weather, { start: false, values: VALUES }) }
    const check = harness.call('vet.run', of)
    const stopped = expect(check).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await expect.poll(() => harness.call('vet.progress', of)).not.toBeNull()
    await expect(harness.call('vet.run', of)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await harness.call('vet.progress', of)).not.toBeNull()
    await harness.call('vet.cancel', of)
    await stopped
    expect(await harness.call('vet.progress', of)).toBeNull()
    expect(await harness.call('vet.reports', of)).toEqual([])
  })

  it('keeps pending changes pending', async () => {
    const id = await harness.install(weather, { values: VALUES })
    await harness.until(id, 'ready')
    const { name, secrets, budgets } = await harness.call('installation.read', {
      installationId: id,
    })
    const draft = { installationId: id, name, values: {}, secrets, budgets }
    const of = { installationId: id }
    const { planHash } = await harness.call('launch.preview', { of, values: {}, secrets })
    await harness.call('installation.update', {
      ...{ ...draft, values: { env_VET_SECRET: 'other' }, secrets: {} },
      approvedPlan: planHash,
    })
    const before = (await harness.view(id)).unapplied
    expect(before).not.toEqual([])
    await harness.call('vet.run', { installationId: id })
    expect((await harness.view(id)).unapplied).toEqual(before)
  })
})
