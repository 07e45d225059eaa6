import { keepNewest } from '../../lifecycle/keep-newest'

/** Characters read of a line, which bounds hostile lines. */
const MAX_LINE_LENGTH = 1_000
/** Characters that a label repeats of a line. */
const MAX_LABEL_LENGTH = 100
/** Remembered kinds of lines; the oldest is dropped first. */
const MAX_KINDS = 500

/** Dates, times, durations, ids and other parts that differ between equal lines. */
const INCIDENTAL =
  /\b\d{4}-\d\d-\d\d(?:T(?=\d))?|\b\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?Z?\b|\b\d{9,}\b|\b\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|secs?|seconds?|m|mins?|minutes?)\b|\b(?=[0-9a-f-]{0,40}\d)[0-9a-f]{6,40}(?:-[0-9a-f]{4,12}){0,4}\b|[\u2800-\u28FF]|(?<=^\s*|\s)[|/\\-](?=\s|$)|\.+\s*$/giu
const BAR = /[#=>\u2500-\u259F\u00B7]{2,}|\|[^|]{0,100}\|/gu
const NUMBER = /\d{1,12}(?:\.\d{1,6})?/gu

const AMOUNT = /\d\s?%|\d\s?[KMGT]i?B?(?:\/|\b)|\d\s?bytes\b/u
const WORK =
  /\b(?:download|fetch|pull|receiv|transfer|resolv|install|unpack|extract|build|built|compil|bundl|transpil|load|import|index|generat|creat|copy|copied|progress|process|migrat|convert|train|step|layer|package|file|chunk|shard|module)/iu
/** Words of counters that rise without progress. */
const REPEATED =
  /\b(?:retr(?:y|ies|ying)|attempts?|tries|again|reconnect\w*|wait\w*|heartbeat|poll\w*|uptime|elapsed)\b/iu
const DOWNLOAD = /\b(?:download|fetch|pull)|\d\s?[KMGT]i?B\/s|\d[KMGT]\/\d/iu
const PERCENT = /(\d{1,3}(?:\.\d{1,2})?)\s?%/u
/** The verb that the label starts with anyway. */
const VERB = /^\W{0,4}(?:downloading|fetching|pulling|working)\b[\s:]*/iu

/** Separates lines that report progress from lines that repeat. */
export class OutputProgress {
  /** By kind of line: the highest value of each number, and the numbers of the furthest line. */
  readonly #kinds = new Map<string, { highest: number[]; furthest: number[] }>()

  /** Whether a plain text line reports something new. */
  add(line: string): boolean {
    const text = line.slice(0, MAX_LINE_LENGTH).replace(BAR, ' ').replace(INCIDENTAL, ' ')
    const kind = text.replace(NUMBER, '#').replace(/\s+/gu, ' ').trim().toLowerCase()
    if (kind === '') return false
    const numbers = (text.match(NUMBER) ?? []).map(Number)
    const known = this.#kinds.get(kind)
    if (!known) {
      keepNewest(this.#kinds, kind, { highest: numbers, furthest: numbers }, MAX_KINDS)
      return true
    }
    const isFurther =
      numbers.some((number, at) => number > (known.highest[at] ?? 0)) ||
      isBeyond(numbers, known.furthest)
    if (isBeyond(numbers, known.furthest)) known.furthest = numbers
    known.highest = numbers.map((number, at) => Math.max(number, known.highest[at] ?? 0))
    return isFurther && isProgress(line)
  }
}

/** Whether the numbers are further, such as 10% of the second file after 100% of the first. */
function isBeyond(numbers: readonly number[], furthest: readonly number[]): boolean {
  const at = numbers.findIndex((number, index) => number !== furthest[index])
  return at !== -1 && (numbers[at] ?? 0) > (furthest[at] ?? 0)
}

/** Whether a text contains an amount, such as 69% or 12 MB. */
export function hasAmount(text: string): boolean {
  return AMOUNT.test(text)
}

/** Whether a line reports progress. */
export function isProgress(line: string): boolean {
  return AMOUNT.test(line) || (WORK.test(line) && !REPEATED.test(line))
}

/** Describes the work in a line, without a full stop: "Downloading: model.safetensors 69%". */
export function progressLabel(line: string): string {
  const text = line.slice(0, MAX_LINE_LENGTH)
  const verb = DOWNLOAD.test(text) ? 'Downloading' : 'Working'
  const percent = PERCENT.exec(text)
  const subject = percent
    ? `${text.slice(0, percent.index)} ${text.slice(percent.index).includes('|') ? '' : text.slice(percent.index + percent[0].length)}`
    : text
  const words = subject
    .replace(BAR, ' ')
    .replace(VERB, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s:|-]+|[\s:|[(.,-]+$/gu, '')
  const cut = words.length > MAX_LABEL_LENGTH ? `${words.slice(0, MAX_LABEL_LENGTH)}…` : words
  const done = percent ? `${percent[1] ?? ''}%` : ''
  return `${verb}: ${[cut, done].filter(Boolean).join(' ')}`
}
