import { describe, expect, it } from 'vitest'

import { listedServer, listedTool } from '../../../e2e/fixtures/directory-servers'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ProfileDocument } from '../installation/store/profile-document'
import { ToolDirectory } from './directory/tool-directory'
import { toolsState, toolView } from './tools-state'

describe('C3: tools that no agent can take', () => {
  it("count as quarantined, but tools that run as a task don't", () => {
    const task = listedTool('task')
    const text = listedTool('text')
    const directory = new ToolDirectory()
    const tools = [
      listedTool('plain'),
      { ...task, tool: { ...task.tool, execution: { taskSupport: 'required' } } },
      { ...text, tool: { ...text.tool, inputSchema: { type: 'string' } } },
    ]
    directory.set([listedServer('one', [], { tools })])
    const installations = [{ installationId: 'one', toolChoice: { kind: 'all' } } as Installation]
    const { servers } = toolsState(directory.snapshot, {
      store: { installations } as unknown as ProfileDocument,
      servers: { find: () => undefined } as never,
      listingFiles: { read: () => undefined },
      counter: { of: () => 0 },
    })
    expect(servers).toMatchObject([{ total: 3, exposed: 2, quarantined: 1 }])
  })
})

const parts = {
  counter: { of: () => undefined },
  uses: { of: () => ({ uses: 0, lastUsedAt: undefined }) },
}

describe('C3: the row of a tool', () => {
  it('has the whole name, shortened texts, and only known annotations', () => {
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

  it('lists the models that reject its input schema', () => {
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
