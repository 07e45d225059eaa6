import type { IncomingHttpHeaders } from 'node:http'

import { parameterHeaders } from '../../mcp/connections/parameter-headers'
import { decodedHeader } from './protocol-version'

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u

/**
 * Why the headers of a call do not fit its arguments, as a sentence (MCP 2026-07-28, custom headers): each argument whose
 * schema names a header has to be there too, with the same value.
 */
export function parameterHeaderFault(
  inputSchema: unknown,
  args: unknown,
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const [name, expected] of Object.entries(parameterHeaders(inputSchema, args))) {
    const { [name.toLowerCase()]: given } = headers
    if (typeof given !== 'string')
      return `The header ${name} is missing: the call has an argument for it.`
    if (!isSame(decodedHeader(given), decodedHeader(expected)))
      return `The header ${name} is not the argument of the call that it stands for.`
  }
  return undefined
}

/** Numbers may be written in more than one way. */
function isSame(given: string | undefined, expected = ''): boolean {
  if (given === undefined || given === expected) return given !== undefined
  return DECIMAL.test(given) && DECIMAL.test(expected) && Number(given) === Number(expected)
}
