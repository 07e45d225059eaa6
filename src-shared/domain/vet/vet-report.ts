import * as z from 'zod'

/** Version of the report's format; an added member does not raise it. */
export const VET_SCHEMA_VERSION = 1

/** Severity of a finding: `must` violates the protocol or a model API, `should` ignores advice, `note` is information. */
export const VetLevel = z.enum(['must', 'should', 'note'])
export type VetLevel = z.infer<typeof VetLevel>

export const VetGroup = z.enum([
  'package',
  'start',
  'protocol',
  'tools',
  'errors',
  'end',
  'reach',
  'secrets',
])
export type VetGroup = z.infer<typeof VetGroup>

/** Maximum number of findings of one check in a report; the rest is counted. */
export const MAX_FINDINGS = 20

/** One finding with its evidence: request and response, each at most 2 KB and with secrets masked. */
export const VetFinding = z.object({
  message: z.string(),
  sent: z.string().optional(),
  received: z.string().optional(),
  fix: z.string(),
})
export type VetFinding = z.infer<typeof VetFinding>

/** One check of a report. Its id never changes. */
export const VetCheck = z.object({
  id: z.string(),
  group: VetGroup,
  level: VetLevel,
  /** The rule that the check verifies, as a sentence. */
  title: z.string(),
  /** Address of the section with the rule. */
  section: z.string().optional(),
  /** A new check: shown, but without influence on the exit code. */
  isPending: z.boolean(),
  outcome: z.enum(['passed', 'found', 'notChecked']),
  /** Why it was not checked. */
  reason: z.string().optional(),
  /** It applies to this server but could not be checked, so the report is incomplete. */
  isMissing: z.boolean().optional(),
  findings: z.array(VetFinding).max(MAX_FINDINGS),
  /** Number of further findings. */
  moreFindings: z.number().int().nonnegative(),
  /** The server hung or exited during this check and was restarted. */
  restart: z.string().optional(),
})
export type VetCheck = z.infer<typeof VetCheck>

/** Results of all checks of one server in one version. */
export const VetReport = z.object({
  schemaVersion: z.literal(VET_SCHEMA_VERSION),
  patchbayVersion: z.string(),
  server: z.object({ name: z.string(), version: z.string().optional() }),
  /** The started command or address, secrets masked. */
  command: z.string(),
  /** Such as `linux x64`. */
  system: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  durationMs: z.number().int().nonnegative(),
  checks: z.array(VetCheck),
})
export type VetReport = z.infer<typeof VetReport>

/** Progress of a check, in total and for each group, in the order of the groups. */
export const VetProgress = z.object({
  done: z.number().int().nonnegative(),
  of: z.number().int().positive(),
  /** The current group. */
  group: VetGroup,
  groups: z.array(
    z.object({ group: VetGroup, done: z.number().int().nonnegative(), of: z.number().int() }),
  ),
})
export type VetProgress = z.infer<typeof VetProgress>

type VetCount = 'problems' | 'suggestions' | 'notes' | 'passed' | 'notChecked'

/** Counts for the head of a report; pending checks count as neither problem nor suggestion. */
export function vetSummary({
  checks,
}: Pick<VetReport, 'checks'>): Readonly<Record<VetCount, number>> {
  const found = (level: VetLevel): number =>
    checks.filter((one) => one.outcome === 'found' && !one.isPending && one.level === level).length
  const ended = (outcome: VetCheck['outcome']): number =>
    checks.filter((one) => one.outcome === outcome).length
  return {
    problems: found('must'),
    suggestions: found('should'),
    notes: found('note'),
    passed: ended('passed'),
    notChecked: ended('notChecked'),
  }
}

/** Returns "2 problems, 3 suggestions. 21 checks passed, 4 not checked." */
export function vetHeadline(report: Pick<VetReport, 'checks'>): string {
  const { passed, notChecked } = vetSummary(report)
  return `${vetFound(report)}. ${counted(passed, 'check')} passed, ${String(notChecked)} not checked.`
}

/** Returns "2 problems, 3 suggestions". */
export function vetFound(report: Pick<VetReport, 'checks'>): string {
  const { problems, suggestions } = vetSummary(report)
  return `${counted(problems, 'problem')}, ${counted(suggestions, 'suggestion')}`
}

function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`
}
