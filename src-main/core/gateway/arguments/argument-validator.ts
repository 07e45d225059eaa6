import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

import { AppError } from '../../../../src-shared/domain/app-error'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { BudgetError } from '../../../../src-shared/json-schema/check-budget'
import { messageOf } from '../../failure/describe-failure'
import { keepNewest } from '../../lifecycle/keep-newest'
import { findProblems, quoted, shownValue, unwrapped, unwrappedText } from './argument-messages'
import { keyFault } from './key-fault'
import { type Given, jsonIn, meantArguments } from './meant-arguments'

export type ValidatedTool = {
  readonly exposedName: string
  readonly schema: unknown
  readonly hash: string
  readonly installationId?: string
}

/** Arguments as they were written: of any type. */
export type GivenArguments = Given & {
  /** The JSON text that they were read from, where it may show what no value does. */
  readonly text?: string | undefined
  /** Where in the text they stand. */
  readonly path?: readonly string[]
}

/** Arguments that fit, as they are to be sent. */
export type CheckedArguments = { readonly plain: JsonObject; readonly exact: JsonObject }

/** Tools whose failures are remembered; the oldest goes first. */
const MOST_KEPT = 500
/** Validations of a tool that took too long before its arguments are validated no more. */
const MOST_FAILURES = 5
const LONGEST = 3_000
/** Longer texts are not read for the place of a fault. */
const LONGEST_PARSED = 1024 * 1024
const SHOWN_BEFORE = 30

/** Arguments that do not fit (C11): nothing was sent to a server. The message says what to fix. */
export class InvalidArgumentsError extends AppError {
  /** `faults`: sentences, each with a place, what was expected and what came. */
  constructor(tool: string, faults: readonly string[]) {
    const all = faults.join(' ')
    const cut = all.length > LONGEST ? `${all.slice(0, LONGEST)}…` : all
    super('INVALID_VALUES', `Not sent: the arguments of ${tool} are invalid. ${cut}`, {
      hint: 'Correct the arguments and call again.',
    })
  }
}

/** Validates arguments against the schema of their tool before a server gets them (C11), on the main thread and with a bound. */
export class ArgumentValidator {
  readonly #failures = new Map<string, number>()

  /** `onUnchecked`: arguments of a tool are sent without validation, which is reported once; a sentence. */
  constructor(private readonly onUnchecked: (tool: ValidatedTool, message: string) => void) {}

  /** The arguments to send, with what has one meaning as its schema wants it. Throws an `InvalidArgumentsError`, and nothing else. */
  check(tool: ValidatedTool, { text, path = [], ...given }: GivenArguments): CheckedArguments {
    const { plain } = given
    if (!isJsonObject(plain)) throw new InvalidArgumentsError(tool.exposedName, [typeFault(plain)])
    const fault = text === undefined ? undefined : keyFault(text, path)
    if (fault !== undefined) throw new InvalidArgumentsError(tool.exposedName, [fault])
    const faults = this.#faults(tool, plain)
    if (faults.length === 0) return given as CheckedArguments
    const meant = meantOf(tool.schema, given)
    if (!meant) throw new InvalidArgumentsError(tool.exposedName, faults)
    return meant
  }

  #faults(tool: ValidatedTool, args: JsonObject): readonly string[] {
    const before = this.#failures.get(tool.hash) ?? 0
    if (before >= MOST_FAILURES) return []
    try {
      return findProblems(tool.schema, args, 'model').map(({ message }) => message)
    } catch (error) {
      const failures = error instanceof BudgetError ? before + 1 : Math.max(before, 1)
      keepNewest(this.#failures, tool.hash, failures, MOST_KEPT)
      if (before === 0 || failures === MOST_FAILURES) {
        const reason = messageOf(error)
        this.onUnchecked(tool, `Arguments of ${tool.exposedName} are sent unchecked: ${reason}.`)
      }
      return []
    }
  }
}

/** Arguments as an agent means them: null, or an empty list as PHP writes it, for none; the JSON text of an object for that object. */
export function givenArguments({ plain, exact, ...where }: GivenArguments): GivenArguments {
  if (plain === undefined || plain === null || (Array.isArray(plain) && plain.length === 0))
    return { plain: {}, exact: {}, ...where }
  const inner = typeof plain === 'string' ? jsonIn(plain) : undefined
  if (inner && isJsonObject(inner.plain))
    return { ...inner, text: unwrappedText(plain as string), path: [] }
  return { plain, exact, ...where }
}

/** Arguments with one reading that fits; undefined for others. */
function meantOf(schema: unknown, given: Given): CheckedArguments | undefined {
  try {
    const meant = meantArguments(schema, given)
    return meant === given ? undefined : (meant as CheckedArguments)
  } catch {
    return undefined // too much work: the faults are known
  }
}

function typeFault(args: unknown): string {
  if (typeof args !== 'string')
    return `The arguments must be an object, got ${shownValue(args, undefined)}.`
  const inner = unwrapped(args)
  if (isJsonObject(inner))
    return 'The arguments are a JSON string with a duplicate key. Send the object itself.'
  if (inner !== undefined) return 'The arguments must be an object, got a string.'
  return `The arguments are a string that is not valid JSON${syntaxFault(args)}. Send an object.`
}

function syntaxFault(text: string): string {
  if (text.length > LONGEST_PARSED) return ''
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return ''
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const before = text.slice(Math.max(0, first.offset - SHOWN_BEFORE), first.offset)
  const after = before === '' ? '' : `, after ${quoted(before)}`
  return `: ${what.toLowerCase()} at character ${first.offset + 1}${after}`
}
