import { AppError } from '../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../src-shared/domain/tolerant-reader'

const TIME_LIMIT_MS = 10_000
const BODY_LIMIT = 5 * 1024 * 1024

/** One question to a registry: `baseUrl` without `/v0.1`; the rest is there for callers that cancel and for tests. */
export type RegistryQuestion = {
  readonly baseUrl: string
  readonly signal?: AbortSignal | undefined
  readonly fetch?: typeof globalThis.fetch
  readonly timeLimitMs?: number
}

/**
 * Asks the registry's API v0.1 for a path below it and gives its JSON; undefined when it knows no such thing
 * (404). Rejects with REGISTRY_UNREACHABLE, REGISTRY_BAD_ANSWER or the caller's abort.
 */
export async function askRegistry(path: string, question: RegistryQuestion): Promise<unknown> {
  const { baseUrl, signal, timeLimitMs = TIME_LIMIT_MS } = question
  const limit = AbortSignal.timeout(timeLimitMs)
  const fetch = question.fetch ?? globalThis.fetch
  let answer: { status: number; text: string }
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/v0.1/${path}`, {
      headers: { accept: 'application/json' },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    answer = { status: response.status, text: await readBody(response, baseUrl) }
  } catch (cause) {
    if (cause instanceof AppError || signal?.aborted) throw cause
    throw unreachable(baseUrl, cause, timeLimitMs)
  }
  if (answer.status === 404) return undefined
  if (answer.status < 200 || answer.status > 299)
    throw badAnswer(baseUrl, `answered with status ${answer.status}`)
  return parseBody(baseUrl, answer.text)
}

async function readBody(response: Response, baseUrl: string): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > BODY_LIMIT) throw badAnswer(baseUrl, 'answered with more than 5 MB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseBody(baseUrl: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const isPage = /^\s*</.test(text)
    throw badAnswer(baseUrl, isPage ? 'answered with a web page' : 'answered with no JSON', cause)
  }
}

function unreachable(baseUrl: string, cause: unknown, timeLimitMs: number): AppError {
  const place = shownAddress(baseUrl)
  const message = `The registry at ${place} could not be reached: ${reasonOf(cause, timeLimitMs)}`
  return new AppError('REGISTRY_UNREACHABLE', message, {
    cause,
    hint: 'Check the network and the registry address in the settings, then search again.',
  })
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name could not be resolved.',
  EAI_AGAIN: 'its name could not be resolved.',
  ECONNREFUSED: 'nothing answers there.',
  ECONNRESET: 'the connection was cut.',
  UND_ERR_SOCKET: 'the connection was cut.',
  EHOSTUNREACH: 'there is no way to that host.',
  ENETUNREACH: 'there is no network.',
  ETIMEDOUT: 'it did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time.',
}

function reasonOf(error: unknown, timeLimitMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `it did not answer within ${timeLimitMs / 1000} s.`
  }
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = isJsonObject(cause) && typeof cause.code === 'string' ? cause.code : undefined
  const known = code === undefined ? undefined : REASONS[code]
  return known ?? `the request failed${code === undefined ? '' : ` (${code})`}.`
}

/** The failure of a registry that answers what it should not; `what` goes on after its address. */
export function badAnswer(baseUrl: string, what: string, cause?: unknown): AppError {
  return new AppError('REGISTRY_BAD_ANSWER', `The registry at ${shownAddress(baseUrl)} ${what}.`, {
    cause,
    hint: 'A network that asks for a sign-in can be the reason. Check it and the registry address in the settings.',
  })
}

/** The address without a name and password that may stand in it. */
function shownAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
