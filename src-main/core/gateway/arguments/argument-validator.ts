import { type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser'

import { AppError } from '../../../../src-shared/domain/app-error'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { messageOf } from '../../failure/describe-failure'
import { keepNewest } from '../../lifecycle/keep-newest'
import { BudgetError, findProblems } from './schema-check'
import { placeOf, quoted, shownValue, unwrapped } from './wording'

export type ValidatedTool = {
  readonly exposedName: string
  readonly schema: unknown
  readonly hash: string
  readonly installationId?: string
}

export type GivenArguments = {
  /** Of any type, see `givenArguments`. */
  readonly args: unknown
  /** The message that they were read from, where it may show what no value does. */
  readonly text?: string | undefined
  readonly path?: readonly string[]
}

/** Tools whose failures are remembered; the oldest goes first. */
const MOST_KEPT = 500
/** Validations of a tool that took too long before its arguments are validated no more. */
const MOST_FAILURES = 5
const LONGEST = 3_000
/** A longer text was written by a program, which repeats no key. */
const LONGEST_CHECKED = 4 * 1024 * 1024
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

  /** The arguments to send. Throws an `InvalidArgumentsError`, and nothing else. */
  check(tool: ValidatedTool, { args: given, text, path = [] }: GivenArguments): JsonObject {
    const args = givenArguments(given)
    if (!isJsonObject(args)) throw new InvalidArgumentsError(tool.exposedName, [typeFault(args)])
    const fault = text === undefined ? undefined : keyFault(text, path)
    const faults = fault === undefined ? this.#faults(tool, args) : [fault]
    if (faults.length > 0) throw new InvalidArgumentsError(tool.exposedName, faults)
    return args
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

/** Arguments as an agent means them: null, or an empty list as PHP writes it, for none. */
export function givenArguments(args: unknown): unknown {
  return Array.isArray(args) && args.length === 0 ? {} : (args ?? {})
}

function typeFault(args: unknown): string {
  if (typeof args !== 'string')
    return `The arguments must be an object, got ${shownValue(args, undefined)}.`
  const inner = unwrapped(args)
  if (isJsonObject(inner))
    return 'The arguments are a JSON string. Send the object itself, without quotes or code fences.'
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

/** A key below `path` of a JSON text that is there twice, or holds half a character (a lone surrogate), as a sentence that names it; undefined for none. */
function keyFault(text: string, path: readonly string[]): string | undefined {
  if (text.length > LONGEST_CHECKED) return undefined
  const open: Set<string>[] = []
  let found: string | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, _line, _character, pathOf) => {
      const keys = open.at(-1)
      const isTwice = keys?.has(key) === true
      keys?.add(key)
      if (found !== undefined || (!isTwice && key.isWellFormed())) return
      const inside = pathOf()
      if (path.some((step, at) => inside[at] !== step)) return
      const place = placeOf(inside.slice(path.length))
      const where = `${quoted(key)}${place === '' ? '' : ` in ${place}`}`
      found = isTwice
        ? `Duplicate key ${where}. Send it once, with the intended value.`
        : `Invalid Unicode in the key ${where}: lone surrogate. Send valid Unicode.`
    },
  })
  return found
}
