import { describe, expect, it } from 'vitest'

import type { UserRequestAnswer } from '../../../src-shared/domain/agents/user-request'
import { elicit, ElicitationHarness, PAGE, repliesIn } from '../../fixtures/elicitation-harness'
import { PROTOCOL_MODES } from '../../fixtures/gateway-harness'
import { pause } from '../../fixtures/pause'

describe.each(PROTOCOL_MODES)('E1: a form, %s', (protocolMode) => {
  it('is shown to the user, and sent as filled in with the remaining defaults', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const offered = 'offered {"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}'
    expect((await elicitation.log()).filter((line) => line.startsWith(offered))).toHaveLength(1)
    const answer = elicitation.call('ask', { requests: [elicit()] })
    const { installationId, agent, body, requestedAt, until } = await elicitation.request()
    expect([installationId, agent, until - requestedAt]).toEqual([
      elicitation.id,
      undefined,
      300_000,
    ])
    expect(body).toMatchObject({
      kind: 'form',
      message: 'Who are you?',
      fields: [
        { name: 'name', title: 'Your name', isRequired: true },
        { name: 'colour', isRequired: false, input: { kind: 'choice', default: 'blue' } },
      ],
    })
    await expect(
      elicitation.answer({ kind: 'accept', content: { name: 'x' } }),
    ).rejects.toMatchObject({
      code: 'INVALID_VALUES',
      message: 'Not sent: Your name must have at least 2 characters.',
    })
    await elicitation.answer({ kind: 'accept', content: { name: 'Ann' } })
    expect(repliesIn(await answer)).toEqual([
      { action: 'accept', content: { name: 'Ann', colour: 'blue' } },
    ])
    expect(await elicitation.pending()).toEqual([])
    const lines = await elicitation.log()
    expect(lines).toContain('Request shown in Patchbay for 2 values')
    expect(lines.join('\n')).not.toContain('Ann')
  })

  it.each<[UserRequestAnswer, string]>([
    [{ kind: 'decline' }, 'decline'],
    [{ kind: 'dismiss' }, 'cancel'],
  ])('can be declined: %j', async (given, action) => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const answer = elicitation.call('ask', { requests: [elicit()] })
    await elicitation.answer(given)
    expect(repliesIn(await answer)).toEqual([{ action }])
  })

  it('times out as configured, and its call continues', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode, {
      questionMs: 5_000,
      callMs: 4_000,
    })
    expect(repliesIn(await elicitation.call('ask', { requests: [elicit()] }))).toEqual([
      { action: 'cancel' },
    ])
  })

  it('may contain several requests, each answered separately', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const answer = elicitation.call('ask', {
      requests: [elicit(), { method: 'roots/list', params: {} }, elicit(PAGE)],
    })
    await elicitation.request(1)
    await elicitation.answer({ kind: 'accept' }, 1)
    await elicitation.answer({ kind: 'decline' })
    expect(repliesIn(await answer)).toEqual([
      { action: 'decline' },
      { roots: [] },
      { action: 'accept' },
    ])
    expect(await elicitation.harness.view(elicitation.id)).toMatchObject({
      serverRequests: { roots: true, sampling: 0 },
    })
  })

  it('is canceled with its call, and when its server stops', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const controller = new AbortController()
    const { signal } = controller
    const cancelled = elicitation.call('ask', { requests: [elicit()] }, { signal })
    await elicitation.request()
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await expect.poll(() => elicitation.pending()).toEqual([])
    const stopped = elicitation.call('ask', { requests: [elicit()] })
    const failing = expect(stopped).rejects.toMatchObject({
      stderrTail: expect.any(Array) as unknown,
    })
    await elicitation.request()
    await elicitation.harness.call('server.stop', { installationId: elicitation.id })
    await failing
    await expect.poll(() => elicitation.pending()).toEqual([])
  })

  it("pauses the call's deadline", async () => {
    const elicitation = await ElicitationHarness.open(protocolMode, { callMs: 5_000 })
    const answer = elicitation.call('ask', { requests: [elicit()] })
    await elicitation.request()
    await pause(6_000)
    await elicitation.answer({ kind: 'decline' })
    expect(repliesIn(await answer)).toEqual([{ action: 'decline' }])
    await expect(elicitation.call('quiet')).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
  })

  it('is limited to five at a time per server; more are canceled, reported once', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const answer = elicitation.call('ask', { requests: Array.from({ length: 8 }, () => elicit()) })
    await elicitation.request(4)
    expect(await elicitation.pending()).toHaveLength(5)
    for (let at = 0; at < 5; at += 1) await elicitation.answer({ kind: 'decline' })
    const actions = repliesIn(await answer).map((one) => (one as { action: string }).action)
    expect(actions.toSorted()).toEqual([
      ...Array<string>(3).fill('cancel'),
      ...Array<string>(5).fill('decline'),
    ])
    const line = 'Too many open requests from the server. Further requests are canceled'
    expect((await elicitation.log()).filter((one) => one === line)).toHaveLength(1)
  })
})
