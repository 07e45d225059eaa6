import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { Harness } from '../../../e2e/fixtures/harness'
import { untilConnected } from '../../../e2e/fixtures/tools-harness'
import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import type {
  OpenedView,
  ViewAnswer,
  ViewDomains,
} from '../../../src-shared/domain/installation/view'
import { Views } from './views'

const NONE: ViewDomains = { connect: [], resource: [], frame: [] }
const SHOWN = {
  connect: ['https://api.example.com'],
  resource: ['https://*.cdn.example.com'],
  frame: [],
}

describe('E13: views of a real server', () => {
  let harness: Harness
  let installationId: string
  beforeEach(async () => {
    harness = new Harness()
    installationId = await harness.install(fixtureServer('views.mjs'))
    await untilConnected(harness, installationId)
  })
  afterEach(async () => {
    await harness.close()
  })

  const read = (name: string): Promise<unknown> =>
    harness.call('view.read', { installationId, name })
  const open = (name: string, domains = NONE, remembers = false): Promise<OpenedView> =>
    harness.call('view.open', { installationId, name, domains, remembers })
  const callTool = (
    { viewId }: OpenedView,
    params: Record<string, unknown>,
    isApproved = false,
  ): Promise<ViewAnswer> =>
    harness.call('view.request', { viewId, method: 'tools/call', params, isApproved })
  const history = (): Promise<ToolRun[]> => harness.call('toolRun.history', { installationId })

  it('report what they load and which entries are ignored', async () => {
    const ignored = ["'unsafe-eval'"]
    expect(await read('show')).toEqual({ domains: SHOWN, ignored, isAllowed: false })
  })

  it('use the domains of the list if the page declares none', async () => {
    const connect = ['wss://live.example.com']
    expect(await read('listed')).toMatchObject({ domains: { ...NONE, connect } })
  })

  it.each(['old', 'blob', 'big'])('can be opened for the tool "%s"', async (name) => {
    expect(await read(name)).toEqual({ domains: NONE, ignored: [], isAllowed: false })
    expect((await open(name)).address).toMatch(/^http:\/\/f[\da-f]{16}\.localhost:\d+\/frame\//u)
  })

  it.each([
    [
      'text',
      'INVALID_ANSWER',
      /no page of type text\/html;profile=mcp-app for ui:\/\/views\/text/u,
    ],
    ['huge', 'INVALID_ANSWER', /larger than 10 MB/u],
    ['look', 'NOT_FOUND', /no view/u],
    ['unknown', 'NOT_FOUND', /no view/u],
  ])('can\'t be opened for the tool "%s"', async (name, code, message) => {
    for (const act of [read, open])
      await expect(act(name)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message) as string,
      })
  })

  it('need another approval if the domains change', async () => {
    await open('show', SHOWN, true)
    expect(await read('show')).toMatchObject({ isAllowed: true })
    await harness.call('toolRun.start', {
      installationId,
      toolRunId: crypto.randomUUID(),
      request: { method: 'tools/call', params: { name: 'move', arguments: {} } },
    })
    expect(await read('show')).toMatchObject({
      domains: { ...NONE, connect: ['https://elsewhere.example.com'] },
      isAllowed: false,
    })
    await expect(open('show', SHOWN)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
  })

  it('are remembered with the domains of each view if a server is always allowed', async () => {
    const listed = { ...NONE, connect: ['wss://live.example.com'] }
    await open('show', SHOWN, true)
    expect(await read('listed')).toMatchObject({ isAllowed: false })
    await open('listed', listed, true)
    for (const name of ['show', 'listed', 'blob'])
      expect(await read(name)).toMatchObject({ isAllowed: true })
  })

  it("aren't remembered if they are shown once", async () => {
    await open('show', SHOWN)
    expect(await read('show')).toMatchObject({ isAllowed: false })
  })

  it('may call read-only tools, which are recorded as calls of a view', async () => {
    const view = await open('blob')
    const answer = await callTool(view, {
      name: 'look',
      arguments: { a: 1 },
      _meta: { progressToken: 7 },
      task: { ttl: 1 },
    })
    expect(answer.kind === 'result' && JSON.parse(answer.text)).toMatchObject({
      content: [{ type: 'text', text: 'Looked' }],
    })
    expect(await history()).toMatchObject([
      { isOfView: true, request: { params: { name: 'look', arguments: { a: 1 } } } },
    ])
    expect((await history())[0]?.request.params).not.toHaveProperty('_meta')
    expect((await history())[0]?.request.params).not.toHaveProperty('task')
  })

  it('need approval for other calls', async () => {
    const view = await open('blob')
    const params = { name: 'save', arguments: { value: 7 } }
    expect(await callTool(view, params)).toEqual({ kind: 'approval' })
    expect(await history()).toEqual([])
    expect(await callTool(view, params, true)).toMatchObject({ kind: 'result' })
    expect(await history()).toHaveLength(1)
  })

  it.each([{ name: 'model' }, { name: 'unknown' }, { name: 7 }, {}])(
    "can't send the call %j, even with approval",
    async (params) => {
      const message = 'This tool is not available to views.'
      expect(await callTool(await open('blob'), params, true)).toEqual({ kind: 'error', message })
      expect(await history()).toEqual([])
    },
  )

  it('read resources of their server, and get the error of unreadable ones', async () => {
    const { viewId } = await open('blob')
    const of = (uri: string): Promise<ViewAnswer> =>
      harness.call('view.request', {
        ...{ viewId, method: 'resources/read' as const, isApproved: false, params: { uri } },
      })
    expect(await of('ui://views/blob')).toMatchObject({ kind: 'result' })
    expect(await of('ui://views/none')).toEqual({ kind: 'error', message: 'No such resource' })
  })

  it('get no results once closed, or if they were never open', async () => {
    const view = await open('blob')
    await harness.call('view.close', view)
    const closed = { kind: 'error', message: 'This view is closed.' }
    expect(await callTool(view, { name: 'look' })).toEqual(closed)
    const unknown = { ...view, viewId: crypto.randomUUID() }
    expect(await callTool(unknown, { name: 'look' }, true)).toEqual(closed)
    expect(await history()).toEqual([])
  })
})

