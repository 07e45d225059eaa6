import * as z from 'zod'

/** The version of the report's format; a member that is added does not raise it. */
export const VET_SCHEMA_VERSION = 1

/** How much a finding weighs: a rule of the protocol or of a model API is broken, advice is not followed, or it is worth knowing. */
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

/** Most findings that a report shows of one check; the rest is counted. */
export const MAX_FINDINGS = 20

/** One thing that is wrong, with its evidence: what was sent and what came back, each at most 2 KB and with secrets masked. */
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
  /** What holds where the check passes, as a sentence. */
  title: z.string(),
  /** Address of the section that asks for it. */
  section: z.string().optional(),
  /** A new check: shown, and without influence on the exit code. */
  isPending: z.boolean(),
  outcome: z.enum(['passed', 'found', 'notChecked']),
  /** Why it was not checked. */
  reason: z.string().optional(),
  /** It applies to this server and could not be checked, so the report is incomplete. */
  isMissing: z.boolean().optional(),
  findings: z.array(VetFinding).max(MAX_FINDINGS),
  /** Findings beyond those. */
  moreFindings: z.number().int().nonnegative(),
  /** The server hung or ended during this check and was started again. */
  restart: z.string().optional(),
})
export type VetCheck = z.infer<typeof VetCheck>

/** Results of all checks of one server in one version. */
export const VetReport = z.object({
  schemaVersion: z.literal(VET_SCHEMA_VERSION),
  patchbayVersion: z.string(),
  server: z.object({ name: z.string(), version: z.string().optional() }),
  /** The command or address that was started, secrets masked. */
  command: z.string(),
  /** As in `linux x64`. */
  system: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  durationMs: z.number().int().nonnegative(),
  checks: z.array(VetCheck),
})
export type VetReport = z.infer<typeof VetReport>

/** How far a check is, in all and in each group, in the order of the groups. */
export const VetProgress = z.object({
  done: z.number().int().nonnegative(),
  of: z.number().int().positive(),
  /** The one that runs. */
  group: VetGroup,
  groups: z.array(
    z.object({ group: VetGroup, done: z.number().int().nonnegative(), of: z.number().int() }),
  ),
})
export type VetProgress = z.infer<typeof VetProgress>

type VetCount = 'problems' | 'suggestions' | 'notes' | 'passed' | 'notChecked'

/** The counts that a report begins with; pending checks count as neither problem nor suggestion. */
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

/** "2 problems, 3 suggestions. 21 checks passed, 4 not checked." */
export function vetHeadline(report: Pick<VetReport, 'checks'>): string {
  const { passed, notChecked } = vetSummary(report)
  return `${vetFound(report)}. ${counted(passed, 'check')} passed, ${String(notChecked)} not checked.`
}

/** "2 problems, 3 suggestions" */
export function vetFound(report: Pick<VetReport, 'checks'>): string {
  const { problems, suggestions } = vetSummary(report)
  return `${counted(problems, 'problem')}, ${counted(suggestions, 'suggestion')}`
}

function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`
}
