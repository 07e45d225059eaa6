import { parameterHeaders } from '../../../mcp/connections/parameter-headers'

const MARKED = /^=\?base64\?(.*)\?=$/u
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u

/**
 * Why the headers of a call do not fit its arguments, as a sentence (MCP 2026-07-28, custom headers): each argument whose
 * schema names a header has to be there too, with the same value.
 */
export function parameterHeaderFault(
  inputSchema: unknown,
  args: unknown,
  headers: Pick<Headers, 'get'>,
): string | undefined {
  for (const [name, expected] of Object.entries(parameterHeaders(inputSchema, args))) {
    const given = headers.get(name)
    if (given === null) return `The header ${name} is missing: the call has an argument for it.`
    if (!isSame(decoded(given), decoded(expected)))
      return `The header ${name} is not the argument of the call that it stands for.`
  }
  return undefined
}

/** Undefined for what is marked as Base64 and is none. */
function decoded(value: string): string | undefined {
  const [, marked] = MARKED.exec(value) ?? []
  if (marked === undefined) return value
  return BASE64.test(marked) ? Buffer.from(marked, 'base64').toString() : undefined
}

/** Numbers may be written in more than one way. */
function isSame(given: string | undefined, expected = ''): boolean {
  if (given === undefined || given === expected) return given !== undefined
  return DECIMAL.test(given) && DECIMAL.test(expected) && Number(given) === Number(expected)
}
