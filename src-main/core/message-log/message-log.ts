import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { MessageEntry, MessageFilter } from '../../../src-shared/domain/agents/message-log'
import type { TextPart } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import type { ParsedInput, RequestOutput } from '../../../src-shared/ipc/contract'
import { SharedByteLimit } from '../lifecycle/shared-byte-limit'
import { TurnShare } from '../lifecycle/turn-share'
import { maskJson, maskJsonInTurns } from '../masking/mask-json'
import { CumulativeRedactor, type Redactor } from '../masking/redact'
import type { MessageTap } from '../mcp/peer/connection'
import { PartReader } from '../tool-runs/part-reader'
import {
  type MessageOrigin,
  MessagePairs,
  MessageRing,
  type RequestMessage,
  shorten,
  type StoredMessage,
} from './message-ring'

/** The messages of one server, and their pairs. */
type ServerMessages = { readonly ring: MessageRing; readonly pairs: MessagePairs }

/** Longer texts are masked in several turns, in UTF-16 units. */
const MAX_CHUNK_LENGTH = 64 * 1024
/** Shown fractions of a millisecond. */
const A_MS = 1_000

/** Returns a message as a row shows it; undefined if it isn't stored. */
function shownEntry(
  { ring, pairs }: ServerMessages,
  seq: number,
  redactor: Redactor,
): MessageEntry | undefined {
  const stored = ring.get(seq)
  if (!stored) return undefined
  const { session, at, time, direction, kind, id, code, bytes } = stored
  const request = pairs.of(seq)
  const { method = request?.method, target = request?.target } = stored
  return {
    ...{ seq, session, at, direction, kind, bytes, hasText: stored.hasText },
    ...(method !== undefined && { method: redactor(method) }),
    ...(id !== undefined && { id: shownId(id, redactor) }),
    ...(target !== undefined && { target: redactor(target) }),
    ...(code !== undefined && { code }),
    ...(request && pairOf(request, time, ring.firstSeq)),
  }
}

/** Returns the text of a message as it is shown; undefined if it isn't stored. */
async function shownText(
  stored: StoredMessage | undefined,
  redactor: Redactor,
): Promise<string | undefined> {
  const text = stored?.text
  if (text === undefined) return undefined
  return text.length > MAX_CHUNK_LENGTH ? maskJsonInTurns(text, redactor) : maskJson(text, redactor)
}

/** Whether a message matches a filter, apart from its text. */
function fits(entry: MessageEntry, filter: MessageFilter): boolean {
  const { method, id, direction, isError } = filter
  return (
    (method === undefined || entry.method === method) &&
    (id === undefined || entry.id === id) &&
    (direction === undefined || entry.direction === direction) &&
    (isError === undefined || (entry.kind === 'error') === isError)
  )
}

/** Returns a predicate for a search text: matches shown text in raw or parsed form, ignoring case. */
function finderOf(wanted: string): (shown: string) => boolean {
  const forms = new Set(
    [wanted, JSON.stringify(wanted).slice(1, -1)].map((one) => one.toLowerCase()),
  )
  return (shown) => {
    const text = shown.toLowerCase()
    for (const form of forms) if (text.includes(form)) return true
    return false
  }
}

function pairOf(
  request: RequestMessage,
  time: number,
  firstSeq: number,
): Pick<MessageEntry, 'durationMs' | 'requestSeq'> {
  const durationMs = Math.round((time - request.time) * A_MS) / A_MS
  return request.seq >= firstSeq ? { durationMs, requestSeq: request.seq } : { durationMs }
}

function shownId(id: unknown, redactor: Redactor): string {
  if (typeof id === 'string') return JSON.stringify(redactor(id))
  const text = JSON.stringify(id)
  return redactor(text) === text ? text : JSON.stringify(redactor(text))
}

/** Maximum length of an export, in UTF-16 units. */
const MAX_EXPORTED = 32 * 1024 * 1024
/** Line endings within a message that came over several lines. */
const LINE_ENDS = /[\n\r]+/gu

/** Message numbers of one server, oldest first; `isWhole` is false if some may be missing. */
type Chosen = { readonly seqs: number[]; readonly isWhole: boolean }

