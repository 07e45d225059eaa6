import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'

import {
  AgentBench,
  type AgentEra,
  type ConnectedAgent,
  ERAS,
  textOf,
} from '../../../../e2e/fixtures/agent-bench'
import { POLL } from '../../../../e2e/fixtures/tool-desk'

const bench = new AgentBench()
afterEach(() => bench.close())

/** The app of an agent whose person always says this. */
async function answering(
  key: string,
  era: AgentEra,
  answer: (message: string) => object,
): Promise<ConnectedAgent> {
  const prepare = (client: Client): void => {
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message) as never)
  }
  return bench.connect(key, era, { capabilities: { elicitation: { form: {} } }, prepare })
}

/** What the tool got for its request with this message. */
async function say({ ask }: Pick<ConnectedAgent, 'ask'>, message: string): Promise<unknown> {
  return JSON.parse(textOf(await ask('tools/call', { name: 'one__ask', arguments: { message } })))
}

const accept = (name: string): object => ({ action: 'accept', content: { name } })

async function questions(): Promise<{ questionId: string; agent?: string | undefined }[]> {
  return (await bench.desk.call('app.snapshot', {})).questions
}

/** Answers the one request that Patchbay shows, of this agent. */
async function answerInApp(
  agent: string | undefined,
  answer: { kind: 'accept'; content: { name: string } } | { kind: 'decline' },
): Promise<void> {
  await expect.poll(questions, POLL).toHaveLength(1)
  const [question] = await questions()
  expect(question?.agent).toBe(agent)
  await bench.desk.call('question.answer', { questionId: question?.questionId ?? '', answer })
}

const inFlight = ([id = '']: readonly string[]): number => bench.desk.session(id).inFlight

describe.each(ERAS)('D6 what a server asks back of a call in the %s era', (era) => {
  it('comes after the approval, which the app asks for too where its profile says so', async () => {
    await bench.open()
    await bench.addServer('one')
    const profile = { confirm: 'always', asksInApp: true } as const
    const { key } = await bench.addAgent('Anna', profile)
    const asked: string[] = []
    const anna = await answering(key, era, (message) => {
      asked.push(message)
      return message.startsWith('Allow ')
        ? { action: 'accept', content: { approval: 'once' } }
        : accept('Anna')
    })
    expect(await say(anna, 'who?')).toEqual(accept('Anna'))
    expect(asked).toEqual([expect.stringMatching(/^Allow ask of one\?/u), 'who?'])
    expect(await questions()).toEqual([])
  })

  it('goes to the agent whose call it is, also with other calls open or given up', async () => {
    const { key, ids } = await bench.start('one')
    const { key: otherKey } = await bench.addAgent('Bob')
    const anna = await answering(key, era, (message) => accept(`Anna ${message}`))
    const bob = await answering(otherKey, era, (message) => accept(`Bob ${message}`))
    expect(await say(bob, 'you?')).toEqual(accept('Bob you?'))
    const slow = ['tools/call', { name: 'one__echo', arguments: { ms: 60_000 } }] as const
    const leave = new AbortController()
    const given = anna.ask(...slow, { signal: leave.signal })
    await expect.poll(() => inFlight(ids), POLL).toBe(1)
    expect(await say(anna, 'who?')).toEqual(accept('Anna who?'))
    leave.abort()
    await expect(given).rejects.toThrow()
    await expect.poll(() => inFlight(ids), POLL).toBe(0)
    expect(await say(anna, 'again?')).toEqual(accept('Anna again?'))
    expect(await questions()).toEqual([])
    // What may be for a call of another agent is asked in the app.
    const asked = say(bob, 'you?')
    await answerInApp(undefined, { kind: 'decline' })
    expect(await asked).toEqual({ action: 'decline' })
  })

  it('is answered by Patchbay’s user where the agent cannot ask, or its app fails', async () => {
    const { key } = await bench.start('one')
    const asked = say(await bench.connect(key, era), 'who?')
    await answerInApp('Anna', { kind: 'accept', content: { name: 'Carl' } })
    expect(await asked).toEqual(accept('Carl'))
    if (era === 'newer') return
    const failing = await answering(key, era, () => {
      throw new ProtocolError(-32_603, 'It has no window.')
    })
    const again = say(failing, 'who?')
    await answerInApp('Anna', { kind: 'decline' })
    expect(await again).toEqual({ action: 'decline' })
  })
})

