const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const TENTHS = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const COUNT = new Intl.NumberFormat()
const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
const DATE = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** A count with separators: `1,284`. */
export function formatCount(count: number): string {
  return COUNT.format(count)
}

/** A count with what is counted: `1 tool`, `1,284 tools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

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

/** A moment as a person says it: `now`, `2 min ago`, `at 18:40`, `yesterday at 18:40`, `Nov 3, 2026`. */
export function formatMoment(at: number, now: number): string {
  const ago = now - at
  if (ago < MINUTE) return 'now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY)
  if (days === 0) return `at ${CLOCK.format(at)}`
  return days === 1 ? `yesterday at ${CLOCK.format(at)}` : formatDay(at)
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

const STAMP = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
})

/** The time of a log line: `14:02:07.118`. */
export function formatStamp(at: number): string {
  return STAMP.format(at)
}
