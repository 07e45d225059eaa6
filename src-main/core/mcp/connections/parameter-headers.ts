import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isRawJson } from '../json/exact-json'

const PREFIX = 'Mcp-Param-'
const KEY = 'x-mcp-header'
/** A field name of HTTP (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']
/** What a header takes as it is; the protocol's mark for the rest is not among it. */
const PLAIN = /^(?!=\?base64\?.*\?=$)(?![ \t])[\t\u0020-\u007E]+(?<![ \t])$/u

type Json = Readonly<Record<string, unknown>>

/** A parameter of a tool that also goes into a header: the names that lead to it, and the header's without its prefix. */
type Declared = { readonly path: readonly string[]; readonly header: string }

/** Thrown for a schema that declares headers against the protocol. */
class BadDeclaration extends Error {}

/**
 * Why a tool must not be offered over HTTP, as words without full stop: its schema declares headers for its parameters
 * (`x-mcp-header`) in a way that the protocol forbids (MCP 2026-07-28, custom headers). Undefined where it may be.
 */
export function headerProblem(inputSchema: unknown): string | undefined {
  try {
    declaredIn(inputSchema)
    return undefined
  } catch (error) {
    if (error instanceof BadDeclaration) return error.message
    throw error
  }
}

/** The headers of a call of one of these tools; undefined where none has its name. */
export function callHeaders(
  tools: readonly Tool[],
  params: Json,
): Record<string, string> | undefined {
  const tool = tools.find(({ name }) => name === params.name)
  return tool && parameterHeaders(tool.inputSchema, params.arguments)
}

/** The headers that a tool declares, for the arguments that are given. */
export function parameterHeaders(inputSchema: unknown, given: unknown): Record<string, string> {
  if (headerProblem(inputSchema) !== undefined) return {}
  const headers: Record<string, string> = {}
  for (const { path, header } of declaredIn(inputSchema)) {
    const text = textOf(valueAt(given, path))
    if (text !== undefined) headers[PREFIX + header] = headerText(text)
  }
  return headers
}

function declaredIn(inputSchema: unknown): Declared[] {
  const declared: Declared[] = []
  const walk = (node: unknown, path: readonly string[], isReachable: boolean): void => {
    if (typeof node !== 'object' || node === null) return
    const schema = node as Json
    if (!Array.isArray(node) && Object.hasOwn(schema, KEY))
      declared.push({ path, header: checked(schema, isReachable && path.length > 0, declared) })
    for (const [key, below] of Object.entries(schema)) {
      if (key === 'properties') walkProperties(below, path, isReachable)
      else if (!isData(key)) walk(below, path, false)
    }
  }
  const walkProperties = (node: unknown, path: readonly string[], isReachable: boolean): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, below] of Object.entries(node)) walk(below, [...path, name], isReachable)
  }
  walk(inputSchema, [], true)
  return declared
}

/** Keywords whose values are examples of data, in which nothing is declared. */
function isData(keyword: string): boolean {
  return ['default', 'const', 'enum', 'examples'].includes(keyword)
}

/** The name that one schema declares; throws where it may not. */
function checked(schema: Json, isReachable: boolean, before: readonly Declared[]): string {
  const { [KEY]: header, type } = schema
  if (!isReachable) throw new BadDeclaration('x-mcp-header is set where no parameter is declared')
  if (typeof header !== 'string' || !TOKEN.test(header))
    throw new BadDeclaration('x-mcp-header is not a valid header name')
  if (!TYPES.includes(type))
    throw new BadDeclaration(
      `the header ${header} is declared for a parameter that is not a string, integer, or boolean`,
    )
  if (before.some((one) => one.header.toLowerCase() === header.toLowerCase()))
    throw new BadDeclaration(`two parameters declare the same header ${header}`)
  return header
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

/** A value as a header takes it: in the protocol's mark where it has to be. */
export function headerText(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