/** One stateless request, as an app writes it. */
async function sendStateless(
  key: string,
  params: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const agent = bench.stateless(key, { elicitation: { form: {} } })
  const [message = {}] = await agent.ask(
    { id: 1, method: 'tools/call', params },
    signal && { signal },
  )
  return message
}

describe('D6 a call of the newer era that waits for its agent to ask again', () => {
  const params = { name: 'one__ask', arguments: { message: 'who?' } }

  it('takes the answer from the agent that began it alone, for the same call, and once', async () => {
    const { key, ids } = await bench.start('one')
    const { key: otherKey } = await bench.addAgent('Bob')
    type Round = { inputRequests: Record<string, unknown>; requestState: string }
    const round = async (sent: object): Promise<Round> => {
      const { result } = await sendStateless(key, sent)
      expect(result).toMatchObject({ resultType: 'input_required' })
      return result as Round
    }
    const { requestState: first } = await round(params)
    // Without the answer it asks again; each round has a state of its own.
    const { inputRequests, requestState } = await round({ ...params, requestState: first })
    const refused = { error: { code: -32_602 } }
    expect(await sendStateless(key, { ...params, requestState: first })).toMatchObject(refused)
    const [name = '', ...others] = Object.keys(inputRequests)
    expect(others).toEqual([])
    expect(inputRequests[name]).toMatchObject({
      method: 'elicitation/create',
      params: { message: 'who?' },
    })
    const again = { ...params, requestState, inputResponses: { [name]: accept('Anna') } }
    expect(await sendStateless(otherKey, again)).toMatchObject(refused)
    const changed = { ...again, arguments: { message: 'whom?' } }
    expect(await sendStateless(key, changed)).toMatchObject(refused)
    const wrong = { ...again, inputResponses: { [name]: { action: 'maybe' } } }
    expect(await sendStateless(key, wrong)).toMatchObject(refused)
    expect(inFlight(ids)).toBeGreaterThan(0)
    const { result: last } = (await sendStateless(key, again)) as {
      result: Record<string, unknown>
    }
    expect(JSON.parse(textOf(last))).toEqual(accept('Anna'))
    expect(await sendStateless(key, again)).toMatchObject(refused)
  })

  it('takes answers that come with it, each once and where it fits', async () => {
    await bench.open()
    await bench.addServer('one', 'asks-back.mjs', ['newer'])
    const { key } = await bench.addAgent('Anna')
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const form = { method: 'elicitation/create', params: { message: 'who?', requestedSchema } }
    const call = async (tool: string, answer: unknown): Promise<Record<string, unknown>> => {
      const inputResponses = { 'key-0': answer, other: accept('Nobody') }
      const args = { requests: [form] }
      const params = { name: `one__${tool}`, arguments: args, inputResponses }
      return (await sendStateless(key, params)).result as Record<string, unknown>
    }
    const complete = await call('ask', accept('Anna'))
    expect(JSON.parse(textOf(complete))).toMatchObject({
      inputResponses: { 'key-0': accept('Anna') },
    })
    const asks = { resultType: 'input_required', inputRequests: { 'key-0': form } }
    expect(await call('ask', { action: 'maybe' })).toMatchObject(asks)
    // It asks for the same again and again.
    expect(await call('loops', accept('Anna'))).toMatchObject(asks)
  })

  it('ends at its server when the agent leaves before it is asked, or is removed', async () => {
    const { key, agentId, ids } = await bench.start('one')
    const leave = new AbortController()
    const slow = { name: 'one__echo', arguments: { ms: 60_000 } }
    const asked = sendStateless(key, slow, leave.signal)
    await expect.poll(() => inFlight(ids), POLL).toBe(1)
    leave.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => inFlight(ids), POLL).toBe(0)
    await sendStateless(key, params)
    expect(inFlight(ids)).toBeGreaterThan(0)
    await bench.desk.call('agent.remove', { agentId })
    await expect.poll(() => inFlight(ids), POLL).toBe(0)
  })
})
