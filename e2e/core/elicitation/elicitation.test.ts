import { describe, expect, it } from 'vitest'

import type { UserRequestAnswer } from '../../../src-shared/domain/agents/user-request'
import { elicit, ElicitationHarness, PAGE, repliesIn } from '../../fixtures/elicitation-harness'
import { PROTOCOL_MODES } from '../../fixtures/gateway-harness'
import { pause } from '../../fixtures/pause'

describe.each(PROTOCOL_MODES)('E1: a form, %s', (protocolMode) => {
  it('is shown to the user, and sent as filled in with the remaining defaults', async () => {
    const asked = await ElicitationHarness.open(protocolMode)
    const offered = 'offered {"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}'
    expect((await asked.log()).filter((line) => line.startsWith(offered))).toHaveLength(1)
    const answer = asked.call('ask', { requests: [elicit()] })
    const { installationId, agent, body, requestedAt, until } = await asked.request()
    expect([installationId, agent, until - requestedAt]).toEqual([asked.id, undefined, 300_000])
    expect(body).toMatchObject({
      kind: 'form',
      message: 'Who are you?',
      fields: [
        { name: 'name', title: 'Your name', isRequired: true },
        { name: 'colour', isRequired: false, input: { kind: 'choice', default: 'blue' } },
      ],
    })
    await expect(asked.answer({ kind: 'accept', content: { name: 'x' } })).rejects.toMatchObject({
      code: 'INVALID_VALUES',
      message: 'Not sent: Your name must have at least 2 characters.',
    })
    await asked.answer({ kind: 'accept', content: { name: 'Ann' } })
    expect(repliesIn(await answer)).toEqual([
      { action: 'accept', content: { name: 'Ann', colour: 'blue' } },
    ])
    expect(await asked.pending()).toEqual([])
    const lines = await asked.log()
    expect(lines).toContain('Request shown in Patchbay for 2 values')
    expect(lines.join('\n')).not.toContain('Ann')
  })

  it.each<[UserRequestAnswer, string]>([
    [{ kind: 'decline' }, 'decline'],
    [{ kind: 'dismiss' }, 'cancel'],
  ])('can be declined: %j', async (given, action) => {
    const asked = await ElicitationHarness.open(protocolMode)
    const answer = asked.call('ask', { requests: [elicit()] })
    await asked.answer(given)
    expect(repliesIn(await answer)).toEqual([{ action }])
  })

  it('times out as configured, and its call continues', async () => {
    const asked = await ElicitationHarness.open(protocolMode, {
      questionMs: 5_000,
      callMs: 4_000,
    })
    expect(repliesIn(await asked.call('ask', { requests: [elicit()] }))).toEqual([
      { action: 'cancel' },
    ])
  })

  it('may contain several requests, each answered separately', async () => {
    const asked = await ElicitationHarness.open(protocolMode)
    const answer = asked.call('ask', {
      requests: [elicit(), { method: 'roots/list', params: {} }, elicit(PAGE)],
    })
    await asked.request(1)
    await asked.answer({ kind: 'accept' }, 1)
    await asked.answer({ kind: 'decline' })
    expect(repliesIn(await answer)).toEqual([
      { action: 'decline' },
      { roots: [] },
      { action: 'accept' },
    ])
    expect(await asked.harness.view(asked.id)).toMatchObject({
      asked: { roots: true, sampling: 0 },
    })
  })

  it('is canceled with its call, and when its server stops', async () => {
    const asked = await ElicitationHarness.open(protocolMode)
    const controller = new AbortController()
    const { signal } = controller
    const cancelled = asked.call('ask', { requests: [elicit()] }, { signal })
    await asked.request()
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await expect.poll(() => asked.pending()).toEqual([])
    const stopped = asked.call('ask', { requests: [elicit()] })
    const failing = expect(stopped).rejects.toMatchObject({
      stderrTail: expect.any(Array) as unknown,
    })
    await asked.request()
    await asked.harness.call('server.stop', { installationId: asked.id })
    await failing
    await expect.poll(() => asked.pending()).toEqual([])
  })

  it("pauses the call's deadline", async () => {
    const asked = await ElicitationHarness.open(protocolMode, { callMs: 5_000 })
    const answer = asked.call('ask', { requests: [elicit()] })
    await asked.request()
    await pause(6_000)
    await asked.answer({ kind: 'decline' })
    expect(repliesIn(await answer)).toEqual([{ action: 'decline' }])
    await expect(asked.call('quiet')).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
  })

  it('is limited to five at a time per server; more are canceled, reported once', async () => {
    const asked = await ElicitationHarness.open(protocolMode)
    const answer = asked.call('ask', { requests: Array.from({ length: 8 }, () => elicit()) })
    await asked.request(4)
    expect(await asked.pending()).toHaveLength(5)
    for (let at = 0; at < 5; at += 1) await asked.answer({ kind: 'decline' })
    const actions = repliesIn(await answer).map((one) => (one as { action: string }).action)
    expect(actions.toSorted()).toEqual([
      ...Array<string>(3).fill('cancel'),
      ...Array<string>(5).fill('decline'),
    ])
    const line = 'Too many open requests from the server. Further requests are canceled'
    expect((await asked.log()).filter((one) => one === line)).toHaveLength(1)
  })
})
