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
    const asked = await ElicitationHarness.open('sessions')
    const answer = asked.call('ask', { requests: [elicit(PAGE), elicit(PAGE), elicit(PAGE)] })
    await asked.request()
    await expect.poll(() => timesAsked(asked)).toBe(3)
    await pause(200)
    expect(await asked.pending()).toHaveLength(1)
    await asked.answer({ kind: 'accept' })
    expect(repliesIn(await answer)).toEqual(Array(3).fill({ action: 'accept' }))
    // After all answers the id may be used again.
    const again = asked.call('ask', { requests: [elicit(PAGE)] })
    await asked.answer({ kind: 'decline' })
    expect(repliesIn(await again)).toEqual([{ action: 'decline' }])
  })

  it("is rejected for another page, with the protocol's error", async () => {
    const asked = await ElicitationHarness.open('sessions')
    const answer = asked.call('ask', { requests: [elicit(PAGE), elicit(OTHER)] })
    // While the first is unanswered; later the id may be used again.
    await expect.poll(() => asked.log()).toContain('refused back-1')
    await asked.answer({ kind: 'accept' })
    expect(repliesIn(await answer)).toEqual([
      { action: 'accept' },
      { code: -32_602, message: 'Another request with this elicitationId is open.' },
    ])
  })

  it('is rejected in a stateless round too, and its request canceled', async () => {
    const asked = await ElicitationHarness.open('stateless')
    const answer = asked.call('ask', { requests: [elicit(PAGE), elicit(OTHER)] })
    await expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('Another request with this elicitationId is open') as string,
    })
    await expect.poll(() => asked.pending()).toEqual([])
  })

  it('continues for the second call if the first is canceled', async () => {
    const asked = await ElicitationHarness.open('stateless')
    const controller = new AbortController()
    const { signal } = controller
    const first = asked.call('ask', { requests: [elicit(PAGE)] }, { signal })
    await asked.request()
    const second = asked.call('ask', { requests: [elicit(PAGE)] })
    await expect.poll(() => timesAsked(asked)).toBe(2)
    await pause(200)
    expect(await asked.pending()).toHaveLength(1)
    controller.abort()
    await expect(first).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await asked.request()
    const third = asked.call('ask', { requests: [elicit(PAGE)] })
    await expect.poll(() => timesAsked(asked)).toBe(3)
    await pause(200)
    expect(await asked.pending()).toHaveLength(1)
    await asked.answer({ kind: 'accept' })
    for (const answer of [second, third])
      expect(repliesIn(await answer)).toEqual([{ action: 'accept' }])
  })

  it('is one page for two calls, both done when the server says so', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const elicitations = [PAGE, PAGE]
    const answer = asked.call('pages', { elicitations, done: true })
    await asked.request()
    expect(await asked.pending()).toHaveLength(1)
    expect(await answer).toBe('opened')
    expect(await asked.pending()).toEqual([])
  })
})
