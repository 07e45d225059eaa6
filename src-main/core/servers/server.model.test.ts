import { join } from 'node:path'

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isRunning } from '../../../e2e/fixtures/is-running'
import { pause } from '../../../e2e/fixtures/pause'
import { node, TestServers, until } from '../../../e2e/fixtures/test-servers'
import { AppError } from '../../../src-shared/domain/app-error'
import type { StartPhase } from '../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../src-shared/domain/state/settings'
import type { ChildSpec } from '../process/spawn/child-process'
import type { Server } from './server'

const script = (name: string): string => join(import.meta.dirname, '../../../e2e/servers', name)
const MOODS = {
  works: () => node(script('falls-silent.mjs')),
  exits: () => node(script('exits.mjs')),
  hangs: () => node(script('silent.mjs')),
  incomplete: () => {
    throw new AppError('CONFIG_INCOMPLETE', 'A value is missing.')
  },
} satisfies Record<string, () => ChildSpec>
type Mood = keyof typeof MOODS

/** Short waits, so that a run of a few seconds reaches all of them. */
const SETTINGS = {
  startsAgain: true,
  startTries: 2,
  firstWaitMs: 100,
  longestWaitMs: 300,
  breakerLosses: 2,
  breakerWindowMs: 3_000,
  breakerRestMs: 500,
  healthMs: 500,
}
/** Number of runs in each of the parallel series; most of a run is waiting. */
const RUNS = 30
const PARALLEL_SERIES = 3

/** The guarantees to a user. */
type Model = { mayRun: boolean }

/** One real server. */
class World implements AsyncDisposable {
  readonly #supervisors = new TestServers()
  readonly server: Server
  readonly settings: Settings
  /** The lines of the server's log. */
  readonly lines: () => string[]
  mood: Mood = 'works'
  /** Called at each change with the phase of the running start or reconnect. */
  onPhase: (phase: StartPhase | undefined) => void = () => undefined
  /** Sessions opened so far. */
  sessions = 0
  /** Whether a reconnect may have left two processes. */
  #mayBeTwo = false

  constructor() {
    const { server, settings, lines } = this.#supervisors.open({
      prepare: () => MOODS[this.mood](),
      settings: SETTINGS,
      handshakeMs: 1_000,
      onDidChange: () => {
        const { reconnecting, status } = server
        if (reconnecting !== undefined) this.#mayBeTwo = true
        this.onPhase(status.kind === 'starting' ? status.phase : reconnecting)
      },
      openTap: () => {
        this.sessions += 1
        return undefined
      },
    })
    this.server = server
    this.settings = settings
    this.lines = lines
  }

  /** Expects two processes only during a reconnect and until the replaced ones are gone. */
  expectFewProcesses(): void {
    const { length } = this.processes
    expect(length).toBeLessThanOrEqual(this.#mayBeTwo ? 2 : 1)
    if (length < 2 && this.server.reconnecting === undefined) this.#mayBeTwo = false
  }

  get processes(): number[] {
    return this.#supervisors.marked()
  }

  /** The current session's process, if it still runs. */
  get livePid(): number | undefined {
    const isUp = ['ready', 'degraded'].includes(this.server.status.kind)
    const pid = isUp ? this.server.session?.pid : undefined
    return pid !== undefined && isRunning(pid) ? pid : undefined
  }

  /** Waits until nothing changes automatically; then the processes must match the status. */
  async settle(): Promise<void> {
    const { server } = this
    // A restart of a stopped server begins after a tick.
    await pause(1)
    await until(
      () => this.#isAtRest(),
      () => `rest: ${JSON.stringify([server.status, server.reconnecting, this.processes])}`,
    )
  }

  #isAtRest(): boolean {
    const { status, reconnecting } = this.server
    if (reconnecting !== undefined) return false
    if (['stopped', 'error', 'paused'].includes(status.kind)) return this.processes.length === 0
    // Without automatic restarts, a hanging server only gets a warning.
    const recovers = this.settings.startsAgain && this.settings.healthChecks
    const hangs =
      recovers && status.kind === 'degraded' && status.warnings.join().includes('health check')
    const { livePid } = this
    return livePid !== undefined && !hangs && String(this.processes) === String(livePid)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#supervisors[Symbol.asyncDispose]()
  }
}

