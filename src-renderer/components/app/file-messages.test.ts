import { describe, expect, it } from 'vitest'

import { fileProblem, shortPath } from './file-messages'

const read = (servers: number, isReadOnly = false): Parameters<typeof fileProblem>[0] => ({
  state: { kind: 'read', servers, isReadOnly },
})

describe('D6: messages on files of apps', () => {
  it('shorten a path only below the home folder', () => {
    expect(shortPath('/home/dana/.cursor/mcp.json', '/home/dana')).toBe('~/.cursor/mcp.json')
    expect(shortPath('/home/danas/mcp.json', '/home/dana')).toBe('/home/danas/mcp.json')
    expect(shortPath('C:\\Users\\Dana\\a.json', 'C:\\Users\\Dana')).toBe('~\\a.json')
    expect(shortPath('/etc/mcp.json', undefined)).toBe('/etc/mcp.json')
  })

  it('say why a file cannot be written', () => {
    expect(fileProblem(read(1))).toBeUndefined()
    expect(fileProblem(read(1, true))).toContain('read-only')
    expect(fileProblem({ state: { kind: 'broken', problem: 'Line 2.' } })).toBe('Line 2.')
  })
})
