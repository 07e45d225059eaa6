import { describe, expect, it } from 'vitest'

import { elicit, ElicitationHarness, PAGE, repliesIn } from '../../fixtures/elicitation-harness'

describe('E1: rejected server requests', () => {
  const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }

  it('include sampling in a session, with an explained error, counted', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const why = 'Patchbay does not offer sampling, as its capabilities state'
    const requests = [sampling, sampling, { method: 'made/up' }, elicit({ message: 'no schema' })]
    expect(repliesIn(await elicitation.call('ask', { requests }))).toEqual([
      { code: -32601, message: `sampling/createMessage is not supported: ${why}.` },
      { code: -32601, message: `sampling/createMessage is not supported: ${why}.` },
      { code: -32601, message: 'Method not found' },
      {
        code: -32602,
        message: expect.stringContaining('needs a message and either requestedSchema') as string,
      },
    ])
    expect(await elicitation.harness.view(elicitation.id)).toMatchObject({
      serverRequests: { roots: false, sampling: 2 },
    })
    const rejections = (await elicitation.log()).filter((line) =>
      line.startsWith('Sampling request rejected'),
    )
    expect(rejections).toEqual([`Sampling request rejected: ${why}`])
  })

  it("include sampling of a stateless server: the call fails, and the rest isn't asked", async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    const answer = elicitation.call('ask', { requests: [elicit(), sampling] })
    await expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('Patchbay does not offer sampling') as string,
    })
    expect(await elicitation.pending()).toEqual([])
    expect(await elicitation.harness.view(elicitation.id)).toMatchObject({
      serverRequests: { sampling: 1 },
    })
  })

  it.each([
    'http://pay.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://a:b@c.example/',
    'nothing',
  ])('include the page %s', async (url) => {
    const elicitation = await ElicitationHarness.open('sessions')
    const [reply] = repliesIn(
      await elicitation.call('ask', { requests: [elicit({ ...PAGE, url })] }),
    )
    expect(reply).toMatchObject({ code: -32602 })
    expect(await elicitation.pending()).toEqual([])
  })

  it('include endless requests', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    await expect(elicitation.call('loops')).rejects.toMatchObject({
      code: 'INVALID_ANSWER',
      message: 'The server keeps asking for more input to answer tools/call.',
    })
  })
})

describe('E1: rounds of a stateless server', () => {
  it('return the state unchanged, only to its call, with a new id', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    const answer = elicitation.call('ask', { requests: [elicit()] })
    await elicitation.request()
    expect(await elicitation.call('state')).toMatchObject({ requestState: 'only' })
    await elicitation.answer({ kind: 'decline' })
    const { requestState, id } = (await answer) as { requestState?: string; id: number }
    expect([requestState, typeof id]).toEqual([undefined, 'number'])
  })

  it('accept a result without a type as complete, and count that', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    expect(await elicitation.call('untyped')).toBe('whole')
    await expect
      .poll(async () => (await elicitation.harness.view(elicitation.id)).faults.repairs)
      .toBe(1)
  })
})

describe('E1: requests of a server with sessions', () => {
  it('are canceled when the call is answered without them', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    expect(await elicitation.call('answer', { requests: [elicit()] })).toBe('without waiting')
    await expect.poll(() => elicitation.pending()).toEqual([])
  })

  it('are for the user if no call is running, and belong to no agent', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const requestOrigin = {
      agent: 'Ann',
      elicit: () => Promise.reject(new Error('It is not hers.')),
    }
    expect(await elicitation.call('idle', { requests: [elicit()] }, { requestOrigin })).toBe('soon')
    expect((await elicitation.request()).agent).toBeUndefined()
    // So it isn't pinged, and not ended as idle.
    expect(elicitation.harness.session(elicitation.id).inFlight).toBe(1)
    await elicitation.answer({ kind: 'decline' })
    await expect
      .poll(() => elicitation.log())
      .toContain('replies [{"result":{"action":"decline"}}]')
    expect(elicitation.harness.session(elicitation.id).inFlight).toBe(0)
  })

  it('about required pages are asked, and the call is sent again when they are done', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const answer = elicitation.call('pages', { elicitations: [PAGE] })
    expect((await elicitation.request()).body).toEqual({
      kind: 'page',
      message: 'Pay',
      url: 'https://pay.example/now',
      host: 'pay.example',
    })
    await elicitation.answer({ kind: 'accept' })
    expect(await answer).toBe('opened')
  })

  it.each([undefined, 'Claude'])(
    'about pages end when the server reports them done (asked: %s)',
    async (agent) => {
      const elicitation = await ElicitationHarness.open('sessions')
      const requestOrigin = agent !== undefined && {
        requestOrigin: { agent, elicit: () => Promise.resolve({ action: 'accept' } as const) },
      }
      const answer = elicitation.call(
        'pages',
        { elicitations: [PAGE], done: true },
        requestOrigin || {},
      )
      expect(await answer).toBe('opened')
      expect(await elicitation.pending()).toEqual([])
    },
  )

  it("about declined pages fail the call with the server's error", async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const answer = elicitation.call('pages', { elicitations: [PAGE] })
    const failing = expect(answer).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      cause: { code: -32042 },
    })
    await elicitation.answer({ kind: 'decline' })
    await failing
  })
})