/** A command or failure, after which the invariants must hold. */
class Step implements fc.AsyncCommand<Model, World> {
  constructor(
    private readonly name: string,
    private readonly play: (world: World, model: Model) => Promise<unknown> | undefined,
  ) {}

  check(): boolean {
    return true
  }

  async run(model: Model, world: World): Promise<void> {
    await this.play(world, model)
    const { server } = world
    world.expectFewProcesses()
    if (!model.mayRun) expect(['starting', 'ready', 'degraded']).not.toContain(server.status.kind)
    if (server.status.kind === 'stopped') expect(world.processes).toEqual([])
    if (server.status.kind === 'starting') expect(server.reconnecting).toBeUndefined()
    expect(server.counts.restarts).toBeLessThanOrEqual(server.counts.starts)
  }

  toString(): string {
    return this.name
  }
}

const step = (
  name: string,
  play: (world: World, model: Model) => Promise<unknown> | undefined,
): fc.Arbitrary<Step> => fc.constant(new Step(name, play))

const startOptions = (
  name: string,
  mayRun: boolean,
  play: (server: Server) => unknown,
): fc.Arbitrary<Step> =>
  step(name, ({ server }, model) => {
    model.mayRun = mayRun
    play(server)
    return undefined
  })

const settle = step('settle', (world) => world.settle())
const reconnect = step('reconnect', ({ server }) => {
  server.reconnect()
  return undefined
})
const change = (key: 'startsAgain' | 'healthChecks'): fc.Arbitrary<Step> =>
  step(`${key} changes`, ({ server, settings }) => {
    settings[key] = !settings[key]
    server.settingsChanged()
    return undefined
  })
const crash = step('crash', ({ livePid }) => {
  if (livePid !== undefined) process.kill(livePid, 'SIGKILL')
  return undefined
})

/** Frequent events of a working server appear several times. */
const COMMANDS = [
  settle,
  settle,
  settle,
  reconnect,
  reconnect,
  crash,
  crash,
  change('startsAgain'),
  change('healthChecks'),
  startOptions('start', true, (server) => server.start()),
  startOptions('restart', true, (server) => server.restart()),
  startOptions('stop', false, (server) => server.stopOrEscalate()),
  step('stop and wait', async ({ server }, model) => {
    model.mayRun = false
    await server.stop()
    expect(server.status.kind).toBe('stopped')
  }),
  step('hang', ({ server, livePid }) => {
    // A server that hangs already never responds, so the step does not wait for the response.
    if (livePid !== undefined)
      server.session?.request('tools/call', { name: 'hush', arguments: {} }).catch(() => undefined)
    return undefined
  }),
  fc.nat(120).map((ms) => new Step(`pause ${String(ms)} ms`, () => pause(ms))),
  fc.constantFrom(...(Object.keys(MOODS) as Mood[])).map(
    (mood) =>
      new Step(`becomes ${mood}`, (world) => {
        world.mood = mood
        return undefined
      }),
  ),
]

const rejections: unknown[] = []
const onRejection = (reason: unknown): void => void rejections.push(reason)
beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', onRejection)
})
afterEach(() => {
  process.off('unhandledRejection', onRejection)
})

async function live(commands: Iterable<fc.AsyncCommand<Model, World>>): Promise<void> {
  await using world = new World()
  const setup = (): { model: Model; real: World } => ({ model: { mayRun: true }, real: world })
  world.server.start()
  await fc.asyncModelRun(setup, commands)
  await world.settle()
  await world.server.stop()
  expect(world.server.status).toEqual({ kind: 'stopped' })
  expect(world.processes).toEqual([])
  expect(rejections).toEqual([])
}

describe.skipIf(process.platform !== 'linux')(
  'B11, B12 and C2: any sequence of commands and failures',
  () => {
    it(
      'keeps at most one process (two during a reconnect), no orphans, and a true status',
      { timeout: 120_000 },
      async () => {
        const property = fc.asyncProperty(
          fc.commands(COMMANDS, { maxCommands: 16, size: '+1' }),
          live,
        )
        const series = Array.from({ length: PARALLEL_SERIES }, () =>
          fc.assert(property, { numRuns: RUNS }),
        )
        await Promise.all(series)
      },
    )
  },
)

