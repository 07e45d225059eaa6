import { SERVER_FEWER, SERVER_KNOWN } from './server-scenarios'
import type { ScenarioResult } from './suite'

const MAX_SAID_LENGTH = 200
const DECISION = '[decision 27](decisions/0027-gateway-pipeline.md)'

/** A scenario's results on both sides. */
export type BothResults = { readonly directly: ScenarioResult; readonly through: ScenarioResult }

/** A sentence about what a scenario loses through the gateway; undefined for nothing, or for checks known not to be made. */
export function lossOf({ directly, through }: BothResults): string | undefined {
  if (directly.isPassed && !through.isPassed) return 'It passes directly alone.'
  const fewer = directly.passed - through.passed
  const isKnown = through.isPassed && through.warnings === 0 && through.scenario in SERVER_FEWER
  if (fewer <= 0 || isKnown) return undefined
  return `${String(fewer)} of its checks pass directly alone.`
}

/** A table row in Markdown; undefined if every check passes. */
export function serverRowOf({ directly, through }: BothResults): string | undefined {
  const { scenario, isPassed, said } = through
  const failed = isPassed ? '' : (SERVER_KNOWN[scenario] ?? wordsOf(said))
  const why = through.passed < directly.passed ? (SERVER_FEWER[scenario] ?? failed) : failed
  if (why === '') return undefined
  return `| ${scenario} | ${cellOf(directly)} | ${cellOf(through)} | ${why} |`
}

/** Sentences in Markdown about a version's share that passes through the gateway, and the rest. */
export function shareOf(results: readonly BothResults[]): string {
  const failing = results.filter(({ through }) => !through.isPassed)
  const refused = failing.filter(({ directly, through }) => {
    return !directly.isPassed && through.scenario in SERVER_KNOWN
  })
  const count = results.length
  const parts = [`Through the gateway ${ofAll(count - failing.length, count)} pass.`]
  if (refused.length > 0) {
    const names = refused.map(({ through }) => `\`${through.scenario}\``).join(', ')
    parts.push(
      `Excluded by ${DECISION}: ${names}.`,
      `Of the others ${ofAll(count - failing.length, count - refused.length)} pass.`,
    )
  }
  return parts.join(' ')
}

/** The first failed check's message, for a table. */
export function wordsOf([first = '']: readonly string[]): string {
  const words = first.length > MAX_SAID_LENGTH ? `${first.slice(0, MAX_SAID_LENGTH)}…` : first
  return words.replaceAll('|', '\\|').replaceAll(/localhost:\d+/gu, 'localhost')
}

function cellOf({ isPassed, passed, failed, warnings }: ScenarioResult): string {
  const result = isPassed ? 'passed' : '**failed**'
  return `${result}, ${String(passed)} of ${String(passed + failed + warnings)}`
}

function ofAll(passed: number, all: number): string {
  return `${String(passed)} of ${String(all)} (${(Math.floor((passed / all) * 1_000) / 10).toFixed(1)}%)`
}
