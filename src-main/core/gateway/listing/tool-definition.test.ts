import { describe, expect, it } from 'vitest'

import { toolDefinition } from './tool-definition'

describe('E5 how a tool is called, as agents are told', () => {
  it.each([
    [{ taskSupport: 'optional' }, undefined],
    [{ taskSupport: 'optional', 'example.com/other': 1 }, { 'example.com/other': 1 }],
    [{ taskSupport: 'forbidden' }, { taskSupport: 'forbidden' }],
    ['unknown', undefined],
    [{ taskSupport: 'sometimes' }, undefined],
  ])('%j is %j, as no task can be asked for', (execution, told) => {
    const tool = { name: 'draw', title: 'Draw', inputSchema: { type: 'object' }, execution }
    const rest = { name: 'one__draw', title: 'Draw', inputSchema: { type: 'object' } }
    const definition = toolDefinition(tool, 'one__draw')
    expect(definition).toEqual({ ...rest, ...(told !== undefined && { execution: told }) })
    expect(definition && 'execution' in definition).toBe(told !== undefined)
    expect(toolDefinition(tool, 'one__draw')).toBe(definition)
  })
})
