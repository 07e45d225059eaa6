import { randomUUID } from 'node:crypto'

import { afterEach, describe, expect, it } from 'vitest'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { StoreChange } from '../installation/store/store-change'
import { Emitter } from '../lifecycle/emitter'
import { LogBuffer } from '../log/log-buffer'
import { createRedactor } from '../masking/redact'
import { writtenResult } from '../mcp/json/result-text'
import type { ServerSession } from '../mcp/session'
import type { Server } from '../servers/server'
import { runTool } from './run-tool'
import { ToolRuns } from './tool-runs'

const opened: ToolRuns[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

type Harness = {
  readonly toolRuns: ToolRuns
  /** Starts a run at a server that is never ready; the servers are those in `installed`. */
  readonly run: (installationId: string) => Promise<ToolRun>
  readonly installed: Set<string>
  readonly storeChanged: () => void
  /** URIs watched at servers. */
  readonly watched: Set<string>
}

const S3CRET = createRedactor(['s3cret'])

/** Returns what a server with the tool `page` received for these arguments, or the error. */
async function tried(args: unknown): Promise<unknown> {
  const sent: unknown[] = []
  const schema = { type: 'object', properties: { limit: { type: 'integer' } } }
  const session = {
    capabilities: { tools: [{ name: 'page', inputSchema: schema }] },
    requestText: (_method: string, params: object) => {
      sent.push(params)
      return Promise.resolve(writtenResult({ content: [] }))
    },
  } as unknown as ServerSession
  const { outcome } = await runTool(
    {
      ...{ installationId: 'one', toolRunId: randomUUID() },
      request: { method: 'tools/call', params: { name: 'page', arguments: args } },
    },
    {
      servers: { read: () => ({ ready: () => Promise.resolve(session) }) },
      tools: { used: () => undefined },
      redactor: () => S3CRET,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    },
  )
  return outcome.kind === 'failed' ? outcome.error.message : sent
}

describe('C11: the arguments of a tool run', () => {
  it('are converted and rejected by the rules for agents', async () => {
    for (const args of [{ limit: '5' }, '{"limit":5}', { limit: 5 }])
      expect(await tried(args)).toEqual([{ name: 'page', arguments: { limit: 5 } }])
    expect(await tried({ limit: 'many' })).toBe(
      'Not sent: the arguments of page are invalid. limit must be an integer, got the string "many".',
    )
  })
})

function open(...ids: string[]): Harness {
  const installed = new Set(ids)
  const watched = new Set<string>()
  const changed = new Emitter<StoreChange>()
  const find = (id: string): unknown => (installed.has(id) ? { installationId: id } : undefined)
  const read = (id: string): unknown => {
    if (!installed.has(id)) throw new AppError('NOT_FOUND', 'This server is no longer in the list.')
    return find(id)
  }
  const ready: Server['ready'] = ({ signal }) =>
    new Promise((_resolve, reject) => {
      const giveUp = (): void => reject(new AppError('REQUEST_CANCELLED', 'It was canceled.'))
      signal?.addEventListener('abort', giveUp)
      if (signal?.aborted) giveUp()
    })
  const log = new LogBuffer(() => undefined)
  log.setRedactor(S3CRET)
  const toolRuns = new ToolRuns({
    store: {
      find: find as ProfileDocument['find'],
      read: read as ProfileDocument['read'],
      onDidChange: changed.event,
    },
    servers: {
      find: (id) => (installed.has(id) ? { liveSession: undefined, log } : undefined),
      read: () => ({ ready }),
    },
    tools: { used: () => undefined },
    watches: {
      add: (_installationId, uri) => {
        watched.add(uri)
        return Promise.resolve({ [Symbol.dispose]: () => void watched.delete(uri) })
      },
    },
    onProgress: () => undefined,
    onUpdated: () => undefined,
  })
  opened.push(toolRuns)
  return {
    ...{ toolRuns, installed, watched },
    run: (installationId) =>
      toolRuns.run({
        ...{ installationId, toolRunId: randomUUID() },
        request: { method: 'tools/call', params: { name: 'a', arguments: { key: 's3cret' } } },
      }),
    storeChanged: () => changed.emit({ saved: [], gone: [], hasSettings: false }),
  }
}

const watcherId = randomUUID()
const CANCELLED = { outcome: { kind: 'failed', error: { code: 'REQUEST_CANCELLED' } } }

describe('The tool runs of a removed server', () => {
  it('are canceled and forgotten, and those of other servers continue', async () => {
    const { toolRuns, run, installed, storeChanged } = open('one', 'two')
    const first = run('one')
    const second = run('two')
    // An unrelated change was saved.
    storeChanged()
    expect(toolRuns.history({ installationId: 'one' })).toHaveLength(1)
    installed.delete('one')
    storeChanged()
    expect(await first).toMatchObject(CANCELLED)
    expect((await first).request.params.arguments).toEqual({ key: SECRET_MASK })
    expect(toolRuns.history({ installationId: 'one' })).toEqual([])
    const [other] = toolRuns.history({ installationId: 'two' })
    expect(other?.outcome).toBeUndefined()
    toolRuns.cancel(other?.toolRunId ?? '')
    expect(await second).toMatchObject(CANCELLED)
  })

  it('end their resource watches', async () => {
    const { toolRuns, installed, storeChanged, watched } = open('one', 'two')
    await toolRuns.watch({ installationId: 'one', uri: 'memo://a', isWanted: true, watcherId })
    await toolRuns.watch({ installationId: 'two', uri: 'memo://b', isWanted: true, watcherId })
    installed.delete('one')
    storeChanged()
    await expect.poll(() => [...watched]).toEqual(['memo://b'])
  })

  it("can't start after the app's end", async () => {
    const { toolRuns, run, watched } = open('one')
    await toolRuns.watch({ installationId: 'one', uri: 'memo://a', isWanted: true, watcherId })
    await toolRuns[Symbol.asyncDispose]()
    expect(await run('one')).toMatchObject(CANCELLED)
    await expect.poll(() => watched.size).toBe(0)
  })
})
