import { beforeEach, describe, expect, it } from 'vitest'

import type { ToolView } from '../../src-shared/domain/agents/tools'
import { AppError } from '../../src-shared/domain/app-error'
import type { AppState } from '../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../src-shared/domain/tool-choice'
import type { Bridge } from '../../src-shared/ipc/contract'
import { setLine } from '../ipc/call'
import { appStore } from './app-store'
import { chooseTools, ensureTools, toolsStore } from './tools-store'

const TOOL: ToolView = {
  installationId: 'one',
  name: 'read',
  exposure: 'exposed',
  hash: 'h',
  securityWarnings: [],
  uses: 0,
}

type Answer = PromiseWithResolvers<unknown>

function pendingAnswers(): { pending: Answer[] } {
  const pending: Answer[] = []
  const request = (): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>()
    pending.push(answer)
    return answer.promise
  }
  setLine({ requests: { 'tools.list': request, 'tools.choose': request } } as unknown as Bridge)
  return { pending }
}

const found = (...tools: ToolView[]): object => ({ ok: true, value: { generation: 1, tools } })
const FAILED = { ok: false, error: { code: 'INTERNAL', message: 'It broke.' } }

/** Sends main's state with the choice of the server `one`. */
function emitChoice(choice: ToolChoice): void {
  const tools = { servers: [{ installationId: 'one', choice }] }
  appStore.setState({ app: { tools } as unknown as AppState })
}

beforeEach(() => appStore.setState({ app: null }))
beforeEach(() => toolsStore.setState(toolsStore.getInitialState(), true))

describe('C5: the tools in the window', () => {
  it('are read once for each state, and for several states in the meantime only for the last', async () => {
    const { pending } = pendingAnswers()
    const states = Array.from({ length: 4 }, () => ({}))
    for (const state of states) {
      ensureTools(state)
      ensureTools(state)
    }
    expect(pending).toHaveLength(1)
    pending[0]?.resolve(found())
    await expect.poll(() => pending.length).toBe(2)
    pending[1]?.resolve(found(TOOL))
    await expect.poll(() => toolsStore.getState().isReading).toBe(false)
    expect(toolsStore.getState().tools).toEqual([TOOL])
    expect(pending).toHaveLength(2)
  })

  it('stay unchanged when reading fails, and the problem is shown until one succeeds', async () => {
    const { pending } = pendingAnswers()
    ensureTools({})
    pending[0]?.resolve(found(TOOL))
    await expect.poll(() => toolsStore.getState().isReading).toBe(false)
    ensureTools({})
    pending[1]?.resolve(FAILED)
    await expect.poll(() => toolsStore.getState().problem?.message).toBe('It broke.')
    expect(toolsStore.getState().tools).toEqual([TOOL])
    ensureTools({})
    pending[2]?.resolve(found(TOOL))
    await expect.poll(() => toolsStore.getState().problem).toBeNull()
  })
})

describe('C7: a choice that is being sent to main', () => {
  it('applies until the state after the response, and a later one survives the response to an earlier one', async () => {
    const { pending } = pendingAnswers()
    const first = chooseTools('one', { kind: 'none' })
    const second = chooseTools('one', { kind: 'all' })
    pending[0]?.resolve({ ok: true, value: undefined })
    await first
    emitChoice({ kind: 'none' })
    expect(toolsStore.getState().pending).toEqual({ one: { kind: 'all' } })
    pending[1]?.resolve({ ok: true, value: undefined })
    await second
    expect(toolsStore.getState().pending).toEqual({ one: { kind: 'all' } })
    emitChoice({ kind: 'all' })
    expect(toolsStore.getState().pending).toEqual({})
  })

  it('is no longer pending if the state arrived before the response', async () => {
    const { pending } = pendingAnswers()
    const chosen = chooseTools('one', { kind: 'none' })
    emitChoice({ kind: 'none' })
    expect(toolsStore.getState().pending).toEqual({ one: { kind: 'none' } })
    pending[0]?.resolve({ ok: true, value: undefined })
    await chosen
    expect(toolsStore.getState().pending).toEqual({})
  })

  it('is reverted when main rejects it', async () => {
    const { pending } = pendingAnswers()
    const rejected = chooseTools('one', { kind: 'none' })
    pending[0]?.resolve(FAILED)
    await expect(rejected).rejects.toThrow(AppError)
    expect(toolsStore.getState().pending).toEqual({})
  })
})
