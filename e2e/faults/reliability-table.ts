import type { RowResult } from './row-result'

const BEGIN = '<!-- measured rows begin -->'
const END = '<!-- measured rows end -->'
const HEADS = ['A server that …', 'What is seen', 'After', 'Stop', 'Left', 'Kept', 'Peak']

/** Replaces the measured part of the page: one table per group. Throws if a mark is missing. */
export function reliabilityTable(
  page: string,
  rows: readonly RowResult[],
  machine: string,
): string {
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END)
  if (from === -1 || to < from) throw new Error(`The page lacks ${BEGIN} or ${END}.`)
  const groups = [...new Set(rows.map(({ group }) => group))].sort()
  const tables = groups.map((group) => {
    const own = rows.filter((row) => row.group === group)
    return [`### ${capitalised(group)}`, '', ...tableOf(own)].join('\n')
  })
  const measured = [`Measured on ${machine}.`, ...tables].join('\n\n')
  return `${page.slice(0, from + BEGIN.length)}\n\n${measured}\n\n${page.slice(to)}`
}

function tableOf(rows: readonly RowResult[]): string[] {
  const rule = HEADS.map((_, column) => (column < 2 ? '---' : '--:'))
  const lines = rows.map((row) => [
    row.fault,
    row.seen.replaceAll(/, “[^”]*”/gu, ''),
    inTime(row.ms),
    inTime(row.stopMs),
    String(row.processesLeft),
    inMegabytes(row.keptMb),
    row.peakMb === undefined ? '-' : inMegabytes(row.peakMb),
  ])
  return [HEADS, rule, ...lines].map((cells) => `| ${cells.map(escaped).join(' | ')} |`)
}

function inTime(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(2)} s`
}

function inMegabytes(megabytes: number): string {
  return `${Math.max(0, megabytes).toFixed(megabytes < 10 ? 1 : 0)} MB`
}

/** A server's text must not become markup. */
function escaped(cell: string): string {
  return cell.replace(/[|\\<>*`[\]]|\b_|_\b/gu, '\\$&').replace(/\s+/gu, ' ')
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
