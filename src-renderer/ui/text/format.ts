import type { AppErrorShape } from '../../../src-shared/domain/app-error'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** English, as all sentences are, with the region of the system: `en-US` writes `6:40 PM`, `en-DE` writes `18:40`. */
const LOCALE = `en-${new Intl.Locale(new Intl.NumberFormat().resolvedOptions().locale).maximize().region ?? 'US'}`

const COUNT = new Intl.NumberFormat(LOCALE)
const WHOLE = new Intl.NumberFormat(LOCALE, { useGrouping: false, maximumFractionDigits: 0 })
const TENTHS = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })
const LIST = new Intl.ListFormat(LOCALE, { type: 'conjunction' })
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const SECONDS = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const DAY_SECONDS = new Intl.DateTimeFormat(LOCALE, {
  ...{ day: 'numeric', month: 'short' },
  ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
})
const FULL = new Intl.DateTimeFormat(LOCALE, {
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
})
/** Of log lines: as wide on each line, and as in exported files. */
const STAMP = new Intl.DateTimeFormat('en', {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  hourCycle: 'h23',
})
const SIZE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A count with separators: `1,284`. */
export function formatCount(count: number): string {
  return COUNT.format(count)
}

/** A count with what is counted: `1 tool`, `1,284 tools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Names or phrases as one phrase: `A`, `A and B`, `A, B, and C`. */
export function formatList(parts: readonly string[]): string {
  return LIST.format(parts)
}

/** A duration that is over, ms to text: `40 ms`, `0.9 s`, `12 s`, `2 min 5 s`, `6 h 12 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 95) return `${Math.round(span)} ms`
  if (span < 9_950) return `${TENTHS.format(span / SECOND)} s`
  return formatWhole(Math.round(span / SECOND) * SECOND)
}

/** A running duration in whole units: `3 s`, `2 min 5 s`, `6 h 12 min`. */
export function formatWhole(ms: number): string {
  const span = Math.max(0, ms)
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`
  if (span < HOUR) return joined(span, MINUTE, 'min', SECOND, 's')
  if (span < DAY) return joined(span, HOUR, 'h', MINUTE, 'min')
  return joined(span, DAY, 'd', HOUR, 'h')
}

function joined(span: number, big: number, bigUnit: string, small: number, unit: string): string {
  const rest = Math.floor((span % big) / small)
  const head = `${Math.floor(span / big)} ${bigUnit}`
  return rest === 0 ? head : `${head} ${rest} ${unit}`
}

/** How long something has lasted, without seconds once minutes are there: `42 s`, `4 h 8 min`. */
export function formatAge(ms: number): string {
  const span = Math.max(0, ms)
  return span < MINUTE
    ? formatWhole(span)
    : formatWhole(span < HOUR ? span - (span % MINUTE) : span)
}

/** A day: `Nov 3, 2026`. */
export function formatDay(at: number): string {
  return DATE.format(at)
}

/** A moment relative to `now`: `now`, `2 min ago`, `at 6:40 PM`, `yesterday at 6:40 PM`, `Nov 3, 2026`. */
export function formatMoment(at: number, now: number): string {
  const ago = now - at
  if (ago < MINUTE) return 'now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY)
  if (days === 0) return `at ${formatTime(at)}`
  return days === 1 ? `yesterday at ${formatTime(at)}` : formatDay(at)
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** A moment within a sentence: `just now`, `2 min ago`, `Nov 22`. */
export function formatAgo(at: number, now: number): string {
  const moment = formatMoment(at, now)
  return moment === 'now' ? 'just now' : moment
}

/** The time of a log line: `14:02:07.118`. */
export function formatStamp(at: number): string {
  return STAMP.format(at)
}

/** The time of a moment: `2:05 PM`. */
export function formatTime(at: number): string {
  return TIME.format(at)
}

/** A time with seconds: `2:02:07 PM` on the day of `now`, `Nov 22, 2:02:07 PM` on others. */
export function formatSeconds(at: number, now: number): string {
  return (startOfDay(at) === startOfDay(now) ? SECONDS : DAY_SECONDS).format(at)
}

/** A moment in full, with its milliseconds. */
export function formatFull(at: number): string {
  return FULL.format(at)
}

/** A share as a percentage: `0.4213` is `42.1%`. */
export function formatPercent(share: number): string {
  return PERCENT.format(share)
}

/** A small measured number: `0`, `0.4`, `9.9`, `10`. */
export function formatTenths(value: number): string {
  return (value > 0 && value < 9.95 ? TENTHS : WHOLE).format(value)
}

/** A size: `0 bytes`, `12 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < SIZE_UNITS.length - 1) {
    size /= 1024
    unit += 1
  }
  const number = unit > 1 && size < 10 ? TENTHS : WHOLE
  return `${number.format(size)} ${SIZE_UNITS[unit] ?? 'TB'}`
}

/** Control characters but tab and newline, those that turn the text around them, and those that carry text of their own unseen. */
const UNSEEN =
  /[\p{Cc}\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu

/** All that leaves no mark, those among it that join letters or emoji too. */
const UNMARKED = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

function asCode(char: string): string {
  if (char === '\t' || char === '\n') return char
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `<U+${code}>`
}

/**
 * A text from outside with every character made visible that could hide or turn others: they become
 * their code, such as `<U+202E>`. Tab and newline stay.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, asCode)
}

/** A text to be judged: every character that leaves no mark becomes its code, even where it joins two emoji. Tab and newline stay. */
export function writtenOut(text: string): string {
  return text.replace(UNMARKED, asCode)
}

/** Longer names and labels of a server would fill the page, in UTF-16 units. */
const LONGEST_LABEL = 200

function shortened(text: string, show: (text: string) => string): string {
  if (text.length <= LONGEST_LABEL) return show(text)
  return `${show(text.slice(0, LONGEST_LABEL).toWellFormed())}…`
}

/** A label from outside: as `visibleText`, and no more than a line or two of it. */
export function shortText(text: string): string {
  return shortened(text, visibleText)
}

/** A name from outside: as `writtenOut`, and no more than a line or two of it. */
export function shortName(text: string): string {
  return shortened(text, writtenOut)
}

/** What went wrong and what to do about it, as one text. */
export function problemWords(
  props: Pick<AppErrorShape, 'message'> & { readonly hint?: string | undefined },
): string {
  const { message, hint } = props
  return [message, hint].filter(Boolean).join(' ')
}
