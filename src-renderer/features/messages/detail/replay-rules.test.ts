import { describe, expect, it } from 'vitest'

import type { Tool, ToolAnnotations } from '../../../../src-shared/domain/agents/capability'
import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { canReplay, replayProblem } from './message-detail'

const CALL = { method: 'tools/call', target: 'echo' }
const tool = (annotations?: ToolAnnotations): Tool => ({
  name: 'echo',
  inputSchema: {},
  ...(annotations && { annotations }),
})

describe('D5: repeating a request', () => {
  it('is possible for requests that Patchbay sent and a user may send', () => {
    const entry: MessageEntry = {
      seq: 0,
      session: 1,
      at: 0,
      direction: 'sent',
      kind: 'request',
      bytes: 1,
      hasText: true,
      ...CALL,
    }
    expect(canReplay(entry)).toBe(true)
    expect(canReplay({ ...entry, method: 'resources/read' })).toBe(true)
    expect(canReplay({ ...entry, method: 'prompts/get' })).toBe(true)
    expect(canReplay({ ...entry, method: 'tools/list' })).toBe(false)
    expect(canReplay({ ...entry, direction: 'received' })).toBe(false)
    expect(canReplay({ ...entry, kind: 'result' })).toBe(false)
  })

  it('needs confirmation if the tool may be destructive or is unknown', () => {
    expect(replayProblem(CALL, undefined)).toContain('echo is not in the server’s current list')
    expect(replayProblem(CALL, tool())).toContain('not marked as safe')
    expect(replayProblem(CALL, tool({ openWorldHint: true }))).toContain('not marked as safe')
    expect(replayProblem(CALL, tool({ destructiveHint: true }))).toContain('may delete')
  })

  it('needs no confirmation if the tool is marked harmless, or if no tool is called', () => {
    expect(replayProblem(CALL, tool({ readOnlyHint: true, destructiveHint: true }))).toBeUndefined()
    expect(replayProblem(CALL, tool({ destructiveHint: false }))).toBeUndefined()
    expect(replayProblem({ method: 'resources/read', target: 'a:b' }, undefined)).toBeUndefined()
  })
})
