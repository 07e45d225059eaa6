import { describe, expect, it } from 'vitest'

import { listedTool } from '../../../e2e/fixtures/directory-servers'
import { toolView } from './tools-state'

const parts = {
  counter: { of: () => undefined },
  uses: { of: () => ({ uses: 0, lastUsedAt: undefined }) },
}

describe('C3 the row of a tool', () => {
  it('has its whole name, little of its texts, and of its annotations what is known', () => {
    const long = 'x'.repeat(1_000_000)
    const annotations = { title: long, readOnlyHint: true, [long]: long }
    const { tool, ...reviewed } = listedTool(long)
    const view = toolView(
      {
        ...reviewed,
        tool: { ...tool, title: long, description: long, annotations },
        installationId: 'one',
        exposedName: undefined,
        exposure: 'quarantined',
        reason: undefined,
      },
      parts,
    )
    const { name, title, description, annotations: shown } = view
    expect([name.length, title?.length, description?.length]).toEqual([1_000_000, 200, 300])
    expect(shown).toEqual({ title: 'x'.repeat(200), readOnlyHint: true })
  })

  it('says which models reject its input schema', () => {
    const viewOf = (inputSchema: object): unknown => {
      const { tool, ...reviewed } = listedTool('a')
      const resolved = { installationId: 'one', exposedName: 'a', exposure: 'exposed' as const }
      const shown = { ...reviewed, ...resolved, tool: { ...tool, inputSchema }, reason: undefined }
      return toolView(shown, parts).schemaWarnings
    }
    expect(viewOf({ type: 'object' })).toBeUndefined()
    expect(viewOf({ type: 'object', oneOf: [{}] })).toEqual([expect.stringContaining('"oneOf"')])
  })
})
