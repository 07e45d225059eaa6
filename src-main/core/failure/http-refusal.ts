import { jsonIn } from '../../../src-shared/domain/attempt'
import { isJsonObject } from '../../../src-shared/domain/json-object'

/** Facts in the headers of a rejected request. */
export type RefusalHeaders = {
  /** Target of a redirect, absolute. */
  readonly location?: URL | undefined
  /** Wait before the next request, in ms. */
  readonly waitMs?: number | undefined
  /** A bot check page stands before the server (Cloudflare, `cf-mitigated`). */
  readonly isBotCheck?: boolean | undefined
}

const BOT_CHECK_TITLE = /^(?:just a moment|attention required)\b/iu
const MAX_TITLE_LENGTH = 120
const MAX_READ_LENGTH = 64 * 1024
/** From this value on, a number is an epoch in seconds, otherwise seconds from now. */
const EPOCH_S = 1_000_000_000

const ABOUT_TOKEN =
  /\b(?:(?:access|bearer|auth(?:entication|orization)?)?[ _-]?token|authori[sz]ation|authentication|credentials?|session token|jwt)\b/iu
const IS_EXPIRED = /\b(?:expired|invalid|not valid|no longer valid|revoked|inactive)\b/iu
/** Other kinds of tokens, and permissions that a new token doesn't grant. */
const OF_OTHERS =
  /\b(?:page|paging|pagination|continuation|next|sync|csrf|xsrf|progress|max|limit|cursor|input|output|prompt|insufficient|scope|permission)\b/iu

/** Reads the headers of a response that rejects a request to `url`. */
export function refusalHeaders(headers: Headers, url: URL, now: number): RefusalHeaders {
  const location = headers.get('location')
  return {
    location: location === null ? undefined : (URL.parse(location, url.href) ?? undefined),
    waitMs: waitMsIn(headers, now),
    isBotCheck: headers.get('cf-mitigated')?.toLowerCase() === 'challenge',
  }
}

/** The longest wait that the headers request, in ms; undefined for none. */
export function waitMsIn(headers: Headers, now: number): number | undefined {
  const waits = [
    retryAfterMs(headers.get('retry-after'), now),
    numberIn(headers.get('retry-after-ms')),
    resetMs(headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset'), now),
    secondsMs(/(?:^|;)\s*t=(\d{1,9})/u.exec(headers.get('ratelimit') ?? '')?.[1]),
  ].filter((one) => one !== undefined)
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** The wait of a `Retry-After` header, in ms (RFC 9110, 10.2.3); undefined if absent or invalid. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // `Date.parse` accepts almost anything; the header's dates begin with the weekday.
  const at = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}

/** The title of a web page in one line; undefined for other text. */
export function pageTitle(text: string): string | undefined {
  if (!/^\s*<(?:!doctype html|html|head|title|body)\b/iu.test(text)) return undefined
  const title = /<title[^>]*>([^<]*)/iu.exec(text.slice(0, MAX_READ_LENGTH))?.[1] ?? ''
  return title.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_TITLE_LENGTH)
}

/** Whether a bot check page was sent instead of a response. */
export function isBotCheckPage(text: string): boolean {
  return BOT_CHECK_TITLE.test(pageTitle(text) ?? '')
}

/**
 * Whether a rejection is about the request's token, so a refresh may help: the OAuth error `invalid_token` (RFC 6750, 3.1), or a message
 * that a token or authorization has expired.
 */
export function speaksOfToken(text: string): boolean {
  if (pageTitle(text) !== undefined) return false
  const body = jsonIn(text)
  if (!isJsonObject(body)) return isAboutToken(text)
  const { error, message, error_description: description, detail } = body
  if (error === 'invalid_token') return true
  const inner = isJsonObject(error) ? error.message : error
  return [inner, message, description, detail].some(
    (one) => typeof one === 'string' && isAboutToken(one),
  )
}

/** Whether a message, such as that of a JSON-RPC error, says that the token has expired. */
export function isAboutToken(message: string): boolean {
  return ABOUT_TOKEN.test(message) && IS_EXPIRED.test(message) && !OF_OTHERS.test(message)
}

/** Seconds from now, or an epoch in seconds. */
function resetMs(header: string | null, now: number): number | undefined {
  const seconds = numberIn(header)
  if (seconds === undefined) return undefined
  return seconds > EPOCH_S ? Math.max(seconds * 1_000 - now, 0) : seconds * 1_000
}

function secondsMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text) * 1_000
}

function numberIn(header: string | null): number | undefined {
  const text = header?.trim() ?? ''
  return /^\d{1,13}(?:\.\d+)?$/u.test(text) ? Number(text) : undefined
}
