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

/** An agent beside the servers `one` and `two`. */
async function connected(era: AgentEra): Promise<ConnectedAgent & { readonly one: string }> {
  const { key, ids } = await bench.start('one', 'two')
  return { ...(await bench.connect(key, era)), one: ids[0] ?? '' }
}

const call = (name: string, args: object = {}): [string, object] => [
  'tools/call',
  { name, arguments: args },
]

/** Of the log of a server, those with this text. */
async function linesWith(id: string, text: string): Promise<string[]> {
  return (await bench.desk.log(id)).filter((line) => line.includes(text))
}

describe.each(ERAS)('D6 what agents of the %s era get of servers', (era) => {
  it('is the listing as it was written, with the names of the gateway', async () => {
    const { ask } = await connected(era)
    const { tools } = await ask('tools/list')
    expect(tools).toHaveLength(16)
    expect(tools).toContainEqual({
      name: 'two__echo',
      description: 'The tool echo',
      inputSchema: { type: 'object' },
      _meta: { 'example.com/of': 'two' },
    })
    const prompts = ['one', 'two'].map((of) => ({
      name: `${of}__greet`,
      arguments: [{ name: 'who' }],
    }))
    expect(await ask('prompts/list')).toMatchObject({ prompts })
    // A URI that two servers list has an address for each of them.
    const shared = ['one', 'two'].map((of) => ({
      uri: `patchbay://${of}/memo%3A%2F%2Fshared`,
      ...{ name: 'shared', title: `shared (${of})` },
    }))
    const [one, two] = ['one', 'two'].map((name) => ({ uri: `memo://${name}`, name, size: 3 }))
    expect(await ask('resources/list')).toMatchObject({ resources: [one, ...shared, two] })
    const resourceTemplates = ['one', 'two'].map((of) => ({ uriTemplate: `memo://${of}/{path}` }))
    expect(await ask('resources/templates/list')).toMatchObject({ resourceTemplates })
  })

  it('is the result as it was written, with `_meta` in both directions', async () => {
    const { ask } = await connected(era)
    const value = { deep: [1, 'ä', null], __proto__: 'x' }
    const [method, params] = call('one__echo', { value })
    const result = await ask(method, { ...params, _meta: { 'example.com/a': [1] } })
    expect(result).toMatchObject({ own: 'one', value, meta: { 'example.com/a': [1] } })
    // Patchbay wants to hear of progress itself.
    expect(Object.keys(result.meta as object)).toEqual(['example.com/a', 'progressToken'])
    const read = await ask('resources/read', { uri: 'memo://two/a%20b?c#d' })
    expect(read).toMatchObject({
      contents: [
        { uri: 'memo://two/a%20b?c#d', text: 'two has memo://two/a%20b?c#d', _meta: { a: 1 } },
      ],
      extra: true,
    })
    const prompt = { name: 'two__greet', arguments: { who: 'Bob' } }
    expect(await ask('prompts/get', prompt)).toMatchObject({
      description: 'two greet',
      messages: [{ content: { text: 'Hello Bob' } }],
    })
  })

  it('is completion by the prompt or template that it is of', async () => {
    const { ask } = await connected(era)
    const argument = { name: 'who', value: 'B' }
    const complete = async (ref: object): Promise<unknown> =>
      (await ask('completion/complete', { ref, argument })).completion
    expect(await complete({ type: 'ref/prompt', name: 'two__greet' })).toEqual({
      values: ['two greet B'],
      hasMore: false,
    })
    expect(await complete({ type: 'ref/resource', uri: 'memo://one/{path}' })).toMatchObject({
      values: ['one memo://one/{path} B'],
    })
  })

  it('is an error as the server gave it', async () => {
    const { ask } = await connected(era)
    await expect(ask(...call('one__refuse'))).rejects.toMatchObject({
      code: 4_711,
      message: 'No such thing',
      data: { thing: [1, { two: null }] },
    })
    // The client of the SDK gives it this code in any era.
    await expect(ask('resources/read', { uri: 'memo://one/missing' })).rejects.toMatchObject({
      code: -32_602,
      message: 'Resource not found',
      data: { uri: 'memo://one/missing' },
    })
  })

  it('is an error of its own for what nobody has', async () => {
    const { ask } = await connected(era)
    await expect(ask(...call('one__ech'))).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('one__echo') as string,
    })
    const invalid = { code: -32_602 }
    await expect(ask('prompts/get', { name: 'greet' })).rejects.toMatchObject(invalid)
    await expect(ask('resources/read', { uri: 7 })).rejects.toMatchObject(invalid)
    const uri = 'other://x'
    await expect(ask('resources/read', { uri })).rejects.toMatchObject({
      ...invalid,
      data: { uri },
    })
    // The newer era wants it as 404, which the client of the SDK tells as it came.
    await expect(ask('tasks/nothing')).rejects.toThrow(
      era === ERAS[0] ? 'Method not found' : /-32601.*Method not found/u,
    )
  })

  it('says of a call that dies how the server ended and what it wrote last', async () => {
    const { ask } = await connected(era)
    await expect(ask(...call('one__die'))).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/code 3[^]*the last words/u) as string,
      data: {
        code: 'SERVER_EXITED',
        exitCode: 3,
        stderr: expect.arrayContaining(['the last words']) as string[],
      },
    })
  })

  it('ends at the server when the agent cancels', async () => {
    const { ask, one } = await connected(era)
    const giveUp = new AbortController()
    const asked = ask(...call('one__echo', { ms: 60_000 }), { signal: giveUp.signal })
    await expect.poll(() => bench.desk.session(one).inFlight, POLL).toBe(1)
    giveUp.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => linesWith(one, 'cancelled true'), POLL).toHaveLength(1)
    expect(bench.desk.session(one).inFlight).toBe(0)
    expect(textOf(await ask(...call('one__echo', { value: 1 })))).toBe('one: 1')
  })
})