describe('E13: the request limits of a view', () => {
  /** Opens views over a server that answers on demand. */
  function openViews(): {
    views: Views
    waiting: (() => void)[]
    wait: (ms: number) => void
    block: (address: string) => void
  } {
    let now = 0
    const waiting: (() => void)[] = []
    const tools = [
      { name: 'page', _meta: { ui: { resourceUri: 'ui://a' } } },
      { name: 'look', annotations: { readOnlyHint: true } },
    ]
    const contents = [{ mimeType: 'text/html;profile=mcp-app', text: '<p>' }]
    const session = {
      capabilities: { tools, resources: [] },
      request: () => Promise.resolve({ contents }),
    }
    const outcome = { kind: 'result', length: 2, bytes: 2, isError: false }
    let block: (address: string) => void = () => undefined
    const views = new Views({
      listener: {
        issue: (_html: string, _domains: unknown, onBlocked: (address: string) => void) => {
          block = onBlocked
          return Promise.resolve('http://f')
        },
        close: () => Promise.resolve(),
      },
      servers: { read: () => ({ ready: () => Promise.resolve(session) }) },
      runs: {
        run: () => new Promise((resolve) => waiting.push(() => resolve({ outcome }))),
        wholeText: () => Promise.resolve('{}'),
      },
      allowed: { of: () => undefined, set: () => undefined },
      now: () => now,
    } as unknown as ConstructorParameters<typeof Views>[0])
    return { views, waiting, wait: (ms) => (now += ms), block: (address) => block(address) }
  }
  const tool = { installationId: 'a', name: 'page' }

  const openOne = (views: Views): Promise<OpenedView> =>
    views.open({ ...tool, domains: NONE, remembers: false })
  const ask = (views: Views, { viewId }: OpenedView): Promise<ViewAnswer> =>
    views.request({
      ...{ viewId, method: 'tools/call', params: { name: 'look' }, isApproved: false },
    })
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

  it('allow 10 concurrent requests per view', async () => {
    const { views, waiting } = openViews()
    const [view, other] = [await openOne(views), await openOne(views)]
    const asked = Array.from({ length: 10 }, () => ask(views, view))
    await turn()
    expect(waiting).toHaveLength(10)
    const message = 'A view can have 10 requests in progress.'
    expect(await ask(views, view)).toEqual({ kind: 'error', message })
    void ask(views, other)
    await turn()
    expect(waiting).toHaveLength(11)
    for (const answer of waiting) answer()
    await Promise.all(asked)
    void ask(views, view)
    await turn()
    expect(waiting).toHaveLength(12)
  })

  it('allow 300 requests per minute', async () => {
    const { views, waiting, wait } = openViews()
    const view = await openOne(views)
    const once = async (): Promise<ViewAnswer> => {
      const answer = ask(views, view)
      await turn()
      waiting.pop()?.()
      return answer
    }
    for (let sent = 0; sent < 300; sent += 1) expect((await once()).kind).toBe('result')
    wait(60_000)
    const message = 'A view can send 300 requests a minute.'
    expect(await once()).toEqual({ kind: 'error', message })
    wait(1)
    expect((await once()).kind).toBe('result')
  })

  it('list each blocked host once, at most 20', async () => {
    const { views, block } = openViews()
    const { viewId } = await openOne(views)
    expect(views.blocked(viewId)).toEqual([])
    for (const one of ['https://a.example/1', 'https://a.example/2', 'wss://b.example:8080/c'])
      block(one)
    for (const one of ['inline', 'eval', 'data', 'blob:https://d.example/1', '']) block(one)
    expect(views.blocked(viewId)).toEqual(['a.example', 'b.example:8080'])
    for (let host = 0; host < 50; host += 1) block(`https://${String(host)}.example`)
    expect(views.blocked(viewId)).toHaveLength(20)
    views.close(viewId)
    expect(views.blocked(viewId)).toEqual([])
  })

  it('keep the 50 latest views open', async () => {
    const { views, waiting } = openViews()
    const first = await openOne(views)
    for (let opened = 0; opened < 49; opened += 1) await openOne(views)
    void ask(views, first)
    await turn()
    expect(waiting).toHaveLength(1)
    await openOne(views)
    expect(await ask(views, first)).toEqual({ kind: 'error', message: 'This view is closed.' })
  })
})
