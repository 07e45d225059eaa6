import { describe, expect, it } from 'vitest'

import { elicit, ElicitationHarness, PAGE, repliesIn } from '../../fixtures/elicitation-harness'

describe('Servers ask back: what is rejected', () => {
  const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }

  it('is a model, with sessions by an error that says why; it is counted', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const why = 'Patchbay does not offer sampling, as its capabilities state'
    const requests = [sampling, sampling, { method: 'made/up' }, elicit({ message: 'no schema' })]
    expect(repliesIn(await asked.call('ask', { requests }))).toEqual([
      { code: -32601, message: `sampling/createMessage is not supported: ${why}.` },
      { code: -32601, message: `sampling/createMessage is not supported: ${why}.` },
      { code: -32601, message: 'Method not found' },
      {
        code: -32602,
        message: expect.stringContaining('needs a message and either requestedSchema') as string,
      },
    ])
    expect(await asked.harness.view(asked.id)).toMatchObject({
      asked: { roots: false, sampling: 2 },
    })
    const rejections = (await asked.log()).filter((line) =>
      line.startsWith('Sampling request rejected'),
    )
    expect(rejections).toEqual([`Sampling request rejected: ${why}`])
  })

  it('is a model, of a stateless server by the failure of the call, and nobody is asked for the rest', async () => {
    const asked = await ElicitationHarness.open('stateless')
    const answer = asked.call('ask', { requests: [elicit(), sampling] })
    await expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('Patchbay does not offer sampling') as string,
    })
    expect(await asked.pending()).toEqual([])
    expect(await asked.harness.view(asked.id)).toMatchObject({ asked: { sampling: 1 } })
  })

  it.each([
    'http://pay.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://a:b@c.example/',
    'nothing',
  ])('is the page %s', async (url) => {
    const asked = await ElicitationHarness.open('sessions')
    const [reply] = repliesIn(await asked.call('ask', { requests: [elicit({ ...PAGE, url })] }))
    expect(reply).toMatchObject({ code: -32602 })
    expect(await asked.pending()).toEqual([])
  })

  it('is to ask without end', async () => {
    const asked = await ElicitationHarness.open('stateless')
    await expect(asked.call('loops')).rejects.toMatchObject({
      code: 'INVALID_ANSWER',
      message: 'The server keeps asking for more input to answer tools/call.',
    })
  })
})

describe('Servers ask back: rounds of a stateless server', () => {
  it('send the state back as it was, to the call that it came with alone, with an id of its own', async () => {
    const asked = await ElicitationHarness.open('stateless')
    const answer = asked.call('ask', { requests: [elicit()] })
    await asked.question()
    expect(await asked.call('state')).toMatchObject({ requestState: 'only' })
    await asked.answer({ kind: 'decline' })
    const { requestState, id } = (await answer) as { requestState?: string; id: number }
    expect([requestState, typeof id]).toEqual([undefined, 'number'])
  })

  it('take a result that does not say of which type it is for the whole one, and count that', async () => {
    const asked = await ElicitationHarness.open('stateless')
    expect(await asked.call('untyped')).toBe('whole')
    await expect.poll(async () => (await asked.harness.view(asked.id)).faults.repairs).toBe(1)
  })
})

describe('Servers ask back: requests of a server with sessions', () => {
  it('are taken back when the call is answered without them', async () => {
    const asked = await ElicitationHarness.open('sessions')
    expect(await asked.call('answer', { requests: [elicit()] })).toBe('without waiting')
    await expect.poll(() => asked.pending()).toEqual([])
  })

  it('are asked of the user where no call is under way, and are nobody’s', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const requestOrigin = {
      agent: 'Ann',
      elicit: () => Promise.reject(new Error('It is not hers.')),
    }
    expect(await asked.call('idle', { requests: [elicit()] }, { requestOrigin })).toBe('soon')
    expect((await asked.question()).agent).toBeUndefined()
    // So it is not asked whether it still answers, and not ended as idle.
    expect(asked.harness.session(asked.id).inFlight).toBe(1)
    await asked.answer({ kind: 'decline' })
    await expect.poll(() => asked.log()).toContain('replies [{"result":{"action":"decline"}}]')
    expect(asked.harness.session(asked.id).inFlight).toBe(0)
  })

  it('about pages that a call needs are asked, and the call is sent once more when they are done with', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const answer = asked.call('pages', { elicitations: [PAGE] })
    expect((await asked.question()).body).toEqual({
      kind: 'page',
      message: 'Pay',
      url: 'https://pay.example/now',
      host: 'pay.example',
    })
    await asked.answer({ kind: 'accept' })
    expect(await answer).toBe('opened')
  })

  it.each([undefined, 'Claude'])(
    'about pages are over when the server says that they are done with (asked of: %s)',
    async (agent) => {
      const asked = await ElicitationHarness.open('sessions')
      const requestOrigin = agent !== undefined && {
        requestOrigin: { agent, elicit: () => Promise.resolve({ action: 'accept' } as const) },
      }
      const answer = asked.call('pages', { elicitations: [PAGE], done: true }, requestOrigin || {})
      expect(await answer).toBe('opened')
      expect(await asked.pending()).toEqual([])
    },
  )

  it('about pages that are declined fail the call as the server rejected it', async () => {
    const asked = await ElicitationHarness.open('sessions')
    const answer = asked.call('pages', { elicitations: [PAGE] })
    const failing = expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      cause: { code: -32042 },
    })
    await asked.answer({ kind: 'decline' })
    await failing
  })
})
