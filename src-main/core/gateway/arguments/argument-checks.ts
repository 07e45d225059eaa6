import pLimit from 'p-limit'

import { messageOf } from '../../failure/describe-failure'
import { keepNewest } from '../../lifecycle/keep-newest'
import { LimitedThread, type LimitedThreadOptions } from '../../lifecycle/limited-thread'
import { TimeLimitError } from '../../lifecycle/time-limit'
import { duplicateKey } from './duplicate-key'
import { findFaults } from './find-faults'
import { GarbledArgumentsError } from './garbled-arguments'
import { isQuick } from './is-quick'
import { type PreparedSchema, prepareSchema } from './prepared-schema'
import type { SchemaCalls } from './schema-calls'
import { shownValue } from './shown-value'
import { textFault } from './text-fault'

/** A tool whose arguments are checked. */
export type CheckedTool = {
  readonly exposedName: string
  readonly schema: unknown
  /** Of its definition: what was made of the schema is kept under it. */
  readonly hash: string
  /** Of its server, where it is of one. */
  readonly installationId?: string
}

/** Arguments as they came. */
export type GivenArguments = {
  /** Of any type; missing or null counts as none. */
  readonly args: unknown
  /** As they were written, where they were read from text: it tells of keys that are there twice. */
  readonly argsText?: string | undefined
}

export type ArgumentChecksOptions = Partial<LimitedThreadOptions> & {
  /** A schema cannot be used, or a check came to no end, which is told once for each tool: a sentence. */
  readonly onUnchecked: (tool: CheckedTool, message: string) => void
}

export type Arguments = Readonly<Record<string, unknown>>

/** Schemas that are kept ready; a few kB each. */
const MOST_KEPT = 500
/** Checks of a tool that took too long before it is checked no more. */
const MOST_FAILURES = 5
const THREAD_LIMIT_MS = 1_000
const THREAD_REST_MS = 30_000

/** Checks what a model wrote before a server gets it (C11): against the schema of the tool, on the main thread where that is quick for certain, else on one with a time limit. */
export class ArgumentChecks implements AsyncDisposable {
  readonly #options: ArgumentChecksOptions
  readonly #thread: LimitedThread<SchemaCalls> | undefined
  readonly #inTurn = pLimit(1)
  /** By the hash of the tool, the one that was used last at the end; undefined for one that is not checked. */
  readonly #kept = new Map<string, PreparedSchema | undefined>()
  /** By the same hash: how many checks came to no end. */
  readonly #failures = new Map<string, number>()

  constructor(options: ArgumentChecksOptions) {
    this.#options = options
    const { createWorker } = options
    if (createWorker)
      this.#thread = new LimitedThread({
        ...{ limitMs: THREAD_LIMIT_MS, restMs: THREAD_REST_MS },
        ...options,
        createWorker,
      })
  }

  /** The arguments to send. Rejects with a `GarbledArgumentsError`, and with nothing else. */
  async check(tool: CheckedTool, given: GivenArguments): Promise<Arguments> {
    const { argsText } = given
    const args = given.args ?? {}
    const shapeFault = isArguments(args) ? undefined : notArguments(args)
    const twice = argsText === undefined ? undefined : duplicateKey(argsText)
    const fault = shapeFault ?? twice
    if (fault !== undefined) throw new GarbledArgumentsError(tool.exposedName, [fault])
    const looked = this.#faults(tool, args as Arguments)
    const faults = looked instanceof Promise ? await looked : looked
    if (faults.length > 0) throw new GarbledArgumentsError(tool.exposedName, faults)
    return args as Arguments
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]()
  }

  /** At once where that is quick. */
  #faults(tool: CheckedTool, args: Arguments): readonly string[] | Promise<readonly string[]> {
    const prepared = this.#prepared(tool)
    if (!prepared) return []
    try {
      if (isQuick(prepared, args)) return findFaults(prepared, args)
    } catch (error) {
      return this.#letPass(tool, error)
    }
    // One at a time: where one takes too long, the thread ends under all that it works on.
    return this.#inTurn(() => this.#faultsOnThread(tool, args))
  }

  async #faultsOnThread(tool: CheckedTool, args: Arguments): Promise<readonly string[]> {
    // Another call of the tool may have shown meanwhile that it cannot be checked.
    if (!this.#prepared(tool)) return []
    try {
      if (!this.#thread) throw new Error('there is no thread for one that may take long')
      return await this.#thread.call((remote) => remote.findFaults(tool.schema, args))
    } catch (error) {
      return this.#letPass(tool, error)
    }
  }

  #prepared(tool: CheckedTool): PreparedSchema | undefined {
    const { hash, schema } = tool
    if (this.#kept.has(hash)) {
      const known = this.#kept.get(hash)
      this.#keep(hash, known)
      return known
    }
    try {
      const prepared = prepareSchema(schema)
      this.#keep(hash, prepared)
      return prepared
    } catch (error) {
      this.#giveUp(tool, error)
      return undefined
    }
  }

  #keep(hash: string, prepared: PreparedSchema | undefined): void {
    keepNewest(this.#kept, hash, prepared, MOST_KEPT)
  }

  /** From now on nothing of the tool counts as a fault: its schema cannot be used. */
  #giveUp(tool: CheckedTool, error: unknown): void {
    this.#keep(tool.hash, undefined)
    this.#failures.delete(tool.hash)
    this.#tell(tool, error)
  }

  /** This one call is not checked; a schema that takes too long again and again is given up, as each try takes its time from all. */
  #letPass(tool: CheckedTool, error: unknown): readonly string[] {
    const failures = (this.#failures.get(tool.hash) ?? 0) + 1
    if (failures >= MOST_FAILURES && error instanceof TimeLimitError) {
      this.#giveUp(tool, error)
      return []
    }
    if (this.#failures.size > MOST_KEPT) this.#failures.clear()
    this.#failures.set(tool.hash, failures)
    if (failures === 1) this.#tell(tool, error)
    return []
  }

  #tell(tool: CheckedTool, error: unknown): void {
    const why =
      error instanceof TimeLimitError ? 'its input schema takes too long' : messageOf(error)
    const message = `The arguments of ${tool.exposedName} are sent without a check: ${why}.`
    this.#options.onUnchecked(tool, message)
  }
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null && !Array.isArray(args)
}

function notArguments(args: unknown): string {
  if (typeof args === 'string') return textFault(args)
  return `The arguments must be an object, and are ${shownValue(args, undefined)}.`
}
