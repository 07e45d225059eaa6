import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'

import {
  type AgentMode,
  type ConnectedAgent,
  GatewayHarness,
  PROTOCOL_MODES,
  textOf,
} from '../../../../e2e/fixtures/gateway-harness'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

/** Connects an agent whose app always answers like this. */
async function answering(
  key: string,
  protocolMode: AgentMode,
  answer: (message: string) => object,
): Promise<ConnectedAgent> {
  const prepare = (client: Client): void => {
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message) as never)
  }
  return gateway.connect(key, protocolMode, {
    capabilities: { elicitation: { form: {} } },
    prepare,
  })
}

/** Returns the elicitation result that the tool received for this message. */
async function say({ call }: ConnectedAgent, message: string): Promise<unknown> {
  return JSON.parse(textOf(await call('one__ask', { message })))
}

const accept = (name: string): object => ({ action: 'accept', content: { name } })

async function requests(): Promise<{ requestId: string; agent?: string | undefined }[]> {
  return (await gateway.harness.call('app.snapshot', {})).userRequests
}

/** Answers the only request that Patchbay shows, which has to be of this agent. */
async function answerInApp(
  agent: string | undefined,
  answer: { kind: 'accept'; content: { name: string } } | { kind: 'decline' },
): Promise<void> {
  await expect.poll(requests).toHaveLength(1)
  const [request] = await requests()
  expect(request?.agent).toBe(agent)
  await gateway.harness.call('userRequest.answer', { requestId: request?.requestId ?? '', answer })
}

describe.each(PROTOCOL_MODES)('D6: elicitation during a call, %s', (protocolMode) => {
  it('follows the approval, which the app also shows if its profile says so', async () => {
    await gateway.start('one')
    const { key } = await gateway.addAgent('Eve', { confirm: 'always', asksInApp: true })
    const asked: string[] = []
    const eve = await answering(key, protocolMode, (message) => {
      asked.push(message)
      const isApproval = message.startsWith('Allow ')
      return isApproval ? { action: 'accept', content: { approval: 'once' } } : accept('Eve')
    })
    expect(await say(eve, 'who?')).toEqual(accept('Eve'))
    expect(asked).toEqual([expect.stringMatching(/^Allow ask of one\?/u), 'who?'])
    expect(await requests()).toEqual([])
  })

  it('goes to the agent of the call, even with other calls open or canceled', async () => {
    const { key, ids } = await gateway.start('one')
    const { key: otherKey } = await gateway.addAgent('Bob')
    const anna = await answering(key, protocolMode, (message) => accept(`Anna ${message}`))
    const bob = await answering(otherKey, protocolMode, (message) => accept(`Bob ${message}`))
    expect(await say(bob, 'you?')).toEqual(accept('Bob you?'))
    const leave = new AbortController()
    const given = anna.call('one__echo', { ms: 60_000 }, { signal: leave.signal })
    await expect.poll(() => gateway.inFlight(ids[0])).toBe(1)
    expect(await say(anna, 'who?')).toEqual(accept('Anna who?'))
    leave.abort()
    await expect(given).rejects.toThrow()
    await expect.poll(() => gateway.inFlight(ids[0])).toBe(0)
    expect(await say(anna, 'again?')).toEqual(accept('Anna again?'))
    expect(await requests()).toEqual([])
    // If the request may belong to another agent's call, Patchbay asks.
    const asked = say(bob, 'you?')
    await answerInApp(undefined, { kind: 'decline' })
    expect(await asked).toEqual({ action: 'decline' })
  })

  it("is answered in Patchbay if the agent can't ask or its app fails", async () => {
    const { key } = await gateway.start('one')
    const asked = say(await gateway.connect(key, protocolMode), 'who?')
    await answerInApp('Anna', { kind: 'accept', content: { name: 'Carl' } })
    expect(await asked).toEqual(accept('Carl'))
    if (protocolMode === 'stateless') return
    const failing = await answering(key, protocolMode, () => {
      throw new ProtocolError(-32_603, 'It has no window.')
    })
    const again = say(failing, 'who?')
    await answerInApp('Anna', { kind: 'decline' })
    expect(await again).toEqual({ action: 'decline' })
  })
})

describe('F16: pages that a server wants opened', () => {
  const ELICITATION = { elicitationId: 'page-7', url: 'https://pay.example/now', message: 'Pay' }
  const call = (args: object): object => {
    return { id: 1, method: 'tools/call', params: { name: 'one__pages', arguments: args } }
  }

  /** Opens a session of an agent whose app opens pages. */
  async function session(): Promise<Awaited<ReturnType<GatewayHarness['session']>>> {
    await gateway.open()
    await gateway.addServer('one', 'asks-back.mjs', ['sessions'])
    const { key } = await gateway.addAgent('Anna')
    return gateway.session(key, { capabilities: { elicitation: { url: {} } } })
  }

  it('are listed in the error if the agent opens pages, and it is notified of completion', async () => {
    const { ask, send } = await session()
    const answers = await ask(call({ elicitations: [ELICITATION], done: true }))
    const error = { code: -32_042, message: 'Pages first', data: { elicitations: [ELICITATION] } }
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, error }])
    const stream = await send(undefined, { method: 'GET' })
    const texts = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('page-7')) text += (await texts?.read())?.value ?? ''
    expect(text).toContain('"notifications/elicitation/complete"')
    await texts?.cancel()
    expect(await ask(call({}))).toMatchObject([{ result: { content: [{ text: '"opened"' }] } }])
    expect(await requests()).toEqual([])
  })

  it("go to the agent's newest window, even right after another one canceled a call", async () => {
    const { key, ids } = await gateway.start('one')
    const leave = new AbortController()
    const anna = await answering(key, 'sessions', () => accept('first window'))
    const given = anna.call('one__echo', { ms: 60_000 }, { signal: leave.signal })
    await expect.poll(() => gateway.inFlight(ids[0])).toBe(1)
    const second = await answering(key, 'sessions', () => accept('second window'))
    expect(await say(second, 'who?')).toEqual(accept('second window'))
    leave.abort()
    await expect(given).rejects.toThrow()
    expect(await say(second, 'again?')).toEqual(accept('second window'))
    expect(await requests()).toEqual([])
  })
})

