import { Socket } from 'node:net'

import { describe, expect, it } from 'vitest'

import { AgentConnections } from './agent-connections'

describe('D6 connections of agents', () => {
  it('that many agents share are heard once, and are left by all when they close', async () => {
    const changed: string[] = []
    const admissions = new AgentConnections((agentId) => changed.push(agentId))
    const socket = new Socket()
    admissions.receive(socket)
    const listeners = socket.listenerCount('close')
    const agents = Array.from({ length: 20 }, (_, index) => `agent-${index}`)
    for (const agentId of [...agents, ...agents])
      expect(admissions.admit(socket, agentId, 1)).toBe(true)
    expect(socket.listenerCount('close')).toBe(listeners)
    expect(changed).toEqual(agents)
    socket.destroy()
    await expect.poll(() => changed).toEqual([...agents, ...agents])
    expect(agents.map((agentId) => admissions.countOf(agentId))).toEqual(agents.map(() => 0))
  })

  it('are no more than an agent may have, and one that closed leaves room', async () => {
    const admissions = new AgentConnections(() => undefined)
    const [first, second] = [new Socket(), new Socket()]
    for (const socket of [first, second]) admissions.receive(socket)
    expect(admissions.admit(first, 'anna', 1)).toBe(true)
    expect(admissions.admit(second, 'anna', 1)).toBe(false)
    first.destroy()
    await expect.poll(() => admissions.countOf('anna')).toBe(0)
    expect(admissions.admit(second, 'anna', 1)).toBe(true)
  })
})
