import { describe, expect, it } from 'vitest'

import { AgentProfile, type AgentView } from '../../../src-shared/domain/agents/agent'
import { appLimits, limitMessage } from './app-limits'

function agent(name: string, profile: object, exposed: number, overCap = 0): AgentView {
  const parts = { agentId: name, name, exposed, overCap, profile: AgentProfile.parse(profile) }
  return parts as unknown as AgentView
}

describe('C3: tool limits of connected apps', () => {
  it('list how many tools each omits, smallest limit first', () => {
    const limits = appLimits([
      agent('Wide', { toolCap: 128 }, 60),
      agent('Narrow', { toolCap: 40 }, 40, 21),
      agent('Own', { toolCap: 128, appLimit: 50 }, 60),
    ])
    expect(
      limits.map(({ name, tools, limit, over: excess }) => [name, tools, limit, excess]),
    ).toEqual([
      ['Narrow', 61, 40, 21],
      ['Own', 60, 50, 10],
      ['Wide', 60, 128, 0],
    ])
    expect(limitMessage(limits)).toBe('Narrow is over its limit by 21 tools and Own by 10.')
  })

  it('exclude an app in search mode', () => {
    expect(appLimits([agent('Search', { toolCap: 1, searchMode: true }, 60)])).toEqual([])
    expect(limitMessage([])).toBe('')
  })
})
