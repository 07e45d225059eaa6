import { AppError } from '../../../src-shared/domain/app-error'
import { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { parseServerJson } from '../../../src-shared/domain/parse-server-json'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/tolerant-reader'

const PAGE_LIMIT = 50
const TIME_LIMIT_MS = 10_000
const BODY_LIMIT = 5 * 1024 * 1024
const ENTRY_ID_LIMIT = 400
const OFFICIAL_META = 'io.modelcontextprotocol.registry/official'

/** One search: `baseUrl` without `/v0.1`; the rest is there for callers that cancel and for tests. */
export type RegistrySearch = {
  readonly baseUrl: string
  readonly query: string
  readonly signal?: AbortSignal | undefined
  readonly fetch?: typeof globalThis.fetch
  readonly timeLimitMs?: number
}

/**
 * The first page of a live search in the registry's API v0.1, newest versions only; `more` tells
 * whether others match. Rejects with REGISTRY_UNREACHABLE, REGISTRY_BAD_ANSWER or the caller's abort.
 */
export async function searchRegistry(
  search: RegistrySearch,
): Promise<{ entries: CatalogEntry[]; more: boolean }> {
  const { baseUrl, query, signal, timeLimitMs = TIME_LIMIT_MS } = search
  const limit = AbortSignal.timeout(timeLimitMs)
  const fetch = search.fetch ?? globalThis.fetch
  let answer: { status: number; text: string }
  try {
    const response = await fetch(searchAddress(baseUrl, query), {
      headers: { accept: 'application/json' },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    answer = { status: response.status, text: await readBody(response, baseUrl) }
  } catch (cause) {
    if (cause instanceof AppError || signal?.aborted) throw cause
    throw unreachable(baseUrl, cause, timeLimitMs)
  }
  return readAnswer(baseUrl, answer)
}

function searchAddress(baseUrl: string, query: string): string {
  const parameters = new URLSearchParams({
    search: query,
    version: 'latest',
    limit: String(PAGE_LIMIT),
  })
  return `${baseUrl.replace(/\/+$/, '')}/v0.1/servers?${parameters.toString()}`
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

function readAnswer(
  baseUrl: string,
  { status, text }: { status: number; text: string },
): { entries: CatalogEntry[]; more: boolean } {
  if (status < 200 || status > 299) throw badAnswer(baseUrl, `answered with status ${status}`)
  const body = parseBody(baseUrl, text)
  if (!isJsonObject(body) || !Array.isArray(body.servers)) {
    throw badAnswer(baseUrl, 'answered with JSON that is no list of servers')
  }
  const entries = body.servers.flatMap(readEntry).filter(({ status }) => status !== 'deleted')
  const unique = new Map(entries.map((entry) => [entry.entryId, entry]))
  const metadata = isJsonObject(body.metadata) ? body.metadata : {}
  const cursor = metadata.nextCursor ?? metadata.next_cursor
  return { entries: [...unique.values()], more: typeof cursor === 'string' && cursor !== '' }
}

function parseBody(baseUrl: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const isPage = /^\s*</.test(text)
    throw badAnswer(baseUrl, isPage ? 'answered with a web page' : 'answered with no JSON', cause)
  }
}

/** An entry that cannot be read is left out: it must not cost the others. */
function readEntry(raw: unknown): CatalogEntry[] {
  try {
    const { server, notices } = parseServerJson(raw)
    const meta = officialMeta(raw)
    const status = CatalogEntry.shape.status.safeParse(meta.status)
    return [
      {
        entryId: `registry:${server.name}@${server.version}`.slice(0, ENTRY_ID_LIMIT),
        source: 'registry',
        server,
        status: status.success ? status.data : 'active',
        publishedAt: typeof meta.publishedAt === 'string' ? meta.publishedAt : undefined,
        notices,
      },
    ]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

function officialMeta(raw: unknown): JsonObject {
  const meta = isJsonObject(raw) && isJsonObject(raw._meta) ? raw._meta[OFFICIAL_META] : undefined
  return isJsonObject(meta) ? meta : {}
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

function badAnswer(baseUrl: string, what: string, cause?: unknown): AppError {
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
