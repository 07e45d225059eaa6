import type { LogEntry } from '../../../src-shared/domain/running/log-entry'

type Level = LogEntry['level']

/** Searched characters of a text line and of a JSON line. */
const START = 160
const JSON_START = 2_000

/** Level names of loggers. */
const WORDS: ReadonlyMap<string, Level> = new Map([
  ...named(
    'error',
    'error err erro eror fatal crit critical panic alert emerg emergency severe fail dpanic',
  ),
  ...named('warn', 'warn warning wrn deprecated notice'),
  ...named('debug', 'debug dbg dbug trace trce verbose verb silly finest finer fine'),
  ...named('info', 'info inf information informational http log'),
])

const ANY =
  /err|fatal|crit|panic|alert|emerg|severe|fail|exception|traceback|warn|wrn|deprecat|notice|debug|dbg|dbug|trace|trce|verb|silly|^[EWIF]\d{4} |^<[0-7]>/i

/** Matches `level=warn`, `lvl=eror` and `severity: ERROR`. */
const FIELD = /\b(?:level|lvl|severity)[=:] ?"?(\w+)/i
const TOKEN = /^(\W*)(\w+)(\W*)/
/** Number of words at the start that may be a level: a time, a process and a name may come first. */
const WORDS_AT_START = 7

/** The level field of a JSON line, near its start; a later text could contain its name. */
const JSON_FIELD = /"(?:level|severity|lvl|levelname|log\.level|@l)"\s*:\s*(?:"(\w+)"|(\d+))/i
const FAILURE = /^\w*(?:Error|Exception)\b|^Traceback \(|^panic: |^Unhandled/
const NODE_WARNING = /^\(\w+:\d+\) (?:\[\w+\] )?\w*Warning/
/** klog's letter, and a journal's number. */
const LETTER = /^([EWIF])\d{4} \d\d:/
const PRIORITY = /^<([0-7])>/

/** Returns the level that a line of stderr declares near its start; stderr alone doesn't mean an error. */
export function levelOf(line: string): Level {
  if (line.charCodeAt(0) === 123) return jsonLevel(line.slice(0, JSON_START)) ?? 'info'
  const start = line.slice(0, START)
  if (!ANY.test(start)) return 'info'
  if (FAILURE.test(start)) return 'error'
  if (NODE_WARNING.test(start)) return 'warn'
  return shortLevel(start) ?? levelOfWords(start) ?? 'info'
}

/** Reads the level as pino, bunyan, winston, zap, slog, structlog and Serilog write it. */
function jsonLevel(start: string): Level | undefined {
  const [, word, number] = JSON_FIELD.exec(start) ?? []
  if (word !== undefined) return WORDS.get(word.toLowerCase())
  if (number === undefined) return undefined
  // Multiples of ten from trace to fatal.
  const value = Number(number)
  if (value >= 50) return 'error'
  if (value >= 40) return 'warn'
  return value >= 30 || value < 10 ? 'info' : 'debug'
}

function shortLevel(start: string): Level | undefined {
  const letter = LETTER.exec(start)?.[1]
  if (letter !== undefined) return letter === 'W' ? 'warn' : letter === 'I' ? 'info' : 'error'
  const priority = PRIORITY.exec(start)?.[1]
  if (priority === undefined) return undefined
  if (Number(priority) <= 3) return 'error'
  if (Number(priority) === 4) return 'warn'
  return priority === '7' ? 'debug' : 'info'
}

function levelOfWords(start: string): Level | undefined {
  const field = FIELD.exec(start)?.[1]?.toLowerCase()
  if (field !== undefined && WORDS.has(field)) return WORDS.get(field)
  const tokens = start.split(/[ \t]+/, WORDS_AT_START)
  for (const [index, token] of tokens.entries()) {
    const [, before = '', word = '', after = ''] = TOKEN.exec(token) ?? []
    // npm uses it for its next release.
    if (index === 1 && tokens[0] === 'npm' && word === 'notice') return 'info'
    const level = WORDS.get(word.toLowerCase())
    if (level !== undefined && isClaim({ before, word, after }, index, tokens[0])) return level
  }
  return undefined
}

/** Whether a level name declares the level of the line and isn't a word of its text. */
function isClaim(
  { before, word, after }: { before: string; word: string; after: string },
  index: number,
  first: string | undefined,
): boolean {
  if (index === 0 || (index === 1 && first === 'npm')) return true
  return word === word.toUpperCase() || /^[\]:|>)]/.test(after) || /[[<(|]$/.test(before)
}

function named(level: Level, words: string): (readonly [string, Level])[] {
  return words.split(' ').map((word) => [word, level])
}
