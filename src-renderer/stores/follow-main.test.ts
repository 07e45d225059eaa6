import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { serverView } from '../../e2e/fixtures/server-view'
import type { AppState, ServerView } from '../../src-shared/domain/state/app-state'
import { Settings } from '../../src-shared/domain/state/settings'
import type { Bridge, EventChannel, Reply } from '../../src-shared/ipc/contract'
import { newQueries } from '../ipc/queries'
import type { BridgeLink, Connection } from '../ipc/socket-bridge'
import { appStore } from './app-store'
import { followMain } from './follow-main'

function server(name: string, kind: 'stopped' | 'ready' | 'stopping'): ServerView {
  return serverView({ installationId: name, name, status: { kind } })
}

function snapshot(revision: number, servers: ServerView[]): AppState {
  return {
    revision,
    info: {
      version: '0.1.0',
      wayIn: 'browser',
      platform: 'linux',
      arch: 'x64',
      profileDir: '/tmp',
      ownCommand: { argv: ['patchbay'], env: {} },
      canPickPath: false,
    },
    settings: Settings.parse({}),
    secretStore: { kind: 'keychain' },
    secrets: { stored: [], own: [] },
    notices: [],
    servers,
    catalog: { sources: [], starters: 0, edition: 0, favorites: [], viewed: [] },
    tools: { generation: 0, exposed: 0, needsReview: 0, tokens: 0, servers: [] },
    userRequests: [],
    agents: { gateway: { kind: 'off' }, agents: [] },
    hosts: { isRead: true, hosts: [], folders: [], changes: [] },
    activity: { newest: 0, kept: 0 },
  }
}

/** A main process with manually sent snapshots and events. */
class HandMain implements BridgeLink {
  readonly request: ((reply: Reply<AppState>) => void)[] = []
  readonly #received = new Map<string, (payload: never) => void>()
  #meet: (connection: Connection) => void = () => undefined
  readonly bridge = {
    requests: {
      'app.snapshot': () => new Promise<Reply<AppState>>((answer) => this.request.push(answer)),
    },
    events: new Proxy(
      {},
      {
        get: (_, channel: string) => (listener: (payload: never) => void) => {
          this.#received.set(channel, listener)
          return () => this.#received.delete(channel)
        },
      },
    ),
  } as unknown as Bridge

  watchConnection = (meet: (connection: Connection) => void): (() => void) => {
    this.#meet = meet
    meet('connecting')
    return () => undefined
  }
  become(connection: Connection): void {
    this.#meet(connection)
  }
  emit(channel: EventChannel, payload: unknown): void {
    this.#received.get(channel)?.(payload as never)
  }
  async answer(at: number, state: AppState): Promise<void> {
    this.request[at]?.({ ok: true, value: state })
    await new Promise(setImmediate)
  }
}

const kinds = (): (string | undefined)[] | undefined =>
  appStore.getState().app?.servers.map(({ name, status }) => `${name} ${status.kind}`)

describe('state that follows main', () => {
  let main: HandMain
  let end: () => void
  let queries: QueryClient
  beforeEach(() => {
    appStore.setState({ connection: 'connecting', app: null, problem: null })
    main = new HandMain()
    queries = newQueries()
    end = followMain(main, queries)
  })
  afterEach(() => end())

  it('requests the snapshot only after connecting', () => {
    expect(main.request).toHaveLength(0)
    main.become('connected')
    expect(main.request).toHaveLength(1)
    expect(appStore.getState().connection).toBe('connected')
  })

  it('applies events that arrived during the snapshot if they are newer, and drops those it includes', async () => {
    main.become('connected')
    main.emit('server.changed', { revision: 5, server: server('a', 'stopped') })
    main.emit('server.changed', { revision: 7, server: server('b', 'ready') })
    expect(appStore.getState().app).toBeNull()
    await main.answer(0, snapshot(6, [server('a', 'ready'), server('b', 'stopped')]))
    expect(kinds()).toEqual(['a ready', 'b ready'])
    expect(appStore.getState().app?.revision).toBe(7)
  })

  it('never replaces a newer event by an older one', async () => {
    main.become('connected')
    await main.answer(0, snapshot(6, [server('a', 'ready')]))
    main.emit('server.changed', { revision: 8, server: server('a', 'stopping') })
    main.emit('server.changed', { revision: 7, server: server('a', 'stopped') })
    expect(kinds()).toEqual(['a stopping'])
  })

  it('restores a server at its previous place', async () => {
    main.become('connected')
    await main.answer(0, snapshot(1, [server('a', 'ready'), server('c', 'ready')]))
    main.emit('server.changed', { revision: 2, server: server('b', 'stopped'), place: 1 })
    expect(kinds()).toEqual(['a ready', 'b stopped', 'c ready'])
  })

  it('adds, changes and removes servers in the order of the events', async () => {
    main.become('connected')
    await main.answer(0, snapshot(1, [server('a', 'ready')]))
    main.emit('server.changed', { revision: 2, server: server('b', 'stopped') })
    main.emit('server.removed', { revision: 3, installationId: 'a' })
    main.emit('notices.changed', { revision: 4, notices: [] })
    expect(kinds()).toEqual(['b stopped'])
    expect(appStore.getState().app?.revision).toBe(4)
  })

  it('keeps the old state while the connection is lost, and accepts a lower revision afterwards', async () => {
    main.become('connected')
    await main.answer(0, snapshot(50, [server('a', 'ready')]))
    main.become('lost')
    expect(kinds()).toEqual(['a ready'])
    main.become('connected')
    main.emit('server.changed', { revision: 3, server: server('c', 'ready') })
    await main.answer(1, snapshot(2, [server('a', 'stopped')]))
    expect(kinds()).toEqual(['a stopped', 'c ready'])
  })

  it('drops a snapshot that a newer one overtook', async () => {
    main.become('connected')
    main.become('lost')
    main.become('connected')
    await main.answer(1, snapshot(9, [server('new', 'ready')]))
    await main.answer(0, snapshot(4, [server('old', 'ready')]))
    expect(kinds()).toEqual(['new ready'])
  })

  it('drops responses of a possibly restarted main that nobody observes', async () => {
    queries.setQueryData(['server.capabilities'], 'old')
    main.become('connected')
    await main.answer(0, snapshot(1, []))
    expect(queries.getQueryData(['server.capabilities'])).toBeUndefined()
  })

  it('shows why a snapshot failed', async () => {
    main.become('connected')
    main.request[0]?.({ ok: false, error: { code: 'INTERNAL', message: 'No.' } })
    await new Promise(setImmediate)
    expect(appStore.getState().problem).toEqual({ code: 'INTERNAL', message: 'No.' })
  })

  it('makes characters visible that would reverse a name', async () => {
    main.become('connected')
    await main.answer(0, snapshot(1, [server('a\u202Egnp', 'ready')]))
    expect(appStore.getState().app?.servers[0]?.name).toBe('a<U+202E>gnp')
  })
})
