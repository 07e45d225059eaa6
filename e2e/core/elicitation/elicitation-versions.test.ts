import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { elicit, ElicitationHarness, PAGE, repliesIn } from '../../fixtures/elicitation-harness'
import { pause } from '../../fixtures/pause'

const OTHER = { ...PAGE, url: 'https://evil.example/now' }

/** Number of server requests: in sessions as requests, without as answers to calls. */
async function timesAsked({ harness, id }: ElicitationHarness): Promise<number> {
  const { entries } = await harness.call('messages.read', { installationId: id })
  const isAsking = ({ direction, kind, method }: MessageEntry): boolean =>
    direction === 'received' &&
    ((kind === 'request' && method === 'elicitation/create') ||
      (kind === 'result' && method === 'tools/call'))
  return entries.filter(isAsking).length
}

describe('E1: an elicitationId used twice', () => {
  it('is one request to the user, whose answer both get', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const answer = elicitation.call('ask', { requests: [elicit(PAGE), elicit(PAGE), elicit(PAGE)] })
    await elicitation.request()
    await expect.poll(() => timesAsked(elicitation)).toBe(3)
    await pause(200)
    expect(await elicitation.pending()).toHaveLength(1)
    await elicitation.answer({ kind: 'accept' })
    expect(repliesIn(await answer)).toEqual(Array(3).fill({ action: 'accept' }))
    // After all answers the id may be used again.
    const again = elicitation.call('ask', { requests: [elicit(PAGE)] })
    await elicitation.answer({ kind: 'decline' })
    expect(repliesIn(await again)).toEqual([{ action: 'decline' }])
  })

  it("is rejected for another page, with the protocol's error", async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const answer = elicitation.call('ask', { requests: [elicit(PAGE), elicit(OTHER)] })
    // While the first is unanswered; later the id may be used again.
    await expect.poll(() => elicitation.log()).toContain('refused back-1')
    await elicitation.answer({ kind: 'accept' })
    expect(repliesIn(await answer)).toEqual([
      { action: 'accept' },
      { code: -32_602, message: 'Another request with this elicitationId is open.' },
    ])
  })

  it('is rejected in a stateless round too, and its request canceled', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    const answer = elicitation.call('ask', { requests: [elicit(PAGE), elicit(OTHER)] })
    await expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('Another request with this elicitationId is open') as string,
    })
    await expect.poll(() => elicitation.pending()).toEqual([])
  })

  it('continues for the second call if the first is canceled', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    const controller = new AbortController()
    const { signal } = controller
    const first = elicitation.call('ask', { requests: [elicit(PAGE)] }, { signal })
    await elicitation.request()
    const second = elicitation.call('ask', { requests: [elicit(PAGE)] })
    await expect.poll(() => timesAsked(elicitation)).toBe(2)
    await pause(200)
    expect(await elicitation.pending()).toHaveLength(1)
    controller.abort()
    await expect(first).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await elicitation.request()
    const third = elicitation.call('ask', { requests: [elicit(PAGE)] })
    await expect.poll(() => timesAsked(elicitation)).toBe(3)
    await pause(200)
    expect(await elicitation.pending()).toHaveLength(1)
    await elicitation.answer({ kind: 'accept' })
    for (const answer of [second, third])
      expect(repliesIn(await answer)).toEqual([{ action: 'accept' }])
  })

  it('is one page for two calls, both done when the server says so', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const elicitations = [PAGE, PAGE]
    const answer = elicitation.call('pages', { elicitations, done: true })
    await elicitation.request()
    expect(await elicitation.pending()).toHaveLength(1)
    expect(await answer).toBe('opened')
    expect(await elicitation.pending()).toEqual([])
  })
})
