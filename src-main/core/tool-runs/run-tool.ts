import type { ToolRunOutcome } from '../../../src-shared/domain/agents/tool-run'
import { AppError, type AppErrorShape } from '../../../src-shared/domain/app-error'
import type { JsonObject } from '../../../src-shared/domain/json-object'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import { cutProse, messageOf } from '../failure/describe-failure'
import { Throttle } from '../lifecycle/throttle'
import { maskJsonInTurns } from '../masking/mask-json'
import type { Redactor } from '../masking/redact'
import { type ResultText, writtenResult } from '../mcp/json/result-text'
import type { Progress } from '../mcp/peer/pending-requests'
import { RejectedRequestError } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'
import { type Server, START_WAIT_MS } from '../servers/server'
import type { Tools } from '../tools/tools'

const NOTIFY_EVERY_MS = 50
const MAX_PROGRESS_LENGTH = 500

/** Reports the progress of one run: the newest step at most twenty times a second, and always the last one. */
export class ProgressReporter implements Disposable {
  #untold: Progress | undefined
  readonly #throttle = new Throttle(NOTIFY_EVERY_MS, () => this.#reportNewest())

  constructor(private readonly onStep: (step: Progress) => void) {}

  add(step: Progress): void {
    this.#untold = step
    this.#throttle.call()
  }

  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]()
    this.#reportNewest()
  }

  #reportNewest(): void {
    const step = this.#untold
    this.#untold = undefined
    if (!step) return
    const { progress, total, message } = step
    this.onStep({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: cutProse(message, MAX_PROGRESS_LENGTH) }),
    })
  }
}

export type OutputCheck = NonNullable<Extract<ToolRunOutcome, { kind: 'result' }>['checked']>

const NOTHING_GIVEN = 'The tool has an output schema but returned no structured content.'

/**
 * Validates a tool's result against its output schema (MCP, tools, structured content). Resolves to undefined without a schema, or if the
 * tool failed. Never rejects.
 */
export async function checkOutput(
  schema: unknown,
  { result }: Pick<ResultText, 'result'>,
): Promise<OutputCheck | undefined> {
  const { structuredContent, isError } = result
  if (schema === undefined || isError === true) return undefined
  if (structuredContent === undefined)
    return { isChecked: true, problems: [{ path: '', message: NOTHING_GIVEN }] }
  try {
    // Loaded with the first check: most runs of the app have none.
    const { findProblems } = await import('../gateway/arguments/argument-messages')
    return { isChecked: true, problems: findProblems(schema, structuredContent) }
  } catch (error) {
    const why = `The structured content was not checked: ${messageOf(error)}.`
    return { isChecked: false, problems: [], why }
  }
}

export type RunToolParts = {
  readonly servers: { read(installationId: string): Pick<Server, 'ready'> }
  readonly tools: Pick<Tools, 'used'>
  /** Returns what masks the server's secrets that are known now. */
  readonly redactor: () => Redactor
  readonly onProgress: (step: Progress) => void
  readonly signal: AbortSignal
}

/** The end of a run; `text` is the masked result or error data. */
export type ToolRunEnd = {
  readonly outcome: ToolRunOutcome
  readonly text?: string | undefined
}

/** Maximum length of a server's rejection message. */
const MAX_MESSAGE_LENGTH = 4_000
/** Maximum bytes of a shown response; of a larger one only the size is shown. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

/**
 * Sends a request of the user to its server, and resolves to its end; never rejects. The server is started on demand if its policy says so.
 */
export async function runTool(
  input: ParsedInput<'toolRun.start'>,
  parts: RunToolParts,
): Promise<ToolRunEnd> {
  const { method, params } = input.request
  const { signal, servers, redactor, onProgress } = parts
  const mask = (text: string): string => redactor()(text)
  const steps = new ProgressReporter((step) =>
    onProgress({ ...step, ...(step.message !== undefined && { message: mask(step.message) }) }),
  )
  try {
    const waitMs = input.timeoutMs ?? START_WAIT_MS
    const session = await servers.read(input.installationId).ready({ method, waitMs, signal })
    const tool = toolOf(session, input)
    if (tool) parts.tools.used(input.installationId, tool.name)
    const sent = tool ? await checkedParams(tool, params) : params
    const answer = await session.requestText(method, sent, {
      signal,
      timeoutMs: input.timeoutMs,
      requestOrigin: { toolRunId: input.toolRunId },
      onProgress: (step) => steps.add(step),
    })
    return await toEnd(answer, tool?.outputSchema, parts)
  } catch (error) {
    return await toFailedEnd(error, redactor())
  } finally {
    steps[Symbol.dispose]()
  }
}

type TriedTool = {
  readonly name: string
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
}

/** Returns the parameters with arguments validated as for agents. Rejects with an `InvalidArgumentsError`. */
async function checkedParams(
  { name, inputSchema }: TriedTool,
  params: JsonObject,
): Promise<JsonObject> {
  // Loaded with the first check: most runs of the app have none.
  const { ArgumentValidator, normalizedArguments } =
    await import('../gateway/arguments/argument-validator')
  const { arguments: args } = params
  // Unvalidated arguments are left to the server, as for agents.
  const validator = new ArgumentValidator(() => undefined)
  const tool = { exposedName: name, schema: inputSchema, hash: name }
  const { exact } = validator.check(tool, normalizedArguments({ plain: args, exact: args }))
  return { ...params, arguments: exact }
}

function toolOf(
  { capabilities }: ServerSession,
  { request }: ParsedInput<'toolRun.start'>,
): TriedTool | undefined {
  if (request.method !== 'tools/call') return undefined
  return capabilities.tools.find(({ name }) => name === request.params.name)
}

async function toEnd(
  answer: ResultText,
  outputSchema: unknown,
  { redactor }: RunToolParts,
): Promise<ToolRunEnd> {
  const { text: written, result } = answer
  const bytes = Buffer.byteLength(written)
  const isError = result.isError === true
  const found = await checkOutput(outputSchema, answer)
  const mask = redactor()
  const checked = found && {
    ...found,
    problems: found.problems.map(({ path, message }) => {
      return { path: mask(path), message: mask(message) }
    }),
  }
  const summary = { kind: 'result', bytes, isError, ...(checked && { checked }) } as const
  if (bytes > MAX_TEXT_BYTES) return { outcome: { ...summary, length: written.length } }
  const text = await maskJsonInTurns(written.toString(), mask)
  return { outcome: { ...summary, length: text.length }, text }
}

async function toFailedEnd(error: unknown, mask: Redactor): Promise<ToolRunEnd> {
  if (!(error instanceof RejectedRequestError))
    return { outcome: { kind: 'failed', error: shapeOf(error, mask) } }
  const { code, message, data } = error.refusal
  const text = data === undefined ? undefined : await textOf(data, mask)
  const masked = mask(cutProse(message, MAX_MESSAGE_LENGTH))
  const outcome = { kind: 'refused', code, message: masked, length: text?.length ?? 0 } as const
  return { outcome, text }
}

/** Returns undefined for a text that is too large. */
async function textOf(data: unknown, mask: Redactor): Promise<string | undefined> {
  try {
    const text = String(writtenResult(data).text)
    return Buffer.byteLength(text) > MAX_TEXT_BYTES ? undefined : await maskJsonInTurns(text, mask)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function shapeOf(error: unknown, mask: Redactor): AppErrorShape {
  if (!(error instanceof AppError))
    return { code: 'INTERNAL', message: mask(`Unexpected error: ${messageOf(error)}`) }
  const { code, message, hint } = error
  return { code, message: mask(message), ...(hint !== undefined && { hint: mask(hint) }) }
}
