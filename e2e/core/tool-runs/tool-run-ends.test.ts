import { randomUUID } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import type { UserRequest } from '../../../src-shared/domain/agents/user-request'
import { closing } from '../../fixtures/closing'
import { elicit, ElicitationHarness } from '../../fixtures/elicitation-harness'
import { fixtureServer } from '../../fixtures/fixture-server'
import { PROTOCOL_MODES } from '../../fixtures/gateway-harness'
import { ToolRunHarness } from '../../fixtures/tool-run-harness'
import { openProfile } from '../../fixtures/tools-harness'

const open = async (): Promise<ToolRunHarness> => closing(await ToolRunHarness.open())
const failedWith = (code: string): object => ({ kind: 'failed', error: { code } })

/** The open requests of a harness. */
async function questionsOf({ harness }: Pick<ToolRunHarness, 'harness'>): Promise<UserRequest[]> {
  return (await harness.call('app.snapshot', {})).userRequests
}

describe('D5: a tool run ends', () => {
  it("with the server's error, its message and data", async () => {
    const tried = await open()
    const message = 'No such thing'
    const data = { uri: 'a', why: [1, null] }
    const { toolRunId, outcome } = await tried.callTool('refuse', {
      error: { code: -32_002, message, data },
    })
    const text = JSON.stringify(data)
    expect(outcome).toEqual({ kind: 'refused', code: -32_002, message, length: text.length })
    expect(await tried.text(toolRunId)).toBe(text)
    const plain = await tried.callTool('refuse', { error: { code: 1, message: 'x'.repeat(9_000) } })
    expect(plain).toMatchObject({ outcome: { kind: 'refused', length: 0 }, hasText: false })
    expect(JSON.stringify(plain).length).toBeLessThan(20_000)
  })

  it('with all progress reported, including the last step', async () => {
    const tried = await open()
    const { toolRunId } = await tried.callTool('steps', { times: 300 })
    expect(tried.progress.at(-1)).toMatchObject({ toolRunId, progress: 300, total: 300 })
  })

  it('when canceled, and notifies the server', async () => {
    const tried = await open()
    const toolRunId = randomUUID()
    const running = tried.callTool('quiet', {}, { toolRunId })
    await expect.poll(() => tried.linesWith('waits')).toHaveLength(1)
    expect(await tried.history()).toMatchObject([{ toolRunId, hasText: false }])
    await tried.harness.call('toolRun.cancel', { toolRunId })
    expect((await running).outcome).toMatchObject(failedWith('REQUEST_CANCELLED'))
    const [id] = (await tried.linesWith('waits')).map((line) => line.replace('waits ', ''))
    await expect.poll(() => tried.linesWith(`cancelled ${id}`)).toHaveLength(1)
    // A finished run stays as it is.
    await tried.harness.call('toolRun.cancel', { toolRunId })
    expect(await tried.history()).toEqual([await running])
  })

  it('when its time is over, and notifies the server', async () => {
    const tried = await open()
    const { outcome } = await tried.callTool('quiet', {}, { timeoutMs: 1_000 })
    expect(outcome).toMatchObject(failedWith('REQUEST_TIMEOUT'))
    expect(JSON.stringify(outcome)).toContain('within 1 s')
    await expect.poll(() => tried.linesWith('cancelled')).toHaveLength(1)
  })

  it("when its server exits, and doesn't start one that the user stopped", async () => {
    const tried = await open()
    expect((await tried.callTool('die')).outcome).toMatchObject(failedWith('SERVER_EXITED'))
    await tried.harness.stop(tried.id)
    const { outcome } = await tried.callTool('give', { result: {} })
    expect(outcome).toMatchObject(failedWith('SERVER_NOT_RUNNING'))
  })

  it('with its result if the server starts on first use', async () => {
    const profile = openProfile()
    const { harness, id } = await profile.afterListing(fixtureServer('tried.mjs'), 'onFirstUse')
    const tried = new ToolRunHarness(harness, id)
    expect((await harness.view(id)).status.kind).toBe('stopped')
    const both = [tried.callTool('give', { result: {} }), tried.callTool('give', { result: {} })]
    for (const toolRun of await Promise.all(both)) expect(toolRun.outcome?.kind).toBe('result')
    expect(await harness.log(id)).toContain('Start 1, for a call')
  })

  it('when its server is removed, and is forgotten', async () => {
    const tried = await open()
    const { harness, id } = tried
    const kept = await tried.callTool('give', { result: { n: 1 } })
    const running = tried.callTool('quiet')
    await expect.poll(() => tried.linesWith('waits')).toHaveLength(1)
    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect((await running).outcome).toMatchObject({ kind: 'failed' })
    expect(await tried.history()).toEqual([])
    const text = harness.call('toolRun.text', { toolRunId: kept.toolRunId, from: 0 })
    await expect(text).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('when its server is removed before it is Ready', async () => {
    const tried = await open()
    const { harness } = tried
    const id = await harness.install(fixtureServer('hangs.mjs'))
    const running = tried.callTool('any', {}, { installationId: id })
    await harness.untilPid(id)
    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect((await running).outcome).toMatchObject({ kind: 'failed' })
  })

  it('when the app quits', async () => {
    const tried = await open()
    const running = tried.callTool('quiet')
    await expect.poll(() => tried.linesWith('waits')).toHaveLength(1)
    await tried.harness.patchbay.close()
    expect((await running).outcome).toMatchObject(failedWith('REQUEST_CANCELLED'))
  })
})

describe.each(PROTOCOL_MODES)('D5: a server request during a tool run, %s', (protocolMode) => {
  it('names its tool run, and ends when that is canceled', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const tried = new ToolRunHarness(elicitation.harness, elicitation.id)
    const toolRunId = randomUUID()
    const running = tried.callTool('ask', { requests: [elicit()] }, { toolRunId })
    expect(await elicitation.request()).toMatchObject({ installationId: elicitation.id, toolRunId })
    await elicitation.harness.call('toolRun.cancel', { toolRunId })
    expect((await running).outcome).toMatchObject(failedWith('REQUEST_CANCELLED'))
    await expect.poll(() => questionsOf(tried)).toEqual([])
  })

  it('is answered in place, and its tool run continues', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const tried = new ToolRunHarness(elicitation.harness, elicitation.id)
    const running = tried.callTool('ask', { requests: [elicit()] })
    const { toolRunId } = await elicitation.request()
    await elicitation.answer({ kind: 'accept', content: { name: 'Ann' } })
    expect((await running).toolRunId).toBe(toolRunId)
    expect(await tried.text(toolRunId ?? '')).toContain('Ann')
  })
})

describe('D5: a server request of another call', () => {
  it('belongs to no tool run', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    const tried = new ToolRunHarness(elicitation.harness, elicitation.id)
    const running = tried.callTool('quiet', {}, { timeoutMs: 20_000 })
    const answer = elicitation.call('ask', { requests: [elicit()] })
    expect((await elicitation.request()).toolRunId).toBeUndefined()
    await elicitation.answer({ kind: 'decline' })
    await answer
    await tried.harness.call('toolRun.cancel', {
      toolRunId: (await tried.history())[0]?.toolRunId ?? '',
    })
    await running
  })
})
