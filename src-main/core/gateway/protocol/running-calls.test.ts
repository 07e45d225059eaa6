import { afterEach, describe, expect, it } from 'vitest'

import { GatewayHarness, PROTOCOL_MODES } from '../../../../e2e/fixtures/gateway-harness'
import type { RunningCall } from '../../../../src-shared/domain/agents/activity'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

const running = (): Promise<RunningCall[]> => gateway.harness.call('activity.running', {})

describe.each(PROTOCOL_MODES)('B3: a long call of an agent (%s)', (protocolMode) => {
  it('is shown with agent, target and start time, and ends on both sides when the user cancels it', async () => {
    const { key, ids } = await gateway.start('one')
    const agent = await gateway.connect(key, protocolMode)
    const from = Date.now()
    const call = agent.call('one__echo', { ms: 600_000 })
    const failed = expect(call).rejects.toThrow('canceled: The user canceled it in Patchbay.')
    await expect.poll(async () => (await running()).length).toBe(1)
    const [shown] = await running()
    expect(shown).toMatchObject({
      ...{ agentName: 'Anna', serverName: 'one', method: 'tools/call', target: 'echo' },
      at: expect.toSatisfy((at: number) => at >= from && at <= Date.now()) as number,
    })
    await gateway.harness.call('activity.cancel', { runId: shown?.runId ?? 0 })
    await failed
    await expect.poll(() => gateway.logged(ids[0] ?? '', 'cancelled true')).toHaveLength(1)
    expect(await running()).toEqual([])
    // Canceling an ended call does nothing.
    await gateway.harness.call('activity.cancel', { runId: shown?.runId ?? 0 })
    expect(await agent.call('one__echo', { value: 1 })).toMatchObject({ value: 1 })
  })
})

describe('B3: a call that waits for approval', () => {
  it('is withdrawn when the user cancels it', async () => {
    await gateway.open()
    await gateway.addServer('one')
    const { key } = await gateway.addAgent('Anna', { confirm: 'always' })
    const agent = await gateway.connect(key, 'sessions')
    const failed = expect(agent.call('one__echo', { value: 1 })).rejects.toThrow(
      'The user canceled',
    )
    await expect.poll(async () => (await running()).length).toBe(1)
    const [shown] = await running()
    await gateway.harness.call('activity.cancel', { runId: shown?.runId ?? 0 })
    await failed
    expect((await gateway.harness.call('app.snapshot', {})).userRequests).toEqual([])
  })
})