describe('F7: an invalid elicitation result of an agent', () => {
  it('moves the request to Patchbay, and the log reports it in a sentence', async () => {
    const { key, ids } = await gateway.start('one')
    const { send } = await gateway.session(key, { capabilities: { elicitation: {} } })
    const params = { name: 'one__ask', arguments: { message: 'who?' } }
    const called = await send({ id: 1, method: 'tools/call', params })
    const texts = called.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await texts?.read())?.value).toContain('elicitation-1')
    await send({ id: 'elicitation-1', result: { action: 'perhaps' } })
    await answerInApp('Anna', { kind: 'decline' })
    expect((await texts?.read())?.value).toContain('decline')
    const line = 'Patchbay shows the request: The response is not a valid elicitation result.'
    expect(await gateway.logged(ids[0] ?? '', line)).toHaveLength(1)
  })
})

/** Returns the response to one stateless call, in the form that an app sends. */
async function sendStateless(key: string, params: object): Promise<Record<string, unknown>> {
  const agent = gateway.stateless(key, { elicitation: { form: {} } })
  const [message = {}] = await agent.ask({ id: 1, method: 'tools/call', params })
  return message
}

describe('D6: a stateless call that waits for its next round', () => {
  const params = { name: 'one__ask', arguments: { message: 'who?' } }
  type Round = {
    inputRequests: Record<string, unknown>
    requestState: string
    content: { text: string }[]
  }
  const round = async (key: string, sent: object, resultType: string): Promise<Round> => {
    const { result } = await sendStateless(key, sent)
    expect(result).toMatchObject({ resultType })
    return result as Round
  }

  it('accepts an answer only from its own agent, for the same call, and once', async () => {
    const { key, ids } = await gateway.start('one')
    const { key: otherKey } = await gateway.addAgent('Bob')
    const { requestState: first } = await round(key, params, 'input_required')
    // Without an answer the call asks again; each round has its own state.
    const again = { ...params, requestState: first }
    const { inputRequests, requestState } = await round(key, again, 'input_required')
    const [name = ''] = Object.keys(inputRequests)
    const asked = { method: 'elicitation/create', params: { message: 'who?' } }
    expect(inputRequests).toMatchObject({ [name]: asked })
    const answered = { ...params, requestState, inputResponses: { [name]: accept('Anna') } }
    const rejected = { error: { code: -32_602 } }
    for (const [of, sent] of [
      [key, again],
      [otherKey, answered],
      [key, { ...answered, arguments: { message: 'whom?' } }],
      [key, { ...answered, inputResponses: { [name]: { action: 'maybe' } } }],
    ] as const)
      expect(await sendStateless(of, sent), JSON.stringify(sent)).toMatchObject(rejected)
    expect(gateway.inFlight(ids[0])).toBeGreaterThan(0)
    const last = await round(key, answered, 'complete')
    expect(JSON.parse(textOf(last))).toEqual(accept('Anna'))
    expect(await sendStateless(key, answered)).toMatchObject(rejected)
  })

  it('uses answers that come with the call, each once and only if valid', async () => {
    await gateway.open()
    await gateway.addServer('one', 'asks-back.mjs', ['stateless'])
    const { key } = await gateway.addAgent('Anna')
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const form = { method: 'elicitation/create', params: { message: 'who?', requestedSchema } }
    const call = (tool: string, answer: unknown, resultType: string): Promise<Round> => {
      const inputResponses = { 'key-0': answer, other: accept('Nobody') }
      const args = { requests: [form] }
      return round(key, { name: `one__${tool}`, arguments: args, inputResponses }, resultType)
    }
    const inputResponses = { 'key-0': accept('Anna') }
    const complete = await call('ask', accept('Anna'), 'complete')
    expect(JSON.parse(textOf(complete))).toMatchObject({ inputResponses })
    const { inputRequests } = await call('ask', { action: 'maybe' }, 'input_required')
    expect(inputRequests).toMatchObject({ 'key-0': form })
    // This tool asks for the same again and again.
    const looping = await call('loops', accept('Anna'), 'input_required')
    expect(looping.inputRequests).toMatchObject({ 'key-0': form })
  })

  it('is canceled at its server when the agent is removed', async () => {
    const { key, agentId, ids } = await gateway.start('one')
    await round(key, params, 'input_required')
    expect(gateway.inFlight(ids[0])).toBeGreaterThan(0)
    await gateway.harness.call('agent.remove', { agentId })
    await expect.poll(() => gateway.inFlight(ids[0])).toBe(0)
  })
})
