import type { FailureText } from '../failure/describe-failure'
import { LogBuffer } from '../log/log-buffer'
import type { MessageTap } from '../mcp/peer/connection'
import type { PreparedLaunch } from '../servers/start/launch'
import type { ServerStart } from '../servers/start/server-start'
import { startServer } from '../servers/start/start-server'
import { MessageRecord, VetRun } from './vet-run'

/** Changes a prepared launch: other variables, another protocol, a program around the command. */
export type LaunchVariant = (launch: PreparedLaunch) => PreparedLaunch

/** Opens a start apart from the server that agents use. */
export type OpenStart = (options: {
  readonly log: LogBuffer
  readonly tap: MessageTap
  readonly vary: LaunchVariant
}) => ServerStart

/** The end of a start for checks; no process is left unless it is `ready`. */
export type VetStart =
  | { readonly kind: 'ready'; readonly run: VetRun }
  | { readonly kind: 'failed'; readonly failure: FailureText; readonly log: LogBuffer }

/** The server being checked: starts it as often as the checks need, and ends everything it started. */
export class VettedServer implements AsyncDisposable {
  readonly #runs = new Set<VetRun>()
  readonly #starts = new Set<ServerStart>()
  readonly #variants = new Map<string, Promise<VetStart>>()
  readonly #logs: LogBuffer[] = []
  #shared: Promise<VetStart> | undefined
  #isDisposed = false

  constructor(private readonly open: OpenStart) {}

  /** The start that most checks share; a new one if its server has ended. */
  async shared(): Promise<VetStart> {
    const before = await this.#shared
    if (before?.kind === 'ready' && !before.run.isAlive) this.#shared = undefined
    return (this.#shared ??= this.#begin((launch) => launch))
  }

  /** A named start with a changed launch, shared by all checks that use the name. */
  variant(name: string, vary: LaunchVariant): Promise<VetStart> {
    const start = this.#variants.get(name) ?? this.#begin(vary)
    this.#variants.set(name, start)
    return start
  }

  /** Settles when no start is in progress; immediately with false if there was none. */
  async whenStarted(): Promise<boolean> {
    if (this.#starts.size === 0) return false
    await Promise.all([...this.#variants.values(), this.#shared])
    return true
  }

  /** Masks all secrets of its starts. */
  mask(text: string): string {
    return this.#logs.reduce((masked, { redactor }) => redactor(masked), text)
  }

  /** Ends the shared run, so that the next check gets another one. */
  async restart(): Promise<void> {
    const before = this.#shared
    this.#shared = undefined
    const start = await before
    if (start?.kind === 'ready') await this.#end(start.run)
  }

  /** Ends everything; settles when no process is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    for (const start of this.#starts) start.cancel()
    await Promise.all([...this.#variants.values(), this.#shared])
    await Promise.all([...this.#runs].map((run) => this.#end(run)))
  }

  async #begin(vary: LaunchVariant): Promise<VetStart> {
    const log = new LogBuffer(() => undefined)
    this.#logs.push(log)
    const record = new MessageRecord()
    let launch: PreparedLaunch | undefined
    const start = this.open({
      ...{ log, tap: record },
      vary: (prepared) => (launch = vary(prepared)),
    })
    this.#starts.add(start)
    if (this.#isDisposed) start.cancel()
    const end = await startServer(start)
    this.#starts.delete(start)
    if (end.kind !== 'ready' || !launch) {
      const error = end.kind === 'failed' ? end.error : new Error('The check was stopped.')
      return { kind: 'failed', failure: start.explain(error), log }
    }
    const run = new VetRun(start, end.session, launch, record, log)
    this.#runs.add(run)
    return { kind: 'ready', run }
  }

  async #end(run: VetRun): Promise<void> {
    await run.end()
    this.#runs.delete(run)
  }
}
