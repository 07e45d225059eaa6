/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1); names are in lower case. */
export type Challenge = {
  readonly scheme: string
  readonly params: Readonly<Record<string, string>>
}

const TOKEN = String.raw`[\w!#$%&'*+.^\x60|~\-]+`
/** `name = value`, where blanks may stand around the sign and the value may be quoted. */
const PARAM = String.raw`(${TOKEN})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`
/** A scheme, with the credentials that some have in the place of parameters. */
const SCHEME = String.raw`(${TOKEN})(?:[ \t]+[\w\-.~+/]+=*(?=[ \t]*(?:,|$)))?(?=[ \t,]|$)`
const PARTS = new RegExp(`${PARAM}|${SCHEME}`, 'gu')

/** All challenges of a header, of several headers where they were joined by commas; what cannot be read is left out. */
export function challengesIn(header: string): readonly Challenge[] {
  const challenges: { scheme: string; params: Record<string, string> }[] = []
  for (const [, name, quoted, bare = '', scheme] of header.matchAll(PARTS)) {
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), params: {} })
    const params = challenges.at(-1)?.params
    if (name !== undefined && params)
      params[name.toLowerCase()] ??= quoted?.replaceAll(/\\(.)/gu, '$1') ?? bare
  }
  return challenges
}

/** The parameters of the challenge that asks for a bearer token, whatever stands before it; undefined where none does. */
export function bearerChallenge(headers: Headers): Challenge['params'] | undefined {
  const all = challengesIn(headers.get('www-authenticate') ?? '')
  const bearers = all.filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  return (bearers.find(({ params }) => params.resource_metadata) ?? bearers[0])?.params
}

/** A refusal (401, 403) with its bearer challenge alone, for the SDK, which reads the first challenge of a header only. */
export function withBearerFirst(response: Response): Response {
  const params = bearerChallenge(response.headers)
  if (!params) return response
  const headers = new Headers(response.headers)
  const shown = ['error', 'scope', 'resource_metadata'].flatMap((name) => {
    const value = params[name]?.replaceAll(/["\\]/gu, '')
    return value ? [`${name}="${value}"`] : []
  })
  headers.set('www-authenticate', `Bearer ${shown.length > 0 ? shown.join(', ') : 'realm=""'}`)
  const { status, statusText, body } = response
  const copy = new Response(body, { status, statusText, headers })
  return Object.defineProperty(copy, 'url', { value: response.url })
}
