import { setTimeout as sleep } from 'node:timers/promises'

import type { ListedVersion } from '../../../../src-shared/domain/catalog/catalog-query'
import type {
  RegistryFault,
  RegistryFaultCode,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { retryAfterMs } from '../../failure/http-refusal'
import type { CatalogStore } from '../store/catalog-store'
import { readEntryHead } from '../store/listed-entry'
import { faultOf, RegistryError } from './registry-fault'
import type { Transfer, TransferAnswer } from './registry-transfer'

/** Entries per page, the API's maximum. */
const PAGE_SIZE = 100

/** Attempts and pauses of a request. */
export type RetryPlan = {
  readonly attempts: number
  readonly firstPauseMs: number
  /** A longer `Retry-After` fails the request instead. */
  readonly longestPauseMs: number
}

/** The registry, and how to reach it. */
export type RegistryReaderOptions = {
  readonly baseUrl: string
  readonly token?: string | undefined
  readonly transfer: Transfer
  readonly timeLimitMs?: number | undefined
  readonly byteLimit?: number | undefined
  readonly retry?: RetryPlan | undefined
}

/** A page of the list; the last one has no `nextCursor`. */
export type RegistryPage = {
  readonly entries: readonly unknown[]
  readonly nextCursor: string | undefined
  /** The registry's clock, epoch ms, if it sends one. */
  readonly date: number | undefined
}

/** The part of the list to request. */
export type PageQuery = {
  readonly cursor?: string | undefined
  /** Epoch ms. */
  readonly updatedSince?: number | undefined
  /** Only newest versions; not every registry supports this. */
  readonly latestOnly: boolean
}

/** A document with its ETag; without a body it is unchanged. */
export type RegistryDocument = {
  readonly json: unknown
  readonly etag: string | undefined
  readonly isUnchanged: boolean
}

/** Client of one registry of API v0.1. Every method rejects only with a RegistryError. */
export class RegistryReader {
  readonly #retry: RetryPlan

  constructor(private readonly options: RegistryReaderOptions) {
    this.#retry = options.retry ?? { attempts: 4, firstPauseMs: 500, longestPauseMs: 60_000 }
  }

  async readPage(query: PageQuery, signal?: AbortSignal): Promise<RegistryPage> {
    const answer = await this.#fetch(`servers?${parametersOf(query)}`, undefined, signal)
    const json = this.#parse(answer.body)
    const list = isJsonObject(json) ? json.servers : undefined
    // Some registries send `null` for an empty list.
    if (!isJsonObject(json) || !(Array.isArray(list) || list === null)) {
      throw this.#error(
        'wrong-shape',
        'The registry at {address} returned JSON that is not a server list.',
      )
    }
    const date = Date.parse(answer.date ?? '')
    return {
      entries: list ?? [],
      nextCursor: cursorOf(json.metadata),
      date: Number.isNaN(date) ? undefined : date,
    }
  }

  /** Reads a document below `/v0.1/`, such as a server's versions; `etag` is the ETag of the known one. */
  async readDocument(path: string, etag?: string, signal?: AbortSignal): Promise<RegistryDocument> {
    const answer = await this.#fetch(path, etag, signal)
    const isUnchanged = answer.status === 304
    return {
      json: isUnchanged ? undefined : this.#parse(answer.body),
      etag: isUnchanged ? etag : answer.etag,
      isUnchanged,
    }
  }

  async #fetch(path: string, etag: string | undefined, signal: AbortSignal | undefined) {
    const { baseUrl, token, transfer, timeLimitMs = 20_000 } = this.options
    const request = {
      url: `${baseUrl.replace(/\/+$/, '')}/v0.1/${path}`,
      token,
      etag,
      timeLimitMs,
      byteLimit: this.options.byteLimit ?? 20 * 1024 * 1024,
    }
    for (let attempt = 1; ; attempt += 1) {
      const answer = await transfer(request, signal)
      if (answer.kind === 'answer' && isGood(answer.status)) return answer
      const fault = this.#faultOf(answer)
      const pause = this.#pauseBefore(answer, fault.code, attempt)
      if (pause === undefined) {
        throw new RegistryError(fault, answer.kind === 'answer' ? answer.status : undefined)
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined) // aborted: the next request says so
    }
  }

  #faultOf(answer: TransferAnswer): RegistryFault {
    const { baseUrl } = this.options
    if (answer.kind === 'failure') return faultOf(baseUrl, answer.code, answer.message)
    const code = codeOfStatus(answer.status)
    return faultOf(baseUrl, code, `The registry at {address} returned status ${answer.status}.`)
  }

  /** The pause before the next attempt, in ms; undefined for no further attempt. */
  #pauseBefore(answer: TransferAnswer, code: RegistryFaultCode, attempt: number) {
    const { attempts, longestPauseMs } = this.#retry
    if (attempt >= attempts || !PASSING.has(code)) return undefined
    const requestedMs =
      answer.kind === 'answer' ? (retryAfterMs(answer.retryAfter, Date.now()) ?? 0) : 0
    if (requestedMs > longestPauseMs) return undefined
    return Math.max(requestedMs, pauseAfter(attempt, this.#retry, Math.random()))
  }

  #parse(body: Uint8Array): unknown {
    const text = new TextDecoder().decode(body)
    try {
      return JSON.parse(text)
    } catch {
      if (/^\s*</.test(text))
        throw this.#error('web-page', 'The registry at {address} returned a web page.')
      throw this.#error('not-json', 'The registry at {address} returned invalid JSON.')
    }
  }

  #error(code: RegistryFaultCode, message: string): RegistryError {
    return new RegistryError(faultOf(this.options.baseUrl, code, message))
  }
}