/** Returns the messages from `first` on that match the filter, with their counterparts if requested. */
async function choose(
  messageLog: ServerMessages,
  redactor: Redactor,
  filter: MessageFilter,
  first = 0,
): Promise<Chosen> {
  const { ring } = messageLog
  const hasText = filter.text === undefined ? undefined : finderOf(filter.text)
  const seqs = new Set<number>()
  let isWhole = true
  const isFound = async (seq: number): Promise<boolean> => {
    if (!hasText) return true
    const shown = await shownText(ring.get(seq), redactor)
    // The text is unknown if it isn't stored.
    if (shown === undefined) isWhole = false
    return shown !== undefined && hasText(shown)
  }
  const turn = new TurnShare()
  const end = ring.nextSeq
  for (let seq = Math.max(first, ring.firstSeq); seq < end; seq += 1) {
    if (turn.isUsedUp) await turn.next()
    const entry = shownEntry(messageLog, seq, redactor)
    if (!entry) continue
    const { requestSeq = seq } = filter.isPaired ? entry : {}
    if (seqs.has(requestSeq)) seqs.add(seq)
    if (fits(entry, filter) && (await isFound(seq))) seqs.add(seq).add(requestSeq)
  }
  return { seqs: [...seqs].toSorted((a, b) => a - b), isWhole }
}

/** Returns the matching messages as JSON lines, oldest first; if there are too many, the newest of them. */
async function exportedLines(
  messageLog: ServerMessages,
  redactor: Redactor,
  filter: MessageFilter,
): Promise<RequestOutput<'messages.export'>> {
  const chosen = await choose(messageLog, redactor, filter)
  const lines: string[] = []
  let room = MAX_EXPORTED
  let { isWhole } = chosen
  const turn = new TurnShare()
  for (const seq of chosen.seqs.toReversed()) {
    if (turn.isUsedUp) await turn.next()
    const entry = shownEntry(messageLog, seq, redactor)
    const shown = await shownText(messageLog.ring.get(seq), redactor)
    if (!entry || shown === undefined) isWhole = false
    else {
      const line = lineOf(entry, shown)
      room -= line.length
      if (room < 0) break
      lines.push(line)
    }
  }
  return { text: lines.reverse().join(''), count: lines.length, isWhole: isWhole && room >= 0 }
}

function lineOf({ at, session, direction }: MessageEntry, message: string): string {
  const head = JSON.stringify({ at, session, direction }).slice(0, -1)
  return `${head},"message":${message.replace(LINE_ENDS, ' ')}}\n`
}

type SentRequest = { readonly method: string; readonly params: JsonObject }

/** Prefix of members that the connection adds to requests (MCP 2026-07-28, `_meta`). */
const OF_CONNECTION = 'io.modelcontextprotocol/'

/** Returns the request with this number including its secrets, without members of its transport. Throws NOT_FOUND and INVALID_REQUEST. */
function sentRequest(ring: MessageRing | undefined, seq: number): SentRequest {
  const stored = ring?.get(seq)
  if (stored?.text === undefined) throw notStoredError()
  const message: unknown = JSON.parse(stored.text)
  if (stored.direction !== 'sent' || stored.kind !== 'request' || !isJsonObject(message))
    throw new AppError('INVALID_REQUEST', 'This message is not a request sent to the server.')
  const { method, params } = message
  return {
    method: String(method),
    params: isJsonObject(params) ? forwardableParams(params) : {},
  }
}

function notStoredError(): AppError {
  return new AppError('NOT_FOUND', 'The content of this message is no longer stored.', {
    hint: 'Only the newest messages are stored, and very large ones only with their size.',
  })
}

function forwardableParams(params: JsonObject): JsonObject {
  // Members of a later round of the same request (MCP 2026-07-28, multi round-trip requests): the server will ask again.
  const { inputResponses: _responses, requestState: _state, ...repeatable } = params
  const { _meta, ...others } = repeatable
  if (!isJsonObject(_meta)) return repeatable
  const kept = Object.entries(_meta).filter(
    ([key]) => key !== 'progressToken' && !key.startsWith(OF_CONNECTION),
  )
  return kept.length > 0 ? { ...others, _meta: Object.fromEntries(kept) } : others
}

const MB = 1024 * 1024
/** Limits per server, and the bytes of all texts together; see `MessageRingOptions`. */
const LIMITS = {
  mostMessages: 5_000,
  mostBytes: 16 * MB,
  longestBytes: 4 * MB,
  mostBytesInAll: 64 * MB,
}

export type MessageLogOptions = Partial<typeof LIMITS> & {
  /** Returns what masks a server's current secrets; undefined if the server is gone. */
  readonly redactorOf: (installationId: string) => Redactor | undefined
}

type MessageLogState = ServerMessages & { readonly secrets: CumulativeRedactor; sessions: number }

/** The latest messages between Patchbay and each server; only in memory, and masked on every read. */
export class MessageLog implements Disposable {
  readonly #options: Required<MessageLogOptions>
  readonly #room: SharedByteLimit
  readonly #servers = new Map<string, MessageLogState>()
  readonly #reader = new PartReader()
  #isClosed = false

  constructor(options: MessageLogOptions) {
    this.#options = { ...LIMITS, ...options }
    this.#room = new SharedByteLimit(this.#options.mostBytesInAll)
  }