/** Ways to begin a start or reconnect, so that each phase is reached. */
const WAYS = {
  'a start': () => Promise.resolve(),
  'a reconnect': async (world: World): Promise<void> => {
    world.server.start()
    await world.settle()
  },
} satisfies Record<string, (world: World) => Promise<void>>
const stopAfter = async ({ server }: World, moments: number): Promise<undefined> => {
  for (let moment = 0; moment < moments; moment += 1) await Promise.resolve()
  await server.stop()
  return undefined
}
const PHASES: readonly StartPhase[] = ['resolve', 'spawn', 'handshake', 'discover']

describe.skipIf(process.platform !== 'linux')('B6 and B11: rare sequences', () => {
  it.each(
    Object.entries(WAYS).flatMap(([way, begin]) => PHASES.map((phase) => ({ way, phase, begin }))),
  )('a stop in the phase $phase of $way ends it without a later phase', async (one) => {
    await using world = new World()
    const { server } = world
    await one.begin(world)
    const begun = new Set<StartPhase | undefined>()
    const stopped = Promise.withResolvers<undefined>()
    let opened = 0
    let isStopping = false
    world.onPhase = (phase) => {
      if (isStopping) begun.add(phase)
      if (isStopping || phase !== one.phase) return
      isStopping = true
      opened = world.sessions
      stopped.resolve(server.stop().then(() => undefined))
    }
    if (!server.reconnect()) server.start()
    await stopped.promise
    expect([server.status, world.processes]).toEqual([{ kind: 'stopped' }, []])
    const later = PHASES.slice(PHASES.indexOf(one.phase) + 1)
    expect(later.filter((phase) => begun.has(phase))).toEqual([])
    // A process being spawned is known before it is ended.
    expect(world.sessions - opened).toBeLessThanOrEqual(one.phase === 'spawn' ? 1 : 0)
  })

  it.each(Object.entries(WAYS))(
    'a stop at any moment between the end of discover and Ready ends %s before it serves',
    async (_way, begin) => {
      await using world = new World()
      const { server } = world
      let isReady = false
      // One step is one turn of the microtask queue; the last stop comes after Ready.
      for (let moments = 0; !isReady; moments += 1) {
        expect(moments).toBeLessThan(50)
        await begin(world)
        const from = world.lines().length
        const stopped = Promise.withResolvers<undefined>()
        world.onPhase = () => {
          const { phase, outcome } = server.phases.at(-1) ?? {}
          if (phase !== 'discover' || outcome !== 'done') return
          world.onPhase = () => undefined
          stopped.resolve(stopAfter(world, moments))
        }
        if (!server.reconnect()) server.start()
        await stopped.promise
        expect([server.status, server.session, world.processes]).toEqual([
          { kind: 'stopped' },
          undefined,
          [],
        ])
        const lines = world.lines().slice(from)
        const stop = lines.findLastIndex((line) => line.includes('Stopping'))
        const ready = lines.findLastIndex((line) => line.includes('Ready with'))
        isReady = ready >= 0
        expect(stop).toBeGreaterThan(ready)
      }
    },
  )

  it('a server that hangs soon after a crash is ended, not only given up', async () => {
    await using world = new World()
    const { server, settings } = world
    Object.assign(settings, { breakerWindowMs: 60_000, breakerRestMs: 60_000 })
    server.start()
    await world.settle()
    process.kill(world.livePid ?? 0, 'SIGKILL')
    await until(() => server.counts.losses === 1)
    await world.settle()
    const call = server.session?.request('tools/call', { name: 'hush', arguments: {} })
    await call?.catch(() => undefined)
    await until(
      () => server.counts.losses === 2,
      () => `the second loss: ${JSON.stringify(server.status)}`,
    )
    // The next start is a minute away.
    await until(
      () => world.processes.length === 0,
      () => `the end of ${String(world.processes)}`,
    )
    expect(server.status.kind).toBe('backingOff')
  })
})
