import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'
import { keepNewest } from '../../lifecycle/keep-newest'
import { findFaults } from './find-faults'
import { BudgetError, type PreparedSchema, prepareSchema } from './prepared-schema'
import { duplicateKey, textFault } from './text-faults'
import { shownValue } from './wording'

/** A tool whose arguments are validated. */
export type ValidatedTool = {
  readonly exposedName: string
  readonly schema: unknown
  /** Of its definition: the prepared schema is kept under it. */
  readonly hash: string
  /** Of its server, where it is of one. */
  readonly installationId?: string
}

/** Arguments as they came. */
export type GivenArguments = {
  /** Of any type; missing or null counts as none. */
  readonly args: unknown
  /** As they were written, where they were read from text: shows duplicate keys. */
  readonly argsText?: string | undefined
}

export type Arguments = Readonly<Record<string, unknown>>

/** Schemas that are kept ready, a few kB each; the oldest goes first. */
const MOST_KEPT = 500
/** Validations of a tool that took too long before its arguments are validated no more. */
const MOST_FAILURES = 5
/** More no model needs to read. */
const LONGEST = 3_000

/**
 * Arguments that do not fit (C11): nothing was sent to a server. The message says what to fix; it goes back as a result
 * with `isError` from 2025-11-25 on, before as error -32602.
 */
export class InvalidArgumentsError extends AppError {
  constructor(
    tool: string,
    /** Sentences, each with a place, what was expected and what came. */
    readonly faults: readonly string[],
  ) {
    const all = faults.join(' ')
    const cut = all.length > LONGEST ? `${all.slice(0, LONGEST)}…` : all
    super('INVALID_VALUES', `Not sent: the arguments of ${tool} are invalid. ${cut}`, {
      hint: 'Correct the arguments and call again.',
    })
  }
}

/**
 * Validates arguments against the schema of their tool before a server gets them (C11), on the main thread and with a
 * bound: patterns that can run away and `uniqueItems` are ignored, and so is a schema that takes too long.
 */
export class ArgumentValidator {
  /** By the hash of the tool; undefined for one that is not validated. */
  readonly #kept = new Map<string, PreparedSchema | undefined>()
  /** By the same hash: how many validations were given up. */
  readonly #failures = new Map<string, number>()

  /** `onUnchecked`: arguments of a tool are sent without validation, which is reported once; a sentence. */
  constructor(private readonly onUnchecked: (tool: ValidatedTool, message: string) => void) {}

  /** The arguments to send. Throws an `InvalidArgumentsError`, and nothing else. */
  check(tool: ValidatedTool, given: GivenArguments): Arguments {
    const { argsText } = given
    const args = given.args ?? {}
    const shapeFault = isArguments(args) ? undefined : notArguments(args)
    const twice = argsText === undefined ? undefined : duplicateKey(argsText)
    const fault = shapeFault ?? twice
    if (fault !== undefined) throw new InvalidArgumentsError(tool.exposedName, [fault])
    const faults = this.#faults(tool, args as Arguments)
    if (faults.length > 0) throw new InvalidArgumentsError(tool.exposedName, faults)
    return args as Arguments
  }

  #faults(tool: ValidatedTool, args: Arguments): readonly string[] {
    const prepared = this.#prepared(tool)
    if (!prepared) return []
    try {
      return findFaults(prepared, args)
    } catch (error) {
      this.#failed(tool, error)
      return []
    }
  }

  #prepared(tool: ValidatedTool): PreparedSchema | undefined {
    const { hash, schema } = tool
    if (this.#kept.has(hash)) return this.#kept.get(hash)
    try {
      const prepared = prepareSchema(schema)
      keepNewest(this.#kept, hash, prepared, MOST_KEPT)
      return prepared
    } catch (error) {
      this.#giveUp(tool, error)
      return undefined
    }
  }

  /** From now on nothing of the tool counts as a fault. */
  #giveUp(tool: ValidatedTool, error: unknown): void {
    keepNewest(this.#kept, tool.hash, undefined, MOST_KEPT)
    this.#failures.delete(tool.hash)
    this.#report(tool, error)
  }

  /** This one call is not validated; a schema that takes too long again and again is given up. */
  #failed(tool: ValidatedTool, error: unknown): void {
    const failures = (this.#failures.get(tool.hash) ?? 0) + 1
    if (failures >= MOST_FAILURES && error instanceof BudgetError) {
      this.#giveUp(tool, error)
      return
    }
    if (this.#failures.size > MOST_KEPT) this.#failures.clear()
    this.#failures.set(tool.hash, failures)
    if (failures === 1) this.#report(tool, error)
  }

  #report(tool: ValidatedTool, error: unknown): void {
    const reason = messageOf(error).replace(/\.+$/u, '')
    const message = `Arguments of ${tool.exposedName} are sent unchecked: ${reason}.`
    this.onUnchecked(tool, message)
  }
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null && !Array.isArray(args)
}

function notArguments(args: unknown): string {
  if (typeof args === 'string') return textFault(args)
  return `The arguments must be an object, got ${shownValue(args, undefined)}.`
}
