import { describe, expect, it, onTestFinished } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { memoryRemote } from '../../../e2e/fixtures/memory-remote'
import { soon } from '../../../e2e/fixtures/open-peer'
import { node, PLAIN, TestServers } from '../../../e2e/fixtures/test-servers'
import { AppError } from '../../../src-shared/domain/app-error'
import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import { SignInNeededError } from '../failure/remote-failure'
import type { ChildSpec } from '../process/spawn/child-process'

/** A server in memory prints no sign-in. */
type Kind = Exclude<RunStatus['kind'], 'awaitingSignIn'>

const ADDRESS = new URL('https://a.example/mcp')
const EXITED = new AppError('SERVER_EXITED', 'It exited.')
const FAILURES = {
  passes: EXITED,
  stays: new AppError('CONFIG_INCOMPLETE', 'A value is missing.'),
  asksForSignIn: new SignInNeededError(ADDRESS),
}
/** The outcome of the next start. */
type Fate = 'works' | 'hangs' | keyof typeof FAILURES

/** A server in memory, on a manual clock. */
class World {
  fate: Fate = 'works'
  readonly kinds: Kind[] = []
  readonly #clock = new ManualClock()
  #held = Promise.withResolvers<ChildSpec>()
  readonly #supervised
  readonly #supervisors = new TestServers()

  constructor() {
    this.#supervised = this.#supervisors.open({
      time: this.#clock,
      settings: { startsAgain: true, startTries: 2, firstWaitMs: 1_000, healthChecks: false },
      remote: { url: ADDRESS, transports: ['streamable-http'], fetch: memoryRemote },
      prepare: () => this.#prepared(),
      onDidChange: () => this.kinds.push(this.server.status.kind as Kind),
    })
  }

  get server() {
    return this.#supervised.server
  }

  /** Settles when the status has this kind and nothing changes automatically. */
  async rest(kind: Kind): Promise<void> {
    await expect.poll(() => this.server.status.kind).toBe(kind)
    await soon()
    expect([this.server.status.kind, this.server.reconnecting]).toEqual([kind, undefined])
  }

  start(fate: Fate): void {
    this.fate = fate
    this.server.start()
  }

  reconnect(fate: Fate): void {
    this.fate = fate
    this.server.reconnect()
  }

  /** Ends the hanging start. */
  end(fate: Exclude<Fate, 'hangs'>): void {
    if (fate === 'works') this.#held.resolve(node(PLAIN))
    else this.#held.reject(FAILURES[fate])
  }

  lose(): void {
    void this.server.session?.close()
  }

  pass(): void {
    this.#clock.pass(60 * 60_000)
  }

  switchOff(): void {
    this.#supervised.settings.startsAgain = false
    this.server.settingsChanged()
  }

  close(): Promise<void> {
    return this.#supervisors[Symbol.asyncDispose]()
  }

  #prepared(): Promise<ChildSpec> {
    if (this.fate === 'works') return Promise.resolve(node(PLAIN))
    if (this.fate !== 'hangs') return Promise.reject(FAILURES[this.fate])
    this.#held = Promise.withResolvers()
    return this.#held.promise
  }
}

/** Ways to reach each status. */
const WAYS: Record<Kind, (world: World) => Promise<void> | void> = {
  stopped: () => undefined,
  starting: (world) => world.start('hangs'),
  ready: (world) => world.start('works'),
  degraded: async (world) => {
    await reach(world, 'ready')
    world.reconnect('passes')
  },
  error: (world) => world.start('stays'),
  backingOff: (world) => world.start('passes'),
  paused: async (world) => {
    await reach(world, 'backingOff')
    world.pass()
  },
  signInNeeded: (world) => world.start('asksForSignIn'),
  stopping: async (world) => {
    await reach(world, 'ready')
    void world.server.stop()
  },
}

async function reach(world: World, kind: Kind): Promise<void> {
  await WAYS[kind](world)
  if (kind !== 'stopping') await world.rest(kind)
}

const EVENTS = {
  'a start': (world: World) => world.start('works'),
  'a stop': (world: World) => world.server.stopOrEscalate(),
  'a restart': (world: World) => world.server.restart(),
  'a reconnect': (world: World) => world.reconnect('works'),
  'a reconnect that fails': (world: World) => world.reconnect('passes'),
  'a start that comes to its end': (world: World) => world.end('works'),
  'a failure that may pass': (world: World) => world.end('passes'),
  'a failure that a user has to fix': (world: World) => world.end('stays'),
  'a sign-in that is asked for': (world: World) => world.end('asksForSignIn'),
  'the loss of the session': (world: World) => world.lose(),
  'an hour': (world: World) => world.pass(),
  'no starts automatically any more': (world: World) => world.switchOff(),
}

/** Status, event, and the statuses that follow. */
const TABLE: readonly (readonly [Kind, keyof typeof EVENTS, readonly Kind[]])[] = [
  ['stopped', 'a start', ['starting', 'ready']],
  ['stopped', 'a stop', []],
  ['stopped', 'a restart', ['starting', 'ready']],
  ['stopped', 'a reconnect', []],
  ['stopped', 'an hour', []],
  ['starting', 'a start', []],
  ['starting', 'a stop', ['stopping', 'stopped']],
  ['starting', 'a reconnect', []],
  ['starting', 'a start that comes to its end', ['ready']],
  ['starting', 'a failure that may pass', ['backingOff']],
  ['starting', 'a failure that a user has to fix', ['error']],
  ['starting', 'a sign-in that is asked for', ['signInNeeded']],
  ['ready', 'a start', []],
  ['ready', 'a stop', ['stopping', 'stopped']],
  ['ready', 'a restart', ['stopping', 'stopped', 'starting', 'ready']],
  ['ready', 'a reconnect', []],
  ['ready', 'a reconnect that fails', ['degraded']],
  ['ready', 'the loss of the session', ['backingOff']],
  ['ready', 'an hour', []],
  ['degraded', 'a start', []],
  ['degraded', 'a stop', ['stopping', 'stopped']],
  ['degraded', 'a reconnect', ['ready']],
  ['degraded', 'the loss of the session', ['backingOff']],
  ['error', 'a start', ['starting', 'ready']],
  ['error', 'a stop', ['stopped']],
  ['error', 'a reconnect', []],
  ['error', 'an hour', []],
  ['backingOff', 'a start', ['starting', 'ready']],
  ['backingOff', 'a stop', ['stopped']],
  ['backingOff', 'a reconnect', []],
  ['backingOff', 'an hour', ['starting', 'paused']],
  ['backingOff', 'no starts automatically any more', ['error']],
  ['paused', 'a start', ['starting', 'ready']],
  ['paused', 'a stop', ['stopped']],
  ['paused', 'an hour', []],
  ['signInNeeded', 'a start', ['starting', 'ready']],
  ['signInNeeded', 'a stop', ['stopped']],
  ['signInNeeded', 'an hour', []],
  ['stopping', 'a start', ['stopped', 'starting', 'ready']],
  ['stopping', 'a stop', ['stopped']],
  ['stopping', 'a reconnect', ['stopped']],
]

describe('B11: server status', () => {
  it.each(TABLE)('%s, then %s', async (from, event, path) => {
    const world = new World()
    onTestFinished(() => world.close())
    await reach(world, from)
    expect(world.server.status.kind).toBe(from)
    world.kinds.length = 0
    EVENTS[event](world)
    await world.rest(path.at(-1) ?? from)
    const passed = [from, ...world.kinds].filter((kind, at, all) => kind !== all[at - 1])
    expect(passed).toEqual([from, ...path])
  })
})