  /** Returns a recorder for the messages of a new session; undefined once closed. */
  openSession(installationId: string): MessageTap | undefined {
    if (this.#isClosed) return undefined
    const server = this.#servers.get(installationId) ?? this.#add(installationId)
    server.sessions += 1
    // Current secrets stay masked in these messages as long as they are stored.
    server.secrets.refresh()
    return recorderOf(server.ring, server.sessions, this.#options.longestBytes)
  }

  async read(input: ParsedInput<'messages.read'>): Promise<RequestOutput<'messages.read'>> {
    const { installationId, afterSeq, limit } = input
    const server = this.#servers.get(installationId)
    if (!server) return { entries: [], firstSeq: 0 }
    const { ring } = server
    const redactor = server.secrets.refresh()
    const entries: MessageEntry[] = []
    const turn = new TurnShare()
    const first = Math.max(afterSeq + 1, ring.firstSeq)
    for (let seq = first; seq < ring.nextSeq && seq - first < limit; seq += 1) {
      const entry = shownEntry(server, seq, redactor)
      if (entry) entries.push(entry)
      if (turn.isUsedUp) await turn.next()
    }
    const { firstSeq } = ring
    return { entries: entries.filter(({ seq }) => seq >= firstSeq), firstSeq }
  }

  async find(input: ParsedInput<'messages.find'>): Promise<number[]> {
    const { installationId, text, afterSeq } = input
    const server = this.#servers.get(installationId)
    if (!server) return []
    return (await choose(server, server.secrets.refresh(), { text }, afterSeq + 1)).seqs
  }

  async text(input: ParsedInput<'messages.text'>): Promise<TextPart> {
    const { installationId, seq, ...range } = input
    const server = this.#servers.get(installationId)
    if (!server) throw notStoredError()
    const { ring, secrets } = server
    const by = secrets.refresh()
    // Masked as a whole, so that no part reveals more than the whole.
    const read = async (): Promise<string> => {
      const text = await shownText(ring.get(seq), by)
      if (text === undefined) throw notStoredError()
      return text
    }
    return this.#reader.part({ key: `${installationId} ${seq}`, by, read }, range)
  }

  async export(input: ParsedInput<'messages.export'>): Promise<RequestOutput<'messages.export'>> {
    const { installationId, filter } = input
    const server = this.#servers.get(installationId)
    if (!server) return { text: '', count: 0, isWhole: true }
    return exportedLines(server, server.secrets.refresh(), filter)
  }

  clear(installationId: string): void {
    this.#reader.clear()
    this.#servers.get(installationId)?.ring.clear()
  }

  /** Returns a request to repeat, including its secrets. Throws NOT_FOUND, and INVALID_REQUEST if it isn't Patchbay's. */
  requestOf(installationId: string, seq: number): SentRequest {
    return sentRequest(this.#servers.get(installationId)?.ring, seq)
  }

  /** Forgets removed servers; later messages of their sessions aren't recorded. */
  keepOnly(isThere: (installationId: string) => boolean): void {
    for (const installationId of this.#servers.keys())
      if (!isThere(installationId)) this.#forget(installationId)
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#reader.clear()
    this.keepOnly(() => false)
  }

  #add(installationId: string): MessageLogState {
    const ring = new MessageRing({
      ...this.#options,
      room: this.#room,
      shorten: (text) => shorten(text, secrets.refresh()),
    })
    const secrets = new CumulativeRedactor(
      () => this.#options.redactorOf(installationId),
      () => ring.clear(),
    )
    const server = { ring, pairs: new MessagePairs(ring), secrets, sessions: 0 }
    this.#servers.set(installationId, server)
    return server
  }

  #forget(installationId: string): void {
    this.#reader.clear()
    this.#servers.get(installationId)?.ring[Symbol.dispose]()
    this.#servers.delete(installationId)
  }
}

/** Returns a recorder that adds one session's messages to its server's ring; `session` is its number there. */
function recorderOf(ring: MessageRing, session: number, maxTextBytes: number): MessageTap {
  const sent: MessageOrigin = { session, direction: 'sent' }
  const received: MessageOrigin = { session, direction: 'received' }
  return {
    sent: (message, text) => ring.add(sent, message, text),
    received: (read, text) => {
      const messages = read.messages.map(({ message }) => message as JSONRPCMessage)
      const [first] = messages
      if (first && !read.isBatch && !read.isDecorated) {
        ring.add(received, first, text)
        return
      }
      // Messages of a batch, or with text around them, are serialized again; of a very large one, none are.
      const share = Math.round(text.length / messages.length)
      const isStored = text.length <= maxTextBytes
      for (const message of messages)
        ring.add(received, message, isStored ? JSON.stringify(message) : share)
    },
  }
}
