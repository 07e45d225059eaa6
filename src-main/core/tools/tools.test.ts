import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { NO_CAPABILITIES } from '../../../src-shared/domain/agents/capability'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { ProfileDocument } from '../installation/store/profile-document'
import { createRedactor } from '../masking/redact'
import type { ServerDirectory } from '../servers/server-directory'
import { ListingFiles } from './directory/listing-files'
import { ToolPins } from './pins/tool-pins'
import { Tools } from './tools'

const POLL = { timeout: 20_000 }
const opened: Tools[] = []
/** Disposes what writes files when it is closed. */
const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  closing.length = 0
  for (const tools of opened.splice(0)) tools[Symbol.dispose]()
})

const { server } = parseServerJson({
  name: 'x/y',
  description: 'd',
  version: '1',
  packages: [{ registryType: 'npm', identifier: 'y', transport: { type: 'stdio' } }],
})

function storeOf(...names: string[]): ProfileDocument {
  const offer = { kind: 'package', index: 0 }
  const rest = { source: 'starter', server, offer, enabled: true, values: {}, secrets: {} }
  const installations = names.map((name, index) => {
    return { installationId: name, name, ...rest, budgets: {}, createdAt: index }
  })
  return new ProfileDocument({
    file: '/profile/settings.json',
    read: () => ({ installations }),
    write: () => undefined,
  })
}

/** Opens tools of servers with lists from the test; the counter answers when the test allows it. */
function open(...names: string[]) {
  const folder = tempFolder('tools')
  const kept = { folder, time: new ManualClock(), onLost: () => undefined }
  const liveSession = new Map<string, object>()
  const counted = new Map<string, number>()
  const questions: { texts: string[]; answer: () => void; giveUp: () => void }[] = []
  const troubles: (string | undefined)[] = []
  const note = (message: string | undefined): unknown => troubles.push(message)
  let listings = 0
  let description = ''
  const listingFiles = new ListingFiles({ ...kept, onProblem: note })
  const pins = new ToolPins({ ...kept, onProblem: note })
  closing.push(
    () => listingFiles[Symbol.dispose](),
    () => pins[Symbol.dispose](),
  )
  const tools = new Tools({
    store: storeOf(...names),
    servers: {
      find: (id: string) => liveSession.get(id) ?? { generation: 0 },
    } as unknown as ServerDirectory,
    listingFiles,
    pins,
    counter: {
      of: (key) => counted.get(key),
      count: (texts) => {
        const { promise, resolve } = Promise.withResolvers<undefined>()
        const answer = (): void => {
          for (const key of texts.keys()) counted.set(key, 10)
          resolve(undefined)
        }
        questions.push({
          texts: [...texts.values()].map((text) => text()),
          answer,
          giveUp: () => resolve(undefined),
        })
        return promise
      },
    },
    uses: {
      of: () => ({ uses: 0, lastUsedAt: undefined }),
      record: () => undefined,
      remove: () => undefined,
    },
  })
  opened.push(tools)
  const lists = (id: string, ...listed: string[]): void => {
    const own = listed.map((name) => ({ name, description, inputSchema: { type: 'object' } }))
    const capabilities = { ...NO_CAPABILITIES, tools: own }
    const session = {
      capabilities,
      instructions: 'Ask.',
      packageVersion: '1.2.0',
      listedAt: 77,
    }
    const log = { redactor: createRedactor(['hunter2']) }
    liveSession.set(id, { generation: (listings += 1), liveSession: session, log })
    tools.serverChanged(id)
  }
  const says = (words: string): unknown => (description = words)
  return { folder, tools, lists, says, questions, troubles }
}

describe('C5: the numbers of tools', () => {
  it('are the same object until one of them changes', () => {
    const { tools, lists } = open('one')
    lists('one', 'a', 'b')
    const { state, snapshot } = tools
    expect(state.servers).toMatchObject([
      { total: 2, exposed: 2, isLive: true, listedAt: 77, packageVersion: '1.2.0' },
    ])
    tools.serverChanged('one')
    tools.installationsChanged()
    expect([tools.state, tools.snapshot]).toEqual([state, snapshot])
    expect(tools.state).toBe(state)
    lists('one', 'a')
    expect(tools.state.exposed).toBe(1)
    expect(tools.snapshot.generation).toBe(snapshot.generation + 1)
  })

  it('exclude a removed server', () => {
    const { tools, lists } = open('one')
    lists('one', 'a')
    tools.remove('one')
    expect(tools.state).toMatchObject({ exposed: 0, servers: [{ total: 0 }] })
    expect(() => tools.read('one', 'a')).toThrow('no longer lists this tool')
  })
})

describe("A7: secrets in a server's lists", () => {
  it('are in no file and on no page, and approvals stay valid', () => {
    const { folder, tools, lists, says } = open('one')
    says('Uses hunter2.')
    lists('one', 'a')
    tools.given(['one'])
    lists('one', 'a')
    expect(tools.read('one', 'a').view).toMatchObject({
      exposure: 'exposed',
      description: 'Uses ••••••••.',
    })
    expect(tools.capabilitiesOf('one').notices).toEqual([
      expect.stringContaining('its own secrets into what it lists: a.') as string,
    ])
    for (const dispose of closing.splice(0)) dispose()
    const files = readdirSync(folder)
    expect(files).toHaveLength(3)
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain('hunter2')
    says('Uses hunter3.')
    lists('one', 'a')
    expect(tools.read('one', 'a').view.exposure).toBe('needsReview')
  })
})

