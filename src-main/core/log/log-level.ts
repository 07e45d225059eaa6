import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** One search tells of most lines that they claim nothing. */
const ANY = /error|fatal|panic|critical|exception|warn|deprecated|debug|trace|verbose/i

const PATTERNS: readonly (readonly [LogEntry['level'], RegExp])[] = [
  [
    'error',
    /^\W*(?:\S+\s+){0,3}\[?(?:error|fatal|panic|critical|exception)\b|^\w*(?:Error|Exception):/iu,
  ],
  ['warn', /^\W*(?:\S+\s+){0,3}\[?(?:warn|warning|deprecated)\b/iu],
  ['debug', /^\W*(?:\S+\s+){0,3}\[?(?:debug|trace|verbose)\b/iu],
]

/** The level that a plain line of stderr claims for itself near its start; stderr alone is no sign of an error. */
export function levelOf(line: string): LogEntry['level'] {
  const start = line.slice(0, 120)
  if (!ANY.test(start)) return 'info'
  return PATTERNS.find(([, pattern]) => pattern.test(start))?.[0] ?? 'info'
}