/** Temporary faults. */
const PASSING: ReadonlySet<RegistryFaultCode> = new Set([
  'unreachable',
  'timed-out',
  'cut-off',
  'busy',
  'server-error',
])

function parametersOf({ latestOnly, cursor, updatedSince }: PageQuery): string {
  const parameters = new URLSearchParams({ limit: String(PAGE_SIZE) })
  if (latestOnly) parameters.set('version', 'latest')
  if (cursor !== undefined) parameters.set('cursor', cursor)
  if (updatedSince !== undefined) {
    parameters.set('updated_since', new Date(updatedSince).toISOString())
  }
  return parameters.toString()
}

function cursorOf(metadata: unknown): string | undefined {
  const cursor = isJsonObject(metadata) ? (metadata.nextCursor ?? metadata.next_cursor) : ''
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined
}

function isGood(status: number): boolean {
  return (status >= 200 && status <= 299) || status === 304
}

function codeOfStatus(status: number): RegistryFaultCode {
  if (status === 401 || status === 403 || status === 407) return 'sign-in-needed'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 408) return 'timed-out'
  if (status === 429) return 'busy'
  return status >= 500 ? 'server-error' : 'refused'
}

/**
 * The pause after this many attempts, in ms: doubles up to the longest, with jitter from `random` (0 to 1), so that clients of one registry
 * don't return together.
 */
export function pauseAfter(
  attempts: number,
  { firstPauseMs, longestPauseMs }: Omit<RetryPlan, 'attempts'>,
  random: number,
): number {
  const own = firstPauseMs * 2 ** (attempts - 1) * (0.5 + random)
  return Math.min(own, longestPauseMs)
}

/** The versions of a server; with a `fault` they are from an earlier response, or empty. */
export type KnownVersions = {
  readonly versions: readonly ListedVersion[]
  readonly fault?: RegistryFault
}

/** Reads a server's versions from its source, and caches the response for offline use. */
export async function readVersions(
  { store, reader }: { readonly store: CatalogStore; readonly reader: RegistryReader },
  key: ListedRef,
  signal?: AbortSignal,
): Promise<KnownVersions> {
  const { sourceId } = key
  const path = pathOf(key)
  const cached = store.readAnswer(sourceId, path)
  try {
    const answer = await reader.readDocument(path, cached?.etag, signal)
    const body = answer.isUnchanged ? (cached?.body ?? '') : JSON.stringify(answer.json)
    store.keepAnswer(sourceId, path, { etag: answer.etag, body }, Date.now())
    return { versions: toVersions(body) }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return cachedVersions(store, key, error.fault)
  }
}

/** A server's cached versions, with the reason why the source can't be asked. */
export function cachedVersions(
  store: CatalogStore,
  key: ListedRef,
  fault: RegistryFault,
): KnownVersions {
  const cached = store.readAnswer(key.sourceId, pathOf(key))
  return { versions: cached ? toVersions(cached.body) : [], fault }
}

function pathOf({ name }: ListedRef): string {
  return `servers/${encodeURIComponent(name)}/versions`
}

function toVersions(body: string): ListedVersion[] {
  const json: unknown = body === '' ? undefined : JSON.parse(body)
  const entries: unknown[] = isJsonObject(json) && Array.isArray(json.servers) ? json.servers : []
  return entries
    .map(readEntryHead)
    .filter((head) => head !== undefined)
    .toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0))
    .map(({ version, status, statusMessage, publishedAt, isLatest, raw }) => {
      return { version, status, statusMessage, publishedAt, isLatest: isLatest === true, raw }
    })
}
