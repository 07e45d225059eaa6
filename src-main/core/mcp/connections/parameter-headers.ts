import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isRawJson } from '../json/exact-json'

const PREFIX = 'Mcp-Param-'
const KEY = 'x-mcp-header'
/** An HTTP field name (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']
/** Keywords whose values are example data and declare nothing. */
const DATA: readonly string[] = ['default', 'const', 'enum', 'examples']
/** Values that need no encoding; excludes the protocol's own marker of encoded ones. */
const PLAIN = /^(?!=\?base64\?.*\?=$)(?![ \t])[\t\u0020-\u007E]+(?<![ \t])$/u

type Json = Readonly<Record<string, unknown>>

/** A parameter of a tool that is repeated in a header: its path, and the header's name without prefix. */
type Declared = { readonly path: readonly string[]; readonly header: string }

/**
 * Returns why a tool must not be offered over HTTP, without full stop: its header declarations break the protocol (MCP 2026-07-28, custom
 * headers).
 */
export function headerProblem(inputSchema: unknown): string | undefined {
  const declared = declaredIn(inputSchema)
  return typeof declared === 'string' ? declared : undefined
}

export function callHeaders(
  tools: readonly Tool[],
  params: Json,
): Record<string, string> | undefined {
  const tool = tools.find(({ name }) => name === params.name)
  return tool && parameterHeaders(tool.inputSchema, params.arguments)
}

export function parameterHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  const declared = declaredIn(inputSchema)
  const headers: Record<string, string> = {}
  if (typeof declared === 'string') return headers
  for (const { path, header } of declared) {
    const text = textOf(valueAt(args, path))
    if (text !== undefined) headers[PREFIX + header] = headerText(text)
  }
  return headers
}

/** Returns the parameters for which a schema declares headers, or the first problem. */
function declaredIn(inputSchema: unknown): readonly Declared[] | string {
  const declared: Declared[] = []
  let problem: string | undefined
  const walk = (node: unknown, path: readonly string[], isReachable: boolean): void => {
    if (typeof node !== 'object' || node === null) return
    const schema = node as Json
    if (!Array.isArray(node) && Object.hasOwn(schema, KEY)) {
      problem ??= problemOf(schema, isReachable && path.length > 0, declared)
      declared.push({ path, header: String(schema[KEY]) })
    }
    for (const [key, below] of Object.entries(schema)) {
      if (key === 'properties' && typeof below === 'object' && below !== null)
        for (const [name, one] of Object.entries(below)) walk(one, [...path, name], isReachable)
      else if (!DATA.includes(key)) walk(below, path, false)
    }
  }
  walk(inputSchema, [], true)
  return problem ?? declared
}

function problemOf(
  { [KEY]: header, type }: Json,
  isReachable: boolean,
  before: readonly Declared[],
): string | undefined {
  if (!isReachable) return 'x-mcp-header is set where no parameter is declared'
  if (typeof header !== 'string' || !TOKEN.test(header))
    return 'x-mcp-header is not a valid header name'
  if (!TYPES.includes(type))
    return `the header ${header} is declared for a parameter that is not a string, integer, or boolean`
  const isTwice = before.some((one) => one.header.toLowerCase() === header.toLowerCase())
  return isTwice ? `two parameters declare the same header ${header}` : undefined
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, name) => {
    const isThere = typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    return isThere ? (node as Json)[name] : undefined
  }, given)
}

function textOf(given: unknown): string | undefined {
  // A number with the digits that an agent wrote, see `exactJson`.
  const value = isRawJson(given) ? Number(JSON.stringify(given)) : given
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

/** Returns a value as a header accepts it, in the protocol's encoding if necessary. */
export function headerText(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
