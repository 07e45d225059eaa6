import {
  type VetCheck,
  type VetFinding,
  vetFound,
  vetHeadline,
  type VetLevel,
  type VetReport,
  vetSummary,
} from './vet-report'

const LEVELS: Readonly<Record<VetLevel, string>> = {
  must: 'Problem',
  should: 'Suggestion',
  note: 'Note',
}
const ORDER: readonly VetLevel[] = ['must', 'should', 'note']

/** Returns a report as Markdown, for an issue to the server's author or a CI summary. */
export function vetMarkdown(report: VetReport): string {
  const { server, checks, command, system, startedAt, patchbayVersion } = report
  const found = byWeight(checks)
  const passed = checks.filter(({ outcome }) => outcome === 'passed')
  const skipped = checks.filter(({ outcome }) => outcome === 'notChecked')
  return `${[
    `# ${plain(nameOf(report))}`,
    `**${vetHeadline(report)}**`,
    [
      `Checked ${startedAt.slice(0, 10)} on ${system} with Patchbay ${patchbayVersion}`,
      server.version === undefined ? '.' : `, version ${plain(server.version)}.`,
    ].join(''),
    fenced(command),
    ...found.flatMap(findingsOf),
    ...section(
      'Checked and fine',
      passed.map(({ title }) => `- ${title}`),
    ),
    ...section(
      'Not checked',
      skipped.map(({ title, reason = '' }) => `- ${title} ${plain(reason)}`),
    ),
  ].join('\n\n')}\n`
}

/** Returns the line that a README can quote. */
export function vetLine(report: VetReport): string {
  const checked = `${String(vetSummary(report).passed)} of ${String(report.checks.length)} checks`
  return `patchbay vet: ${vetFound(report)} (${checked}, ${report.startedAt.slice(0, 10)})`
}

/** Returns the checks with findings, most severe first. */
export function byWeight(checks: readonly VetCheck[]): VetCheck[] {
  return checks
    .filter(({ outcome }) => outcome === 'found')
    .toSorted((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level))
}

/** Returns "Problem", "Suggestion" or "Note". */
export function levelLabel({ level, isPending }: Pick<VetCheck, 'level' | 'isPending'>): string {
  return isPending ? `${LEVELS[level]}, new check` : LEVELS[level]
}

function nameOf({ server: { name, version } }: VetReport): string {
  return version === undefined ? name : `${name} ${version}`
}

function findingsOf(check: VetCheck): string[] {
  const { id, title, section: address, findings, moreFindings, restart } = check
  const source = address === undefined ? '' : ` ([section](${address}))`
  return [
    `## ${levelLabel(check)}: \`${id}\``,
    `Expected: ${title}${source}`,
    ...findings.flatMap(evidenceOf),
    ...(moreFindings > 0 ? [`And ${String(moreFindings)} more.`] : []),
    ...(restart === undefined ? [] : [plain(restart)]),
  ]
}

function evidenceOf({ message, sent, received, fix }: VetFinding): string[] {
  return [
    plain(message),
    ...(sent === undefined ? [] : [`Sent:`, fenced(sent)]),
    ...(received === undefined ? [] : ['Received:', fenced(received)]),
    `Fix: ${fix}`,
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')]
}

/** Escapes untrusted text: one line, without Markdown or HTML. */
function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_[\]<>#|~@]/gu, (mark) => `\\${mark}`)
}

/** Puts untrusted text into a fence that it can't close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}
