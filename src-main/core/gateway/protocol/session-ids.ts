import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { UI_EXTENSION } from '../../../../src-shared/domain/agents/extensions'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { recallOwnJson, writeOwnJson } from '../../storage/own-file'

/** What an agent's app can do, as `initialize` names it. */
export type AppAbilities = {
  /** Kinds of elicitation that it shows. */
  readonly form: boolean
  readonly url: boolean
  /** Draws the views of servers (MCP Apps). */
  readonly views: boolean
}

/** What a session is made of; its ID says all of it, so that it outlives the app. */
export type SessionTerms = {
  readonly sessionId: string
  readonly protocolVersion: string
  readonly abilities: AppAbilities
}

/** By its letter in an ID, each ability. */
const LETTERS = { f: 'form', u: 'url', v: 'views' } as const
/** A UUID, the protocol version, the abilities, and the signature of these. */
const SESSION_ID = /^([\da-f-]{36})\.(\d{4}-\d{2}-\d{2})\.([fuv]{0,3})\.([\w-]{43})$/u
/** Sessions that their agents ended and that stay so after a restart; the last one last. */
const MAX_ENDED = 1_000
const MAX_BYTES = 64 * 1024

const EndedSessions = z.object({ ended: z.array(z.string().max(36)).max(MAX_ENDED) })

/** Gives sessions their IDs and knows them again after a restart: an ID is signed with what the profile keeps of its agent's key. Only DELETE ends one. */
export class SessionIds {
  readonly #ended: Set<string>

  /** `file`: where ended sessions are kept; missing where they are forgotten with the app. */
  constructor(private readonly file?: string) {
    const found = file === undefined ? undefined : recallOwnJson(file, EndedSessions, MAX_BYTES)
    this.#ended = new Set(found?.ended)
  }

  /** The terms of a new session; `params` are those of `initialize`. */
  begin(agent: Agent, params: JsonObject): SessionTerms {
    // The version that the agent names, or the latest one with sessions (MCP, version negotiation).
    const known = SUPPORTED_PROTOCOL_VERSIONS.find((one) => one === params.protocolVersion)
    const protocolVersion = known ?? SUPPORTED_PROTOCOL_VERSIONS[0] ?? ''
    const abilities = abilitiesIn(params.capabilities)
    const letters = Object.entries(LETTERS).flatMap(([letter, one]) =>
      abilities[one] ? letter : [],
    )
    const head = [randomUUID(), protocolVersion, letters.join('')].join('.')
    return { sessionId: `${head}.${signature(agent, head)}`, protocolVersion, abilities }
  }

  /** The terms of a session that this agent was given and has not ended; undefined for any other ID. */
  find(agent: Agent, sessionId: string): SessionTerms | undefined {
    const [, uuid = '', protocolVersion = '', letters = '', signed = ''] =
      SESSION_ID.exec(sessionId) ?? []
    const head = [uuid, protocolVersion, letters].join('.')
    if (!isSame(signed, signature(agent, head)) || this.#ended.has(uuid)) return undefined
    const has = (letter: string): boolean => letters.includes(letter)
    return {
      ...{ sessionId, protocolVersion },
      abilities: { form: has('f'), url: has('u'), views: has('v') },
    }
  }

  /** The agent ended a session. Throws the system's error where that can't be kept. */
  end(sessionId: string): void {
    this.#ended.add(sessionId.slice(0, sessionId.indexOf('.')))
    const [oldest] = this.#ended
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#ended.delete(oldest)
    if (this.file !== undefined) writeOwnJson(this.file, { ended: [...this.#ended] }, MAX_BYTES)
  }
}

function signature({ agentId, keyHash }: Agent, head: string): string {
  return createHmac('sha256', `patchbay session ${keyHash}`)
    .update(`${agentId} ${head}`)
    .digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Whether an app with these capabilities draws the views of servers (MCP Apps). */
export function drawsViews(capabilities: unknown): boolean {
  const { extensions } = isJsonObject(capabilities) ? capabilities : {}
  return isJsonObject(extensions) && isJsonObject(extensions[UI_EXTENSION])
}

/** An app that names no kind of elicitation shows forms (MCP, elicitation). */
function abilitiesIn(capabilities: unknown): AppAbilities {
  const { elicitation } = isJsonObject(capabilities) ? capabilities : {}
  const views = drawsViews(capabilities)
  if (!isJsonObject(elicitation)) return { form: false, url: false, views }
  const url = Boolean(elicitation.url)
  return { form: Boolean(elicitation.form ?? !url), url, views }
}
