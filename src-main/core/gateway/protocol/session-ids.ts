import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { UI_EXTENSION } from '../../../../src-shared/domain/agents/extensions'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { reportFailure } from '../../lifecycle/background'
import { keepNewest } from '../../lifecycle/keep-newest'
import { Throttle } from '../../lifecycle/throttle'
import { LOG_LEVELS, type LogLevel } from '../../mcp/notifications'
import { readOwnJsonOr, writeOwnJson } from '../../storage/own-file'

/** Abilities of an agent's app, from `initialize`. */
export type AppAbilities = {
  /** Kinds of elicitation that it shows. */
  readonly form: boolean
  readonly url: boolean
  /** Draws servers' views (MCP Apps). */
  readonly views: boolean
  /** Reports the folders that it has open (MCP, roots). */
  readonly roots: boolean
}

/** The terms of a session; its ID encodes all of them, so that the session survives a restart. */
export type SessionTerms = {
  readonly sessionId: string
  readonly protocolVersion: string
  readonly abilities: AppAbilities
  /** The agent's subscriptions, if the session is resumed. */
  readonly wants?: SessionSubscriptions | undefined
}

/** Subscriptions of a session until it ends: the lowest level of log messages, and watched resources. */
export type SessionSubscriptions = {
  readonly level?: LogLevel | undefined
  readonly uris: readonly string[]
}

/** Abilities by their letter in an ID. */
const LETTERS = { f: 'form', u: 'url', v: 'views', r: 'roots' } as const
/** A UUID, the protocol version, the abilities, and a signature over these. */
const SESSION_ID = /^([\da-f-]{36})\.(\d{4}-\d{2}-\d{2})\.([fuvr]{0,4})\.([\w-]{43})$/u
/** Maximum number of ended sessions that stay ended after a restart, newest last. */
const MAX_ENDED = 1_000
/** Limits of stored subscriptions: sessions, resources per session, and characters per URI. */
const MAX_WANTING = 100
const MAX_URIS = 50
const MAX_URI_LENGTH = 1_000
const MAX_BYTES = 8 * 1024 * 1024
const WRITE_MS = 1_000

const SessionsFile = z.object({
  ended: z.array(z.string().max(36)).max(MAX_ENDED),
  /** Subscriptions by the UUID of their session. */
  wanted: z
    .array(
      z.tuple([
        z.string().max(36),
        z.object({ level: z.enum(LOG_LEVELS).optional(), uris: z.array(z.string()).max(MAX_URIS) }),
      ]),
    )
    .max(MAX_WANTING)
    .default([]),
})

/**
 * Issues session IDs and recognizes them after a restart: an ID is signed with what the profile stores of its agent's key. Only DELETE ends
 * a session.
 */
export class SessionIds implements Disposable {
  readonly #ended: Set<string>
  readonly #wanted: Map<string, SessionSubscriptions>
  readonly #writing = new Throttle(WRITE_MS, () => this.#write())
  #isWritten = true

  /** `file`: stores ended sessions and subscriptions. */
  constructor(private readonly file: string) {
    const found = readOwnJsonOr(file, SessionsFile, MAX_BYTES)
    this.#ended = new Set(found?.ended)
    this.#wanted = new Map(found?.wanted)
  }

  /** Returns the terms of a new session; `params` are those of `initialize`. */
  create(agent: Agent, params: JsonObject): SessionTerms {
    // The version that the agent requests, or the latest one with sessions (MCP, version negotiation).
    const supported = SUPPORTED_PROTOCOL_VERSIONS.find((one) => one === params.protocolVersion)
    const protocolVersion = supported ?? SUPPORTED_PROTOCOL_VERSIONS[0] ?? ''
    const abilities = abilitiesIn(params.capabilities)
    const letters = Object.entries(LETTERS).flatMap(([letter, one]) =>
      abilities[one] ? letter : [],
    )
    const head = [randomUUID(), protocolVersion, letters.join('')].join('.')
    return { sessionId: `${head}.${signature(agent, head)}`, protocolVersion, abilities }
  }

  /** Returns the terms of a session that was issued to this agent and isn't ended; undefined for any other ID. */
  find(agent: Agent, sessionId: string): SessionTerms | undefined {
    const [, uuid = '', protocolVersion = '', letters = '', signed = ''] =
      SESSION_ID.exec(sessionId) ?? []
    const head = [uuid, protocolVersion, letters].join('.')
    if (!isSame(signed, signature(agent, head)) || this.#ended.has(uuid)) return undefined
    const has = (letter: string): boolean => letters.includes(letter)
    return {
      ...{ sessionId, protocolVersion, wants: this.#wanted.get(uuid) },
      abilities: { form: has('f'), url: has('u'), views: has('v'), roots: has('r') },
    }
  }

  end(sessionId: string): void {
    const uuid = uuidOf(sessionId)
    this.#ended.add(uuid)
    this.#wanted.delete(uuid)
    const [oldest] = this.#ended
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#ended.delete(oldest)
    this.#changed()
  }

  /** Stores the subscriptions of a session. */
  storeSubscriptions(sessionId: string, { level, uris }: SessionSubscriptions): void {
    const storedUris = uris.filter(({ length }) => length <= MAX_URI_LENGTH).slice(-MAX_URIS)
    keepNewest(this.#wanted, uuidOf(sessionId), { level, uris: storedUris }, MAX_WANTING)
    this.#changed()
  }

  [Symbol.dispose](): void {
    this.#writing[Symbol.dispose]()
    if (!this.#isWritten) this.#write()
  }

  #changed(): void {
    this.#isWritten = false
    this.#writing.call()
  }

  #write(): void {
    this.#isWritten = true
    try {
      const content = { ended: [...this.#ended], wanted: [...this.#wanted] }
      writeOwnJson(this.file, content, MAX_BYTES)
    } catch (error) {
      reportFailure('gateway', error)
    }
  }
}

function uuidOf(sessionId: string): string {
  return sessionId.slice(0, sessionId.indexOf('.'))
}

function signature({ agentId, keyHash }: Agent, head: string): string {
  return createHmac('sha256', `patchbay session ${keyHash}`)
    .update(`${agentId} ${head}`)
    .digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Whether an app with these capabilities draws servers' views (MCP Apps). */
export function drawsViews(capabilities: unknown): boolean {
  const { extensions } = isJsonObject(capabilities) ? capabilities : {}
  return isJsonObject(extensions) && isJsonObject(extensions[UI_EXTENSION])
}

/** Reads the abilities; an app that names no kind of elicitation shows forms (MCP, elicitation). */
function abilitiesIn(capabilities: unknown): AppAbilities {
  const { elicitation, roots } = isJsonObject(capabilities) ? capabilities : {}
  const others = { views: drawsViews(capabilities), roots: isJsonObject(roots) }
  if (!isJsonObject(elicitation)) return { form: false, url: false, ...others }
  const url = Boolean(elicitation.url)
  return { form: Boolean(elicitation.form ?? !url), url, ...others }
}
