import { randomUUID } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import type { Harness } from '../../fixtures/harness'
import { KEY, ToolRunHarness } from '../../fixtures/tool-run-harness'

let tried: ToolRunHarness
let harness: Harness
let installationId: string

beforeEach(async () => {
  tried = await ToolRunHarness.open()
  harness = tried.harness
  installationId = tried.id
})

afterEach(() => tried.close())

const entries = async (): Promise<MessageEntry[]> =>
  (await harness.call('messages.read', { installationId })).entries

/** The newest tool call. */
const lastCall = async (): Promise<MessageEntry> => {
  const isCall = ({ kind, method }: MessageEntry) => kind === 'request' && method === 'tools/call'
  const found = (await entries()).findLast(isCall)
  if (!found) throw new Error('No tool was called.')
  return found
}

const textOf = async (seq: number): Promise<string> =>
  (await harness.call('messages.text', { installationId, seq, from: 0 })).text

describe("D5: the message log of a user's tool runs", () => {
  it("contains the runs' messages with masked secrets", async () => {
    await tried.run('tools/call', { name: 'tells', arguments: { key: KEY } })
    const request = await lastCall()
    const answer = (await entries()).find(({ requestSeq }) => requestSeq === request.seq)
    expect([request.target, answer?.target, answer?.kind]).toEqual(['tells', 'tells', 'result'])
    const { text } = await harness.call('messages.export', { installationId })
    const shown = [await textOf(request.seq), await textOf(answer?.seq ?? -1)]
    for (const one of [...shown, text]) {
      expect(one).toContain(SECRET_MASK)
      expect(one).not.toContain('k3y')
      expect(one).not.toContain('quotes')
    }
    expect(JSON.parse(shown[0] ?? '')).toMatchObject({
      params: { name: 'tells', arguments: { key: SECRET_MASK } },
    })
    for (const part of [KEY, 'k3y', 'quotes', 'with'])
      expect(await harness.call('messages.find', { installationId, text: part })).toEqual([])
    expect(await harness.call('messages.find', { installationId, text: 'TELLS' })).toContain(
      request.seq,
    )
  })

  it('contains requests that can be sent again unchanged', async () => {
    await tried.run('tools/call', {
      name: 'give',
      arguments: { result: { content: [], key: KEY } },
    })
    const before = await lastCall()
    const toolRunId = randomUUID()
    const request = { installationId, seq: before.seq, toolRunId }
    const toolRun = await harness.call('messages.replay', request)
    expect(toolRun).toMatchObject({
      toolRunId,
      outcome: { kind: 'result' },
      request: { method: 'tools/call' },
    })
    expect(JSON.stringify(toolRun)).not.toContain('k3y')
    const again = await lastCall()
    expect(again.seq).toBeGreaterThan(before.seq)
    // The server returns its input: the key itself, not its mask.
    const answers = (await entries()).filter(
      ({ kind, target }) => kind === 'result' && target === 'give',
    )
    expect(answers.map(({ bytes }) => bytes)).toEqual([answers[0]?.bytes, answers[0]?.bytes])
    expect(await textOf(answers[1]?.seq ?? -1)).toContain(SECRET_MASK)
  })

  it("contains messages that can't be sent again", async () => {
    const ping = (await entries()).find(({ method }) => method === 'initialize')
    const request = { installationId, toolRunId: randomUUID() }
    await expect(
      harness.call('messages.replay', { ...request, seq: ping?.seq ?? -1 }),
    ).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    await expect(
      harness.call('messages.replay', { ...request, seq: (ping?.seq ?? 0) + 1 }),
    ).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    await expect(
      harness.call('messages.replay', { ...request, seq: 99_999 }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('can be cleared, and continues', async () => {
    await harness.call('messages.clear', { installationId })
    const read = await harness.call('messages.read', { installationId })
    expect(read.entries).toEqual([])
    expect(read.firstSeq).toBeGreaterThan(0)
    await tried.run('tools/call', { name: 'give', arguments: { result: { content: [] } } })
    expect((await entries())[0]).toMatchObject({ seq: read.firstSeq, kind: 'request' })
  })

  it('is deleted with its server', async () => {
    const [first] = await entries()
    expect(first).toBeDefined()
    await harness.call('installation.remove', { installationId, deleteSecrets: true })
    expect(await harness.call('messages.read', { installationId })).toEqual({
      entries: [],
      firstSeq: 0,
    })
    await expect(textOf(first?.seq ?? 0)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
