import { errorMessage } from '../../../src-shared/domain/error-message'
import {
  MAX_FINDINGS,
  type VetCheck,
  type VetFinding,
  type VetGroup,
  type VetProgress,
} from '../../../src-shared/domain/vet/vet-report'
import { TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'
import {
  type Check,
  type CheckContext,
  type CheckNeed,
  type CheckOutcome,
  notChecked,
  type RunContext,
} from './check'
import type { VetRun } from './vet-run'

/** Longest evidence of a finding, in characters. */
const MAX_EVIDENCE_LENGTH = 2_000

export type RunChecksOptions = {
  /** User options that a check may need. */
  readonly allowed: ReadonlySet<CheckNeed>
  /** Time limit of one check, in ms; a start has its own limits. */
  readonly checkMs: number
  readonly mask: (text: string) => string
  readonly onProgress?: ((progress: VetProgress) => void) | undefined
}

/** Why a check with an unmet requirement wasn't done. */
const MISSING: Readonly<Record<CheckNeed, string>> = {
  running: 'The server doesn’t run.',
  process: 'The server runs on another computer.',
  stdio: 'The server doesn’t speak over stdio.',
  session: 'The server has no sessions.',
  strace: 'Needs strace, on Linux.',
  callReadOnly: 'Calls a tool: needs --call-read-only.',
  advisories: 'Asks the package registry: needs --advisories.',
}

/**
 * Runs the checks in turn. A server that hangs or ends during a check is restarted for the next one, and the check says so. Rejects only if
 * `signal` is aborted.
 */
export async function runChecks(
  checks: readonly Check[],
  ctx: CheckContext,
  options: RunChecksOptions,
): Promise<VetCheck[]> {
  const results: VetCheck[] = []
  for (const check of checks) {
    ctx.signal.throwIfAborted()
    options.onProgress?.(progressOf(checks, results, check))
    results.push(await runCheck(check, ctx, options))
  }
  return results
}

function progressOf(
  checks: readonly Check[],
  results: readonly VetCheck[],
  running: Check,
): VetProgress {
  const groups = [...Map.groupBy(checks, groupOf)].map(([group, all]) => ({
    ...{ group, of: all.length },
    done: results.filter((result) => result.group === group).length,
  }))
  return { done: results.length, of: checks.length, group: groupOf(running), groups }
}

async function runCheck(
  check: Check,
  ctx: CheckContext,
  { allowed, checkMs, mask }: RunChecksOptions,
): Promise<VetCheck> {
  const { needs = [] } = check
  const start = needs.includes('running') ? await ctx.server.shared() : undefined
  if (start?.kind === 'failed')
    return resultOf(check, missing('The server didn’t start.'), undefined, mask)
  const lacking = needs.find((need) => !isThere(need, start?.run, allowed))
  if (lacking !== undefined) return resultOf(check, notChecked(MISSING[lacking]), undefined, mask)
  // A check without that requirement doesn't read it.
  const runContext = { ...ctx, run: start?.run } as RunContext
  const { outcome, isLate } = await outcomeOf(check, runContext, checkMs)
  const restart = start && restartAfter(check, start.run, isLate)
  if (restart !== undefined) await ctx.server.restart()
  return resultOf(check, outcome, restart, mask)
}

async function outcomeOf(
  check: Check,
  ctx: RunContext,
  checkMs: number,
): Promise<{ readonly outcome: CheckOutcome; readonly isLate: boolean }> {
  try {
    return { outcome: await limited(checkMs, ctx, async () => check.run(ctx)), isLate: false }
  } catch (error) {
    ctx.signal.throwIfAborted()
    const isLate = error instanceof TimeLimitError
    const reason = isLate ? `No result within ${String(checkMs / 1_000)} s.` : errorMessage(error)
    return { outcome: missing(reason), isLate }
  }
}

/** Like `withTimeLimit`, but the time of starts, which have their own limits, doesn't count. */
async function limited<T>(
  limitMs: number,
  { server }: CheckContext,
  work: () => Promise<T>,
): Promise<T> {
  const running = work()
  // It is awaited again below.
  running.catch(() => undefined)
  for (;;) {
    try {
      return await withTimeLimit(limitMs, () => running)
    } catch (error) {
      if (!(error instanceof TimeLimitError && (await server.whenStarted()))) throw error
    }
  }
}

/** Why the server is restarted for the next check; undefined if it isn't. */
function restartAfter({ endsServer }: Check, run: VetRun, isLate: boolean): string | undefined {
  if (!run.isAlive && endsServer !== true)
    return `The server was restarted: it ended during this check${exitOf(run)}.`
  return isLate ? 'The server was restarted: it didn’t respond.' : undefined
}

function missing(reason: string): CheckOutcome {
  return { kind: 'notChecked', reason, isMissing: true }
}

function isThere(
  need: CheckNeed,
  run: VetRun | undefined,
  allowed: ReadonlySet<CheckNeed>,
): boolean {
  if (need === 'running') return true
  if (need === 'process') return run?.session.connection.pid !== undefined
  if (need === 'stdio') return run?.session.connection.hasRequestStreams === false
  if (need === 'session') return run?.session.protocolMode === 'sessions'
  return allowed.has(need)
}

function exitOf({ session }: VetRun): string {
  const { exit } = session.connection
  if (!exit) return ''
  return exit.code === null ? ` (${exit.signal ?? 'signal'})` : ` (exit code ${String(exit.code)})`
}

function groupOf({ id }: Check): VetGroup {
  return id.slice(0, id.indexOf('.')) as VetGroup
}

function resultOf(
  check: Check,
  outcome: CheckOutcome,
  restart: string | undefined,
  mask: (text: string) => string,
): VetCheck {
  const { id, title, section, isPending = false } = check
  const { findings = [], level = check.level } = outcome.kind === 'found' ? outcome : {}
  const shown = findings.slice(0, MAX_FINDINGS).map((one) => masked(one, mask))
  return {
    ...{ id, group: groupOf(check), level, title, section, isPending },
    outcome: outcome.kind,
    ...(outcome.kind === 'notChecked' && {
      ...{ reason: mask(outcome.reason), isMissing: outcome.isMissing ?? false },
    }),
    findings: shown,
    moreFindings: findings.length - shown.length,
    restart,
  }
}

function masked(
  { message, sent, received, fix }: VetFinding,
  mask: (text: string) => string,
): VetFinding {
  const evidence = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : cut(mask(text))
  return { message: mask(message), sent: evidence(sent), received: evidence(received), fix }
}

function cut(text: string): string {
  return text.length <= MAX_EVIDENCE_LENGTH ? text : `${text.slice(0, MAX_EVIDENCE_LENGTH)} …`
}
