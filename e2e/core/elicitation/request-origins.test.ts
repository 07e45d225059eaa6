import { describe, expect, it } from 'vitest'

import type { RequestOptions } from '../../../src-main/core/mcp/session-options'
import { elicit, ElicitationHarness, FORM, repliesIn } from '../../fixtures/elicitation-harness'
import { PROTOCOL_MODES } from '../../fixtures/gateway-harness'

describe.each(PROTOCOL_MODES)('E1: the agent of a server request, %s', (protocolMode) => {
  const answersAs = (agent: string): RequestOptions => ({
    requestOrigin: {
      agent,
      elicit: ({ message }) =>
        Promise.resolve({ action: 'accept', content: { name: `${agent} to ${String(message)}` } }),
    },
  })

  it('answers it if it can, otherwise the user does and sees which agent it was', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    expect(
      repliesIn(await elicitation.call('ask', { requests: [elicit()] }, answersAs('Claude'))),
    ).toEqual([{ action: 'accept', content: { name: 'Claude to Who are you?', colour: 'blue' } }])
    const answer = elicitation.call(
      'ask',
      { requests: [elicit()] },
      { requestOrigin: { agent: 'Claude' } },
    )
    expect((await elicitation.request()).agent).toBe('Claude')
    await elicitation.answer({ kind: 'decline' })
    expect(repliesIn(await answer)).toEqual([{ action: 'decline' }])
  })

  it('is replaced by the user if it rejects, or sends an invalid answer', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const refusals = [
      () => Promise.reject(new Error('unknown mode')),
      () => Promise.resolve({ action: 'accept', content: {} } as const),
    ]
    for (const refuse of refusals) {
      const answer = elicitation.call(
        'ask',
        { requests: [elicit()] },
        { requestOrigin: { agent: 'Claude', elicit: refuse } },
      )
      await elicitation.answer({ kind: 'decline' })
      expect(repliesIn(await answer)).toEqual([{ action: 'decline' }])
    }
  })

  it('is known for parallel stateless calls; with sessions none is named then', async () => {
    const elicitation = await ElicitationHarness.open(protocolMode)
    const calls = ['Ann', 'Bob', 'Eve', 'Joe'].map((agent) =>
      elicitation.call(
        'ask',
        { requests: [elicit({ ...FORM, message: `for ${agent}` })] },
        answersAs(agent),
      ),
    )
    if (protocolMode === 'sessions') {
      await elicitation.request(3)
      expect((await elicitation.pending()).map(({ agent }) => agent)).toEqual(
        Array(4).fill(undefined),
      )
      for (let at = 0; at < 4; at += 1) await elicitation.answer({ kind: 'decline' })
    }
    const answer = (await Promise.all(calls)).map((one) => repliesIn(one)[0])
    expect(answer).toEqual(
      ['Ann', 'Bob', 'Eve', 'Joe'].map((agent) =>
        protocolMode === 'sessions'
          ? { action: 'decline' }
          : { action: 'accept', content: { name: `${agent} to for ${agent}`, colour: 'blue' } },
      ),
    )
  })
})
