import type { AppErrorShape } from '../../../src-shared/domain/app-error'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** English, like all sentences, with the region of the system: `en-US` writes `6:40 PM`, `en-DE` writes `18:40`. */
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
/** For log lines: equally wide on each line, and as in exported files. */
const STAMP = new Intl.DateTimeFormat('en', {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  hourCycle: 'h23',
})
const SIZE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A count with separators: `1,284`. */
export function formatCount(count: number): string {
  return COUNT.format(count)
}

/** A count with its unit: `1 tool`, `1,284 tools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Joins names or phrases: `A`, `A and B`, `A, B, and C`. */
export function formatList(parts: readonly string[]): string {
  return LIST.format(parts)
}

/** A completed duration in ms as text: `40 ms`, `0.9 s`, `12 s`, `2 min 5 s`, `6 h 12 min`, `3 d 4 h`. */
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

/** An age, without seconds after the first minute: `42 s`, `4 h 8 min`. */
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

/** A time relative to `now`: `now`, `2 min ago`, `at 6:40 PM`, `yesterday at 6:40 PM`, `Nov 3, 2026`. */
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

/** A relative time within a sentence: `just now`, `2 min ago`, `Nov 22`. */
export function formatAgo(at: number, now: number): string {
  const moment = formatMoment(at, now)
  return moment === 'now' ? 'just now' : moment
}

/** The time of a log line: `14:02:07.118`. */
export function formatStamp(at: number): string {
  return STAMP.format(at)
}

/** A time of day: `2:05 PM`. */
export function formatTime(at: number): string {
  return TIME.format(at)
}

/** A time with seconds: `2:02:07 PM` on the day of `now`, `Nov 22, 2:02:07 PM` on others. */
export function formatSeconds(at: number, now: number): string {
  return (startOfDay(at) === startOfDay(now) ? SECONDS : DAY_SECONDS).format(at)
}

/** A complete date and time with milliseconds. */
export function formatFull(at: number): string {
  return FULL.format(at)
}

/** A ratio as a percentage: `0.4213` is `42.1%`. */
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

/** Returns a problem and what to do as one text. */
export function problemText(
  props: Pick<AppErrorShape, 'message'> & { readonly hint?: string | undefined },
): string {
  const { message, hint } = props
  return [message, hint].filter(Boolean).join(' ')
}
