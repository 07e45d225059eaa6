import { describe, expect, it } from 'vitest'

import { holdsState } from './state-feed'

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

describe('B12: a server with state', () => {
  it.each([
    '@playwright/mcp',
    'chrome-devtools-mcp',
    'io.github.someone/Jupyter-mcp',
    '@wonderwhy-er/desktop-commander',
    'mcp-shell-server',
    'My browser',
  ])('is recognized by the name %s', (name) => {
    expect(holdsState(['x', name], [])).toBe(true)
  })

  it('is recognized by its tools, under any name', () => {
    expect(holdsState(['web'], [tool('search'), tool('browser_navigate')])).toBe(true)
  })

  it.each(['@modelcontextprotocol/server-filesystem', 'context7', 'github', 'postgres', 'report'])(
    'is not %s',
    (name) => {
      expect(holdsState([name], [tool('search'), tool('navigate_to_docs')])).toBe(false)
    },
  )
})
