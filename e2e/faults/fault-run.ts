import { expect } from 'vitest'

import { AppError, type AppErrorCode } from '../../src-shared/domain/app-error'
import type { PhaseBudgets } from '../../src-shared/domain/installation/installation'
import { NO_FAULTS, type ProtocolFaults } from '../../src-shared/domain/running/protocol-faults'
import { isFailed } from '../../src-shared/domain/running/run-status'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { fixtureServer } from '../fixtures/fixture-server'
import type { Harness } from '../fixtures/harness'
import { MARK } from './marked-processes'

/** The row's result in the app's own words, and the time until it was seen, in ms. */
export type Seen = { readonly seen: string; readonly ms: number }

/** The row's program in `e2e/servers`. */
export type FaultProgram = {
  readonly script: string
  readonly args?: readonly string[]
  readonly budgets?: PhaseBudgets
}

type Failure = { readonly code: AppErrorCode; readonly message: RegExp }
type CallOptions = { readonly timeoutMs?: number; readonly maxTotalMs?: number }

/** Most characters of a status or error in the table. */
const MAX_SEEN_LENGTH = 220
const SETTLE_MS = 20_000
const STATUS_LIMIT_MS = 75_000
const POLL_MS = 20
/** Harmless faults: counted without a warning. */
const QUIET: readonly string[] = [
  'repairs',
  'noiseLines',
  'lateAnswers',
  'decoratedLines',
  'batches',
] satisfies (keyof ProtocolFaults)[]

/** A row's server in the real core, with the row's actions. */
export class FaultRun {
  #installationId = ''

  constructor(
    private readonly harness: Harness,
    private readonly program: FaultProgram,
    private readonly mark: string,
  ) {}

  get installationId(): string {
    return this.#installationId
  }

  /** Starts the server like a user; returns immediately. */
  async start(): Promise<void> {
    const { script, args = [], budgets = {} } = this.program
    const environmentVariables = [{ name: MARK, value: this.mark }]
    const server = fixtureServer(script, { args, environmentVariables })
    this.#installationId = await this.harness.install(server, { budgets })
  }

  view(): Promise<ServerView> {
    return this.harness.view(this.#installationId)
  }

  /** Starts, and waits until the server works, with or without warnings. */
  async startsWorking(): Promise<Seen> {
    await this.start()
    const view = await this.#until('ready', 'degraded')
    return { seen: statusOf(view), ms: startMs(view) }
  }

  /** Starts, and expects this failure. */
  async failsToStart(failure: Failure): Promise<Seen> {
    await this.start()
    const view = await this.#until('error')
    expect(view.status).toMatchObject(matching(failure))
    return { seen: statusOf(view), ms: startMs(view) }
  }

  /** Expects a running server to be lost like this since `from` (epoch ms). */
  async isLost(from: number, failure: Failure): Promise<Seen> {
    const view = await this.#until('error')
    expect(view.status).toMatchObject(matching(failure))
    return { seen: statusOf(view), ms: Math.max(0, view.statusSince - from) }
  }

  /** Calls a tool; resolves to the raw result. */
  call(name: string, args: object = {}, options: CallOptions = {}): Promise<unknown> {
    const session = this.harness.session(this.#installationId)
    return session.request('tools/call', { name, arguments: args }, options)
  }

  /** Calls a tool and returns its text. */
  async calls(name: string, args: object = {}): Promise<{ text: string; ms: number }> {
    const from = performance.now()
    const result = (await this.call(name, args)) as { content: readonly [{ text: string }] }
    return { text: result.content[0].text, ms: performance.now() - from }
  }

  /** Calls a tool and expects only the call to fail like this. */
  async callFails(
    name: string,
    failure: Failure,
    args = {},
    options: CallOptions = {},
  ): Promise<Seen> {
    const from = performance.now()
    const error: unknown = await this.call(name, args, options).then(
      () => new Error('the call was answered'),
      (reason: unknown) => reason,
    )
    const ms = performance.now() - from
    expect(error).toMatchObject(matching(failure))
    if (!(error instanceof AppError)) throw error
    return { seen: `Call: ${error.code}, “${shortened(error.message)}”`, ms }
  }

  /**
   * Expects that the same process answers another call (`tool`), that exactly these faults are counted, and that the user is warned of
   * serious ones; returns what is shown.
   */
  async goesOn(faults: Partial<ProtocolFaults>, tool = 'well', args = {}): Promise<string> {
    const { pid } = await this.view()
    await this.call(tool, args)
    await expect
      .poll(async () => (await this.view()).faults, { timeout: SETTLE_MS })
      .toEqual({ ...NO_FAULTS, ...faults })
    const warned = Object.entries(faults).filter(([kind]) => !QUIET.includes(kind))
    await expect
      .poll(async () => warningsOf(await this.view()), { timeout: SETTLE_MS })
      .toEqual(warned.map(([, count]) => expect.stringMatching(startsWithCount(count)) as string))
    const view = await this.view()
    expect(view.pid).toBe(pid)
    const quiet = Object.entries(faults).filter(([kind]) => QUIET.includes(kind))
    return [statusOf(view), ...quiet.map(([kind, count]) => `${kind} ${String(count)}`)].join(', ')
  }

  /** Numbers of held and counted log lines. */
  async logSize(): Promise<{ held: number; counted: number }> {
    const { installationId } = this
    const query = { servers: [installationId] }
    const { first, end, rows } = await this.harness.call('log.rows', { query, from: -1, count: 1 })
    return { held: end - first, counted: (rows[0]?.entry.seq ?? -1) + 1 }
  }

  async #until(...kinds: ServerView['status']['kind'][]): Promise<ServerView> {
    const deadline = performance.now() + STATUS_LIMIT_MS
    for (;;) {
      const view = await this.view()
      if (kinds.includes(view.status.kind)) return view
      // A failure is final, and a hanging start has its own limits.
      const isOver = isFailed(view.status) || performance.now() > deadline
      if (isOver) throw new Error(`it is ${JSON.stringify(view.status)}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

function warningsOf({ status }: ServerView): readonly string[] {
  return status.kind === 'degraded' ? status.warnings : []
}

/** A warning that begins with the count. */
function startsWithCount(count: number): RegExp {
  return new RegExp(`^${count.toLocaleString('en')} `, 'u')
}

/** A status as users read it. */
export function statusOf({ status, counts }: ServerView): string {
  switch (status.kind) {
    case 'error':
      return `Error: ${status.code}, “${shortened(status.message)}”`
    case 'backingOff':
    case 'paused':
      return `${status.kind}: ${status.code}, “${shortened(status.message)}”`
    case 'signInNeeded':
      return `Sign-in needed: “${shortened(status.message)}”`
    case 'degraded':
      return `Degraded: “${shortened(status.warnings.join(' '))}”`
    case 'ready':
      return `Ready, ${counts.tools.toLocaleString('en')} ${counts.tools === 1 ? 'tool' : 'tools'}`
    case 'awaitingSignIn':
    case 'starting':
    case 'stopping':
    case 'stopped':
      return status.kind
  }
}

function startMs({ phases, statusSince }: ServerView): number {
  return statusSince - (phases[0]?.startedAt ?? statusSince)
}

function matching({ code, message }: Failure): object {
  return { code, message: expect.stringMatching(message) as string }
}

function shortened(text: string): string {
  return text.length > MAX_SEEN_LENGTH ? `${text.slice(0, MAX_SEEN_LENGTH)} …` : text
}
