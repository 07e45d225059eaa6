import type { ToolRun, ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import { attempt } from '../../../src-shared/domain/attempt'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import { maskJson, maskJsonInTurns } from '../masking/mask-json'
import type { Redactor } from '../masking/redact'
import type { ShownText } from './part-reader'
import type { ToolRunEnd } from './run-tool'

export type ToolRunHistoryOptions = {
  /** Returns what masks a server's secrets that are known now. */
  readonly redactorOf: (installationId: string) => Redactor
  /** Maximum number of finished runs. */
  readonly mostToolRuns?: number
  /** Maximum bytes of all texts together. */
  readonly mostBytes?: number
}

type Entry = Pick<ToolRun, 'toolRunId' | 'installationId' | 'startedAt' | 'isOfView'> & {
  readonly method: ToolRunRequest['method']
  /** JSON text; secrets are masked at the end of the run, because they are known by then. */
  params: string
  readonly target: string | undefined
  end?: Pick<ToolRun, 'durationMs' | 'outcome'>
  /** In UTF-8, which takes less memory than a string. */
  text?: Buffer | undefined
}

const MAX_TOOL_RUNS = 200
/** Limit for runs of views, which must not displace the user's runs. */
const MAX_OF_VIEWS = 50
const MAX_BYTES = 64 * 1024 * 1024
/** Of longer parameters only the target is stored, in characters. */
const MAX_PARAMS_LENGTH = 64 * 1024
const MAX_TARGET_LENGTH = 10_000
/** Maximum number of remembered ids. */
const MAX_IDS = 10_000
const MAX_RUNNING = 100

/** The latest tool runs since the app's start, with as many of their texts as fit. */
export class ToolRunHistory {
  readonly #options: Required<ToolRunHistoryOptions>
  /** In the order of their start. */
  readonly #entries = new Map<string, Entry>()
  readonly #usedIds = new Set<string>()
  #bytes = 0

  constructor(options: ToolRunHistoryOptions) {
    this.#options = { mostToolRuns: MAX_TOOL_RUNS, mostBytes: MAX_BYTES, ...options }
  }

  /** Records a started run. Throws INVALID_REQUEST for a used id, or if too many are running. */
  start(input: ParsedInput<'toolRun.start'>, origin: Pick<ToolRun, 'isOfView'> = {}): void {
    const { toolRunId } = input
    if (this.#usedIds.has(toolRunId))
      throw new AppError('INVALID_REQUEST', 'A run with this ID already exists.')
    const running = [...this.#entries.values()].filter(({ end }) => !end)
    if (running.length >= MAX_RUNNING)
      throw new AppError('INVALID_REQUEST', `${MAX_RUNNING} runs are in progress.`, {
        hint: 'Wait until some finish, or cancel them.',
      })
    this.#recordId(toolRunId)
    this.#entries.set(toolRunId, { ...entryOf(input, Date.now()), ...origin })
  }

  /**
   * Records the end of a run, and returns the run as shown, masked with the current secrets. Stores nothing if its server was removed
   * meanwhile.
   */
  end(
    input: ParsedInput<'toolRun.start'>,
    durationMs: number,
    { outcome, text }: ToolRunEnd,
    by: Redactor,
  ): ToolRun {
    const stored = this.#entries.get(input.toolRunId)
    const entry = stored ?? entryOf(input, Date.now() - durationMs)
    entry.end = { durationMs, outcome }
    entry.params = maskJson(entry.params, by)
    if (stored && text !== undefined) {
      entry.text = Buffer.from(text)
      this.#bytes += entry.text.length
    }
    this.#enforceLimits()
    return shownToolRun(entry, by)
  }

  /** Returns runs, newest first. */
  history({ installationId, method, target }: ParsedInput<'toolRun.history'>): ToolRun[] {
    return [...this.#entries.values()]
      .filter(
        (entry) =>
          entry.installationId === installationId &&
          (method === undefined || entry.method === method) &&
          (target === undefined || entry.target === target.slice(0, MAX_TARGET_LENGTH)),
      )
      .toReversed()
      .map((entry) => shownToolRun(entry, this.#options.redactorOf(installationId)))
  }

  /** Returns the text of a run with currently known secrets masked; throws NOT_FOUND. */
  textOf(toolRunId: string): ShownText {
    const { text, installationId } = this.#entries.get(toolRunId) ?? {}
    if (!text || installationId === undefined)
      throw new AppError('NOT_FOUND', 'The content of this run is no longer stored.', {
        hint: 'Run it again.',
      })
    const by = this.#options.redactorOf(installationId)
    return { key: toolRunId, by, read: () => maskJsonInTurns(text.toString(), by) }
  }

  /** Forgets a server's finished runs. */
  clear(installationId: string): void {
    this.#drop((entry) => entry.installationId === installationId && entry.end !== undefined)
  }

  /** Forgets all runs of a server. */
  forget(installationId: string): void {
    this.#drop((entry) => entry.installationId === installationId)
  }

  #enforceLimits(): void {
    const { mostBytes, mostToolRuns } = this.#options
    const finished = [...this.#entries.values()].filter(({ end }) => end)
    const ofViews = finished.filter(({ isOfView }) => isOfView)
    const byUser = finished.filter(({ isOfView }) => !isOfView)
    const excess = new Set([
      ...oldestBeyond(ofViews, MAX_OF_VIEWS),
      ...oldestBeyond(byUser, mostToolRuns),
    ])
    this.#drop((entry) => excess.has(entry))
    // The view is still reading its newest text.
    for (const entry of [...ofViews.slice(0, -1), ...byUser]) {
      if (this.#bytes <= mostBytes) return
      this.#bytes -= entry.text?.length ?? 0
      entry.text = undefined
    }
  }

  #drop(isOut: (entry: Entry) => boolean): void {
    for (const entry of this.#entries.values()) {
      if (!isOut(entry)) continue
      this.#entries.delete(entry.toolRunId)
      this.#bytes -= entry.text?.length ?? 0
      entry.text = undefined
    }
  }

  #recordId(toolRunId: string): void {
    this.#usedIds.add(toolRunId)
    const [oldest] = this.#usedIds
    if (this.#usedIds.size > MAX_IDS && oldest !== undefined) this.#usedIds.delete(oldest)
  }
}

function oldestBeyond(entries: readonly Entry[], max: number): readonly Entry[] {
  return entries.slice(0, Math.max(entries.length - max, 0))
}

function entryOf(
  { toolRunId, installationId, request }: ParsedInput<'toolRun.start'>,
  startedAt: number,
): Entry {
  const { method, params } = request
  const target = targetOf(params)
  return { toolRunId, installationId, startedAt, method, target, params: storedParams(params) }
}

function shownToolRun(entry: Entry, by: Redactor): ToolRun {
  const { toolRunId, installationId, startedAt, method, end, text, isOfView } = entry
  const params: unknown = JSON.parse(maskJson(entry.params, by))
  const request = { method, params: isJsonObject(params) ? params : {} }
  const hasText = text !== undefined
  const origin = isOfView && { isOfView }
  return { toolRunId, installationId, startedAt, request, ...end, hasText, ...origin }
}

/** Returns the target of a request: a name or an address. */
function targetOf({ name, uri }: ToolRunRequest['params']): string | undefined {
  const target = name ?? uri
  return typeof target === 'string' ? target.slice(0, MAX_TARGET_LENGTH) : undefined
}

function storedParams(params: ToolRunRequest['params']): string {
  // Parameters that are nested too deeply can't be serialized.
  const text = attempt(() => JSON.stringify(params))
  if (text !== undefined && text.length <= MAX_PARAMS_LENGTH) return text
  const what = 'name' in params ? 'name' : 'uri'
  return JSON.stringify({ [what]: targetOf(params) })
}
