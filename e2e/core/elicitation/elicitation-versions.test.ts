import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { elicit, ElicitationHarness, PAGE, repliesIn } from '../../fixtures/elicitation-harness'
import { pause } from '../../fixtures/pause'

const OTHER = { ...PAGE, url: 'https://evil.example/now' }

/** How often the server has asked: by requests of its own with sessions, by answers to calls without. */
async function timesAsked({ harness, id }: ElicitationHarness): Promise<number> {
  const { entries } = await harness.call('messages.read', { installationId: id })
  const isAsking = ({ direction, kind, method }: MessageEntry): boolean =>
    direction === 'received' &&
    ((kind === 'request' && method === 'elicitation/create') ||
      (kind === 'result' && method === 'tools/call'))
  return entries.filter(isAsking).length
}

describe('Servers ask back: one elicitationId used twice', () => {
  it('is one question, whose answer each of the requests gets', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const answer = asked.call('ask', { requests: [elicit(PAGE), elicit(PAGE), elicit(PAGE)] })
    await asked.question()
    await expect.poll(() => timesAsked(asked)).toBe(3)
    await pause(200)
    expect(await asked.pending()).toHaveLength(1)
    await asked.answer({ kind: 'accept' })
    expect(repliesIn(await answer)).toEqual(Array(3).fill({ action: 'accept' }))
    // When all is answered the id may come again.
    const again = asked.call('ask', { requests: [elicit(PAGE)] })
    await asked.answer({ kind: 'decline' })
    expect(repliesIn(await again)).toEqual([{ action: 'decline' }])
  })

  it('is rejected where it names another page, in the words of the protocol', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const answer = asked.call('ask', { requests: [elicit(PAGE), elicit(OTHER)] })
    // While the first is not answered: then the id may come again.
    await expect.poll(() => asked.log()).toContain('refused back-1')
    await asked.answer({ kind: 'accept' })
    expect(repliesIn(await answer)).toEqual([
      { action: 'accept' },
      { code: -32_602, message: 'Another request with this elicitationId is open.' },
    ])
  })

  it('is rejected in a round of a stateless server too, and its question taken back', async () => {
    const asked = await ElicitationHarness.open('stateless')
    const answer = asked.call('ask', { requests: [elicit(PAGE), elicit(OTHER)] })
    await expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('Another request with this elicitationId is open') as string,
    })
    await expect.poll(() => asked.pending()).toEqual([])
  })

  it('goes on for the second call when the first is given up', async () => {
    const asked = await ElicitationHarness.open('stateless')
    const controller = new AbortController()
    const { signal } = controller
    const first = asked.call('ask', { requests: [elicit(PAGE)] }, { signal })
    await asked.question()
    const second = asked.call('ask', { requests: [elicit(PAGE)] })
    await expect.poll(() => timesAsked(asked)).toBe(2)
    await pause(200)
    expect(await asked.pending()).toHaveLength(1)
    controller.abort()
    await expect(first).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await asked.question()
    const third = asked.call('ask', { requests: [elicit(PAGE)] })
    await expect.poll(() => timesAsked(asked)).toBe(3)
    await pause(200)
    expect(await asked.pending()).toHaveLength(1)
    await asked.answer({ kind: 'accept' })
    for (const answer of [second, third])
      expect(repliesIn(await answer)).toEqual([{ action: 'accept' }])
  })

  it('is one page for two calls that need it first, and both are done when its server says so', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const elicitations = [PAGE, PAGE]
    const answer = asked.call('pages', { elicitations, done: true })
    await asked.question()
    expect(await asked.pending()).toHaveLength(1)
    expect(await answer).toBe('opened')
    expect(await asked.pending()).toEqual([])
  })
})
