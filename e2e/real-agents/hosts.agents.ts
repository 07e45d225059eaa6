import { readFileSync } from 'node:fs'

import { applyEdits, modify, parse } from 'jsonc-parser'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Installed, installOnce } from '../../bench/gateway/install-once'
import { loadKeytar } from '../../src-main/adapters/keytar-secret-store'
import { HOST_APPS } from '../../src-main/core/apps/apps/host-apps'
import type { AgentView } from '../../src-shared/domain/agents/agent'
import { builtProgram } from '../fixtures/built-program'
import { GatewayHarness } from '../fixtures/gateway-harness'
import { startSecretService } from '../fixtures/secret-service'
import { LoopbackModel } from './loopback-model'
import { runWithPatchbay } from './patchbay-on-path'
import type { AppRun, PublishedApp } from './published-app'
import { PUBLISHED_APPS } from './published-apps'

const SERVICE = 'Patchbay agents test'
/** Matches the entry or its command, but not the test's folder. */
const NAMED = /patchbay(?!-core-)/u
const keyring = await startSecretService()
const installed = new Map<string, Installed>()
// One after another: some weigh hundreds of MB.
for (const app of PUBLISHED_APPS) installed.set(app.hostId, await installOnce(app.package))

function whySkipped(hostId: string): string | undefined {
  if (process.platform !== 'linux') return 'a keychain apart from the user’s is had on Linux'
  if ('unavailable' in keyring) return keyring.unavailable
  const of = installed.get(hostId)
  return of?.kind === 'there' ? undefined : of?.reason
}

/** A file's text without anything of Patchbay, as a value. */
function withoutEntry(hostId: string, text: string): unknown {
  const keys = HOST_APPS.find((one) => one.hostId === hostId)?.list.keys ?? []
  return parse(applyEdits(text, modify(text, [...keys, 'patchbay'], undefined, {})))
}

describe('D6: a published agent connected by its file', () => {
  const bench = new GatewayHarness()
  let model = new LoopbackModel()
  const program = builtProgram('e2e/fixtures/bridge-program.ts')
  beforeAll(() => {
    if (!('unavailable' in keyring)) Object.assign(process.env, keyring.env)
  })
  beforeEach(() => {
    model = new LoopbackModel()
  })
  afterEach(async () => {
    await bench.close()
    await model[Symbol.asyncDispose]()
  })
  afterAll(async () => {
    if (!('unavailable' in keyring)) await keyring.stop()
  })

  /** The harness with a server, and the app with `patchbay` on its PATH. */
  async function open(app: PublishedApp): Promise<AppRun> {
    await bench.open({}, { document: null, secrets: await loadKeytar(SERVICE) })
    await bench.addServer('one')
    const of = installed.get(app.hostId)
    return runWithPatchbay(app, {
      folder: of?.kind === 'there' ? of.folder : '',
      profileDir: bench.harness.profileDir,
      bridge: program.file,
      service: SERVICE,
      keyring,
      model: await model.open(),
    })
  }

  async function connect(fileId: string, name: string): Promise<string> {
    const agent = { kind: 'new', name } as const
    const { previewHash, obstacle } = await bench.harness.call('hosts.previewConnect', {
      fileId,
      agent,
    })
    expect(obstacle).toBeUndefined()
    const { agentId } = await bench.harness.call('hosts.connect', { fileId, agent, previewHash })
    await bench.untilOpen()
    return agentId
  }

  async function disconnect(fileId: string): Promise<void> {
    const ref = { fileId, entryName: 'patchbay' }
    const { previewHash } = await bench.harness.call('hosts.previewDisconnect', ref)
    await bench.harness.call('hosts.disconnect', { ...ref, previewHash, removesAgent: true })
  }

  async function viewOf(agentId: string): Promise<AgentView | undefined> {
    const { agents } = await bench.harness.call('app.snapshot', {})
    return agents.agents.find((one) => one.agentId === agentId)
  }

  /** Expects Patchbay to show the agent. */
  async function expectSeen(agentId: string, app: PublishedApp): Promise<void> {
    const view = async (): Promise<Partial<AgentView>> => (await viewOf(agentId)) ?? {}
    await expect.poll(view).toMatchObject({
      app: { name: app.called },
      calls: app.offers === undefined ? 0 : 1,
      errors: 0,
      ...(!app.asksNoTools && { listedAt: expect.any(Number) as number }),
    })
    if (app.asksNoTools) expect(await view()).not.toHaveProperty('listedAt')
    if (app.offers !== undefined) expect(model.offered.flat()).toContain(app.offers)
  }

  for (const app of PUBLISHED_APPS) {
    const { hostId } = app
    const why = whySkipped(hostId)
    const named = `${app.package.name} ${app.package.version}${why === undefined ? '' : ` (skipped: ${why})`}`
    it.skipIf(why !== undefined)(
      `${named} finds the server there, and no longer after disconnecting`,
      async () => {
        const run = await open(app)
        const before = readFileSync(run.file, 'utf8')
        const fileId = `${hostId}:${run.file}`
        const agentId = await connect(fileId, hostId)
        const written = readFileSync(run.file, 'utf8')

        if (app.list) expect(await run.say(app.list)).toMatch(app.shows ?? /^$/u)
        if (app.session) expect(await app.session(run)).toMatch(app.tells ?? /^$/u)
        if (app.called !== undefined) await expectSeen(agentId, app)

        const left = readFileSync(run.file, 'utf8')
        if (!app.rewrites) expect(left).toBe(written)
        await disconnect(fileId)
        const after = readFileSync(run.file, 'utf8')
        if (app.rewrites) expect(parse(after)).toEqual(withoutEntry(hostId, left))
        else expect(after).toBe(before)
        if (app.list) expect(await run.say(app.list)).not.toMatch(NAMED)
      },
    )
  }
})
