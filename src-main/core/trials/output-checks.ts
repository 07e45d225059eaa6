import type { Worker, WorkerOptions } from 'node:worker_threads'

import pLimit from 'p-limit'

import type { SchemaProblem, TrialOutcome } from '../../../src-shared/domain/agents/trial'
import { messageOf } from '../failure/describe-failure'
import type { SchemaCalls } from '../gateway/arguments/schema-calls'
import { LimitedThread } from '../lifecycle/limited-thread'
import { TimeLimitError } from '../lifecycle/time-limit'
import type { ResultText } from '../mcp/json/result-text'

export type OutputCheck = NonNullable<Extract<TrialOutcome, { kind: 'result' }>['checked']>

export type OutputChecksOptions = {
  /** Starts the thread that checks values; where it is missing, those that may take long are not checked. */
  readonly createWorker?: ((options: WorkerOptions) => Worker) | undefined
  /** Of one check on the thread, in ms. */
  readonly limitMs?: number
}

const LIMIT_MS = 2_000
const REST_MS = 30_000
/** Bytes of what is sent to the thread, which reads it there: to copy the value itself would take the main thread's time. */
const MOST_BYTES = 16 * 1024 * 1024

/** Checks what tools answer against their output schemas (MCP, tools, structured content): at once where that is quick for certain, else on a thread with a time limit. */
export class OutputChecks implements AsyncDisposable {
  readonly #thread: LimitedThread<SchemaCalls> | undefined
  readonly #inTurn = pLimit(1)

  constructor({ createWorker, limitMs = LIMIT_MS }: OutputChecksOptions) {
    if (createWorker) this.#thread = new LimitedThread({ createWorker, limitMs, restMs: REST_MS })
  }

  /** Undefined where there is nothing to check: no schema, or a tool that says that it failed. Never rejects. */
  async check(schema: unknown, answer: ResultText): Promise<OutputCheck | undefined> {
    const { structuredContent, isError } = answer.result
    if (schema === undefined || isError === true) return undefined
    if (structuredContent === undefined)
      return { isChecked: true, problems: [{ path: '', message: NOTHING_GIVEN }] }
    try {
      return { isChecked: true, problems: await this.#problems(schema, answer) }
    } catch (error) {
      return { isChecked: false, problems: [], why: whyNot(error) }
    }
  }

  /** Ends what is under way; it then counts as not checked. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]()
  }

  async #problems(schema: unknown, { text, result }: ResultText): Promise<SchemaProblem[]> {
    // Loaded with the first check: most of the app's starts have none.
    const { quickProblems } = await import('./quick-problems')
    const problems = quickProblems(schema, result.structuredContent)
    if (problems) return problems
    if (Buffer.byteLength(text) > MOST_BYTES) throw new Error('the answer is too large')
    return this.#inTurn(async () => {
      if (!this.#thread) throw new Error('there is no thread for one that may take long')
      return this.#thread.call((remote) => remote.findProblems(schema, text.toString()))
    })
  }
}

const NOTHING_GIVEN = 'The tool has an output schema and gave no structured content.'

function whyNot(error: unknown): string {
  const why =
    error instanceof TimeLimitError
      ? 'its output schema takes too long'
      : messageOf(error).replace(/\.+$/u, '')
  return `The structured content was not checked: ${why}.`
}
