import type { IncomingMessage } from 'node:http'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { Judged } from '../../listener/guarded-listener'
import type { Refusal } from '../../listener/refusal'

/** The one path that is served; nothing like it is. */
export const GATEWAY_PATH = '/mcp'

const METHODS = ['POST', 'GET', 'DELETE']
/** Headers that decide: Node takes the first of several, and a proxy may have taken another. */
const DECISIVE = ['host', 'origin', 'authorization', 'content-type', 'content-length']
const BEARER = /^bearer +(\S+) *$/iu
const JSON_TYPE = /^application\/json *(?:;|$)/iu

/** Who sends a request, or why it is refused, by its head alone. Checks that need no key come first and say nothing about one; Host and Origin were checked before. */
export function guardRequest(
  request: IncomingMessage,
  options: {
    /** Whose key is in the header `authorization`. */
    readonly ownerOf: (authorization: string) => Agent | undefined
    readonly mostBytes: number
  },
): Judged<Agent> {
  const { authorization } = request.headers
  const misplaced = misplacement(request)
  if (misplaced) return { refusal: misplaced }
  const agent = options.ownerOf(authorization ?? '')
  if (!agent) return { refusal: wrongKey(authorization !== undefined) }
  const refusal = misshape(request, options.mostBytes)
  return refusal ? { refusal } : { who: agent }
}

function misplacement(request: IncomingMessage): Refusal | undefined {
  const { headers, headersDistinct, method = '', url, httpVersion } = request
  // A picture or a script that a page loads comes without an origin, but every browser sends this header.
  if (headers['sec-fetch-site'] !== undefined)
    return { status: 403, message: 'Web pages have no access.' }
  if (httpVersion !== '1.1')
    return { status: 505, message: `HTTP/${httpVersion} is not supported. Use HTTP/1.1.` }
  const doubled = DECISIVE.find((name) => (headersDistinct[name]?.length ?? 0) > 1)
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
export function tooLarge(mostBytes: number): Refusal {
  const most = String(mostBytes / 1024 / 1024)
  return {
    status: 413,
    message: `The message is larger than the limit of ${most} MB. The user can raise it in Patchbay's settings.`,
  }
}

/** The key in the header `authorization`; empty where there is none. */
export function keyOf(authorization: string): string {
  return BEARER.exec(authorization)?.[1] ?? ''
}
