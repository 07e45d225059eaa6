import { describe, expect, it } from 'vitest'

import {
  activityOn,
  agentOn,
  callsOn,
  harnessWithCalls,
  READ,
} from '../../../e2e/fixtures/agent-calls-harness'
import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { openOffer, serveOn } from '../../../e2e/fixtures/tools-harness'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'

const open = harnessWithCalls()

describe('C8: a call of an agent', () => {
  it("reaches the server under its own name, and returns the server's exact result", async () => {
    const harness = await open()
    await serveOn(harness, openOffer({ tools: [READ] }).server)
    const agent = await agentOn(harness, { naming: 'plain' })
    const calls = callsOn(harness)
    const args = { path: '/a' }
    const expected = {
      content: [{ type: 'text', text: JSON.stringify({ name: 'read', arguments: args }) }],
    }
    expect((await calls.call({ agent, name: 'read', args })).result).toEqual(expected)
    // The prefixed name stays valid, too.
    expect((await calls.call({ agent, name: 'offers__read', args })).result).toEqual(expected)
    const { text, result } = await calls.call({ agent, name: 'read', args })
    expect([JSON.parse(String(text)), result]).toEqual([expected, expected])
  })

  it('names similar tools, but reveals nothing about servers hidden from the agent', async () => {
    const harness = await open()
    const first = await serveOn(harness, openOffer({ tools: [READ, 'write'] }).server, 'first')
    await serveOn(harness, openOffer({ tools: [READ] }).server, 'second')
    const calls = callsOn(harness)
    const plain = await agentOn(harness, { naming: 'plain' })
    await expect(calls.call({ agent: plain, name: 'read', args: {} })).rejects.toMatchObject({
      message: 'read is ambiguous: several tools have this name.',
      hint: 'Use one of these names: first__read or second__read.',
    })
    const list = [{ installationId: first, choice: { kind: 'list' as const, names: ['write'] } }]
    const narrow = await agentOn(harness, { servers: { kind: 'list', list } })
    await expect(
      calls.call({ agent: narrow, name: 'first__read', args: {} }),
    ).rejects.toMatchObject({
      message: 'first__read is not available to this agent.',
    })
    await expect(
      calls.call({ agent: narrow, name: 'second__read', args: {} }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Unknown tool: no available server has a tool with this name.',
    })
    const capped = await agentOn(harness, { toolCap: 1 })
    await expect(
      calls.call({ agent: capped, name: 'second__read', args: {} }),
    ).rejects.toMatchObject({
      code: 'TOOL_NOT_EXPOSED',
      message: "second__read is over this agent's tool limit.",
    })
  })
})

describe('C11: invalid arguments', () => {
  it('are never sent, and the activity shows the reason', async () => {
    const harness = await open()
    const id = await serveOn(harness, openOffer({ tools: [READ] }).server)
    const agent = await agentOn(harness)
    const calls = callsOn(harness)
    const call = (args: unknown, argsText?: string): Promise<unknown> =>
      calls.call({ agent, name: 'offers__read', args, argsText })
    const { byteCounts } = harness.session(id).connection
    const before = { ...byteCounts }
    for (const args of [{ path: 1 }, '{"path": "a"', ['a'], { path_after: 'a' }, {}])
      await expect(call(args)).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    await expect(call({ path: 'b' }, '{"path": "a", "path": "b"}')).rejects.toThrow('Duplicate key')
    expect({ ...harness.session(id).connection.byteCounts }).toEqual(before)
    const kept = await activityOn(harness)
    expect(kept.map(({ outcome, target, serverName }) => [outcome, target, serverName])).toEqual(
      Array(6).fill(['rejected', 'read', 'offers']),
    )
    expect(kept.at(-1)?.message).toContain('path must be a string, got the number 1.')
  })

  it("are sent unchecked if the schema can't be evaluated, and the server's log reports that once", async () => {
    const harness = await open()
    const schema = { type: 'object', properties: { path: { $ref: '#/properties/path' } } }
    const offer = openOffer({ tools: [{ name: 'read', inputSchema: schema }] })
    const id = await serveOn(harness, offer.server)
    const agent = await agentOn(harness)
    const calls = callsOn(harness)
    const args = { path: 'b' }
    for (const round of [1, 2]) {
      const { result } = await calls.call({ agent, name: 'offers__read', args })
      expect(result, String(round)).toMatchObject({
        content: [{ text: JSON.stringify({ name: 'read', arguments: args }) }],
      })
    }
    const reported = (await harness.log(id)).filter((line) => line.includes('sent unchecked'))
    expect(reported).toHaveLength(1)
  })
})

describe('The activity of agents', () => {
  it('contains every call with outcome and sizes, and arguments if the profile stores them', async () => {
    const harness = await open()
    const id = await serveOn(harness, fixtureServer('works.mjs', { title: 'works' }))
    const quiet = await agentOn(harness)
    const kept = await agentOn(harness, { keepsArguments: true })
    const calls = callsOn(harness)
    await calls.call({ agent: quiet, name: 'works__slow', args: { ms: 1 } })
    await calls.call({ agent: kept, name: 'works__slow', args: { ms: 1, password: 'hunter2' } })
    await expect(calls.call({ agent: kept, name: 'works__fail', args: {} })).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
    })
    const giving = new AbortController()
    const given = calls.call({ agent: kept, name: 'works__slow', args: {}, signal: giving.signal })
    await expect.poll(() => harness.session(id).inFlight).toBe(1)
    giving.abort()
    await expect(given).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await expect(calls.call({ agent: kept, name: 'works__gone', args: {} })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const [gone, cancelled, failed, second, first] = await activityOn(harness)
    expect(first).toMatchObject({
      ...{ agentId: quiet.agentId, agentName: quiet.name, installationId: id, serverName: 'works' },
      ...{
        method: 'tools/call',
        target: 'slow',
        outcome: 'ok',
        message: undefined,
        arguments: undefined,
      },
    })
    expect(first?.resultBytes).toBeGreaterThan(10)
    expect(first?.requestBytes).toBeGreaterThan(2)
    expect(second?.arguments).toBe(`{"ms":1,"password":"${SECRET_MASK}"}`)
    expect(failed).toMatchObject({
      outcome: 'refused',
      message: 'The server rejected tools/call: No such thing.',
    })
    expect(cancelled).toMatchObject({ outcome: 'cancelled' })
    expect(gone).toMatchObject({ outcome: 'rejected', target: 'works__gone' })
    expect(gone?.installationId).toBeUndefined()
  })
})
