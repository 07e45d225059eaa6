import type { IncomingMessage } from 'node:http'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { Judged, Refusal } from '../../listener/guarded-listener'

/** The one path that is served; nothing like it is. */
export const GATEWAY_PATH = '/mcp'

const METHODS = ['POST', 'GET', 'DELETE']
/** Headers that decide: Node takes the first of several, and a proxy may have taken another. */
const DECISIVE = ['host', 'origin', 'authorization', 'content-type', 'content-length']
const BEARER = /^bearer +(\S+) *$/iu
const JSON_TYPE = /^application\/json *(?:;|$)/iu
/** A body up to this part of the limit finds room however many others are on their way: most are, and what one agent uses up is taken from no other. */
const SMALL_PART = 1 / 256

/** Who sends a request, or why it is refused, by its head alone. Checks that need no key come first and say nothing about one; Host and Origin were checked before. */
export function guardRequest(
  request: IncomingMessage,
  byKey: (key: string) => Agent | undefined,
  mostBytes: number,
): Judged<Agent> {
  const { authorization } = request.headers
  const misplaced = misplacement(request)
  if (misplaced) return { refusal: misplaced }
  const agent = byKey(BEARER.exec(authorization ?? '')?.[1] ?? '')
  if (!agent) return { refusal: wrongKey(authorization !== undefined) }
  const refusal = misshape(request, mostBytes)
  return refusal ? { refusal } : { who: agent }
}

function misplacement(request: IncomingMessage): Refusal | undefined {
  const { headers, method = '', url, httpVersion } = request
  // A picture or a script that a page loads comes without an origin, but every browser sends this header.
  if (headers['sec-fetch-site'] !== undefined)
    return { status: 403, message: 'Web pages have no access.' }
  if (httpVersion !== '1.1')
    return { status: 505, message: `HTTP/${httpVersion} is not supported. Use HTTP/1.1.` }
  const doubled = doubledHeader(request)
  if (doubled !== undefined)
    return { status: 400, message: `The header ${doubled} appears more than once.` }
  if (url !== GATEWAY_PATH)
    return {
      status: 404,
      message: `Not found. Use ${GATEWAY_PATH} with the agent's key from Patchbay > Apps; OAuth sign-in is not supported.`,
    }
  if (METHODS.includes(method)) return undefined
  const allow = METHODS.join(', ')
  return { status: 405, message: `Method not allowed. Use ${allow}.`, headers: { allow } }
}

function doubledHeader(request: IncomingMessage): string | undefined {
  const { headers, rawHeaders } = request
  // Most requests have each header once; Node parses them all again for the distinct ones.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined
  return DECISIVE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1)
}

function wrongKey(hasKey: boolean): Refusal {
  const message = hasKey
    ? 'This key is invalid or was replaced. Get a new key in Patchbay > Apps.'
    : 'Authorization required: send the header "Authorization: Bearer KEY" with the agent\'s key from Patchbay > Apps.'
  // Names no metadata of a sign-in (RFC 9728): there is none, and an agent that looks for one tells its person the wrong thing.
  const challenge = `Bearer realm="Patchbay"${hasKey ? ', error="invalid_token"' : ''}`
  return { status: 401, message, headers: { 'www-authenticate': challenge } }
}

function misshape({ headers, method }: IncomingMessage, mostBytes: number): Refusal | undefined {
  const length = headers['content-length']
  const hasBody = headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0
  if (method !== 'POST')
    return hasBody ? { status: 400, message: `${method ?? ''} must not have a body.` } : undefined
  if (!JSON_TYPE.test(headers['content-type'] ?? ''))
    return { status: 415, message: 'The content type must be application/json.' }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, message: 'The body must not be compressed.' }
  return Number(length ?? 0) > mostBytes ? tooLarge(mostBytes) : undefined
}

/** What is said of a body of more than `mostBytes`. */
function tooLarge(mostBytes: number): Refusal {
  const most = String(mostBytes / 1024 / 1024)
  return {
    status: 413,
    message: `The message is larger than the limit of ${most} MB. The user can raise it in Patchbay's settings.`,
  }
}

const NO_ROOM: Refusal = {
  status: 503,
  message: 'Too many large messages are in progress.',
  headers: { 'retry-after': '1' },
}

/** Reads the bodies of requests, each up to a limit, and all large ones that are on their way up to twice as much. */
export class BodyReader {
  #held = 0

  /** The whole body, or why there is none; never rejects. What is too much is dropped as it comes. */
  read(request: IncomingMessage, mostBytes: number): Promise<Buffer | Refusal | 'gone'> {
    const { promise, resolve } = Promise.withResolvers<Buffer | Refusal | 'gone'>()
    const chunks: Buffer[] = []
    let length = 0
    let isOver = false
    const settle = (body: Buffer | Refusal | 'gone'): void => {
      if (isOver) return
      isOver = true
      this.#held -= length
      chunks.length = 0
      resolve(body)
    }
    request.on('data', (chunk: Buffer) => {
      if (isOver) return
      length += chunk.length
      this.#held += chunk.length
      if (length > mostBytes) settle(tooLarge(mostBytes))
      else if (length > SMALL_PART * mostBytes && this.#held > 2 * mostBytes) settle(NO_ROOM)
      else chunks.push(chunk)
    })
    request.once('end', () => {
      const [only] = chunks
      settle(only && chunks.length === 1 ? only : Buffer.concat(chunks))
    })
    request.once('close', () => settle('gone'))
    return promise
  }
}
