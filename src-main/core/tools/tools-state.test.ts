import { describe, expect, it } from 'vitest'

import { listedServer, listedTool } from '../../../e2e/fixtures/directory-servers'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ProfileDocument } from '../installation/store/profile-document'
import { ToolDirectory } from './directory/tool-directory'
import { toolsState } from './tools-state'

describe('C3 tools that no agent can take', () => {
  it('count as quarantined, and tools that run as a task do not', () => {
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