describe('C7: a server whose changes are followed', () => {
  it('gets its new and changed tools approved, including those that waited', () => {
    const { tools, lists, says } = open('one')
    lists('one', 'a')
    tools.given(['one'])
    says('Does more.')
    lists('one', 'a', 'b')
    expect(tools.state).toMatchObject({ needsReview: 2, servers: [{ changes: 'review' }] })
    tools.set('one', { toolChanges: 'follow' })
    expect(tools.state).toMatchObject({
      needsReview: 0,
      exposed: 2,
      servers: [{ changes: 'follow' }],
    })
    says('Does something else.')
    lists('one', 'a', 'b', 'c')
    expect(tools.state).toMatchObject({ needsReview: 0, exposed: 3 })
    tools.set('one', { toolChanges: 'review' })
    lists('one', 'a', 'b', 'c', 'd')
    expect(tools.state).toMatchObject({ needsReview: 1, exposed: 3 })
  })
})

describe('C5: the tokens of tools', () => {
  it('are counted once more for changes during a count', async () => {
    const { tools, lists, questions } = open('one', 'two')
    lists('one', 'a')
    await expect.poll(() => questions.length, POLL).toBe(1)
    lists('two', 'b')
    lists('two', 'b', 'c')
    expect(questions).toHaveLength(1)
    questions[0]?.answer()
    await expect.poll(() => questions.length, POLL).toBe(2)
    expect(questions[1]?.texts.map((text) => (JSON.parse(text) as { name: string }).name)).toEqual([
      'one__a',
      'two__b',
      'two__c',
    ])
    expect(tools.state.tokens).toBeUndefined()
    questions[1]?.answer()
    await expect.poll(() => tools.state.tokens, POLL).toBe(30)
    expect(questions).toHaveLength(2)
  })

  it('are retried after growing delays if counting fails, but not once the app ends', async () => {
    vi.useFakeTimers()
    const { tools, lists, questions } = open('one')
    lists('one', 'read')
    for (const [tries, waitMs] of [10_000, 30_000, 120_000].entries()) {
      await vi.advanceTimersByTimeAsync(0)
      expect(questions).toHaveLength(tries + 1)
      questions[tries]?.giveUp()
      await vi.advanceTimersByTimeAsync(waitMs - 1)
      expect(questions).toHaveLength(tries + 1)
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(questions).toHaveLength(4)
    questions[3]?.giveUp()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(questions).toHaveLength(4)
    lists('one', 'write')
    await vi.advanceTimersByTimeAsync(0)
    questions[4]?.answer()
    await vi.advanceTimersByTimeAsync(0)
    lists('one', 'more')
    await vi.advanceTimersByTimeAsync(0)
    questions[5]?.giveUp()
    await vi.advanceTimersByTimeAsync(0)
    tools[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(questions).toHaveLength(6)
  })

  it('are counted with the next change if counting failed', async () => {
    const { tools, lists, questions } = open('one')
    lists('one', 'a')
    await expect.poll(() => questions.length, POLL).toBe(1)
    questions[0]?.giveUp()
    lists('one', 'b')
    await expect.poll(() => questions.length, POLL).toBe(2)
    questions[1]?.answer()
    await expect.poll(() => tools.state.tokens, POLL).toBe(10)
  })
})

describe('C3: a tool', () => {
  it('is read from its own server, the first one of a duplicate name', () => {
    const { tools, lists } = open('one', 'two')
    lists('two', 'a', 'a')
    lists('one', 'a')
    const { view } = tools.read('two', 'a')
    expect(view).toMatchObject({ installationId: 'two', exposedName: 'two__a' })
    expect(tools.list('two').tools.map(({ exposure }) => exposure)).toEqual([
      'exposed',
      'quarantined',
    ])
    expect(tools.list().tools.map(({ installationId }) => installationId)).toEqual([
      'one',
      'two',
      'two',
    ])
  })
})

describe('C6: the context of agents', () => {
  it('omits servers without selected tools', () => {
    const { tools, lists } = open('one', 'two')
    lists('one', 'a')
    lists('two', 'b')
    tools.set('one', { toolChoice: { kind: 'none' } })
    expect(tools.context().text).not.toContain('Server one')
    expect(tools.context().text).toContain('Server two')
    tools.set('one', { toolChoice: { kind: 'list', names: ['a'] } })
    expect(tools.context().text).toContain('Server one')
  })

  it('is the same object until the generation changes (C5)', () => {
    const { tools, lists } = open('one')
    lists('one', 'a')
    const context = tools.context()
    expect(context.generation).toBe(tools.snapshot.generation)
    tools.serverChanged('one')
    tools.installationsChanged()
    tools.used('one', 'a')
    expect(tools.context()).toBe(context)
    lists('one', 'a', 'b')
    expect(tools.context()).not.toBe(context)
    expect(tools.context().generation).toBe(tools.snapshot.generation)
    expect(tools.context().generation).toBeGreaterThan(context.generation)
    expect(tools.context()).toBe(tools.context())
  })
})
