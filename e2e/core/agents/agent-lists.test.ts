import { describe, expect, it } from 'vitest'

import {
  activityOn,
  agentOn,
  callsOn,
  harnessWithCalls,
  READ,
} from '../../fixtures/agent-calls-harness'
import { fixtureServer } from '../../fixtures/fixture-server'
import { openOffer, serveOn } from '../../fixtures/tools-harness'

const open = harnessWithCalls()

describe('C2: resources and prompts', () => {
  it('are requested from the server that has them', async () => {
    const harness = await open()
    for (const name of ['one', 'two']) {
      const server = fixtureServer('rich.mjs', { title: name, args: [name] })
      await serveOn(harness, server, name)
    }
    const agent = await agentOn(harness)
    const calls = callsOn(harness)
    expect((await calls.read({ agent, uri: 'memo://two' })).result).toMatchObject({
      contents: [{ text: 'two has memo://two' }],
    })
    expect((await calls.read({ agent, uri: 'memo://two/part' })).result).toMatchObject({
      contents: [{ text: 'two has memo://two/part' }],
    })
    await expect(calls.read({ agent, uri: 'memo://shared' })).rejects.toMatchObject({
      message: 'Several servers offer this resource: one and two.',
    })
    await expect(calls.read({ agent, uri: 'db://x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      (await calls.getPrompt({ agent, name: 'two__greet', args: { who: 'you' } })).result,
    ).toMatchObject({ description: 'two greet' })
    await expect(calls.getPrompt({ agent, name: 'greet', args: {} })).rejects.toMatchObject({
      hint: 'The closest names are one__greet, two__greet.',
    })
    const ref = { type: 'ref/prompt', name: 'two__greet' }
    expect(
      (await calls.complete({ agent, ref, argument: { name: 'who', value: 'y' } })).result,
    ).toMatchObject({
      completion: { values: ['two greet y'] },
    })
    const template = { type: 'ref/resource', uri: 'memo://two/{path}' }
    expect(
      (await calls.complete({ agent, ref: template, argument: { name: 'path', value: 'p' } }))
        .result,
    ).toMatchObject({
      completion: { values: ['two memo://two/{path} p'] },
    })
    expect(
      (await activityOn(harness)).map(({ method, outcome }) => `${method} ${outcome}`),
    ).toEqual([
      ...[
        'completion/complete ok',
        'completion/complete ok',
        'prompts/get rejected',
        'prompts/get ok',
      ],
      ...[
        'resources/read rejected',
        'resources/read rejected',
        'resources/read ok',
        'resources/read ok',
      ],
    ])
  })
})

describe('C3: search mode', () => {
  it('finds tools by what they do, and calls them with the same checks', async () => {
    const harness = await open()
    const many = Array.from({ length: 300 }, (_, at) => ({
      ...READ,
      name: `tool${String(at)}`,
      description: `Number ${String(at)}`,
    }))
    const mail = { ...READ, name: 'sendMail', description: 'Sends a letter to somebody' }
    await serveOn(harness, openOffer({ tools: [...many, mail] }).server)
    const agent = await agentOn(harness, { searchMode: true, toolCap: 10 })
    const calls = callsOn(harness)
    const find = async (
      args: unknown,
    ): Promise<{ tools: { name: string; inputSchema: object }[] }> => {
      const answer = await calls.call({ agent, name: 'find_tools', args })
      const result = answer.result as { content: { text: string }[] }
      return JSON.parse(result.content[0]?.text ?? '') as {
        tools: { name: string; inputSchema: object }[]
      }
    }
    const { tools } = await find({ query: 'send an email letter' })
    expect(tools[0]).toEqual({
      name: 'offers__sendMail',
      description: 'Sends a letter to somebody',
      inputSchema: READ.inputSchema,
    })
    expect((await find({ query: 'mail', limit: 1 })).tools).toHaveLength(1)
    expect((await find({ query: '' })).tools).toHaveLength(8)
    expect(await find({ query: 'zzzz' })).toEqual({
      tools: [],
      hint: expect.stringContaining('offers') as string,
    })
    await expect(find({ query: 1 })).rejects.toThrow('query must be a string')
    const call = async (args: unknown, argsText?: string): Promise<unknown> =>
      (await calls.call({ agent, name: 'call_tool', args, argsText })).result
    expect(await call({ name: 'offers__sendMail', arguments: { path: 'a' } })).toMatchObject({
      content: [{ text: JSON.stringify({ name: 'sendMail', arguments: { path: 'a' } }) }],
    })
    await expect(call({ name: 'offers__sendMail', arguments: { path: 1 } })).rejects.toThrow(
      'path must be a string',
    )
    expect(await call({ name: 'offers__sendMail', arguments: '{"path":"b"}' })).toMatchObject({
      content: [{ text: JSON.stringify({ name: 'sendMail', arguments: { path: 'b' } }) }],
    })
    await expect(call({ arguments: {} })).rejects.toThrow('"name" is required')
    const twice = '{"name": "offers__sendMail", "arguments": {"path": "a", "path": "b"}}'
    await expect(call(JSON.parse(twice), twice)).rejects.toThrow(
      'Duplicate key "path" in arguments',
    )
    await expect(call({ name: 'find_tools', arguments: {} })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const targets = (await activityOn(harness)).map(({ target }) => target)
    expect(new Set(targets)).toEqual(new Set(['find_tools', 'call_tool', 'sendMail']))
  })
})
