import { AppError } from '../../../src-shared/domain/app-error'

/** Browsers and systems carry no longer links. */
export const MOST_LINK_CHARACTERS = 100_000
const MOST_NAME = 120

/** The links that name a server and its configuration, by what stands before their question mark. */
const NAMED = [
  /^patchbay:\/\/install\/?$/,
  /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install$/,
  /^https:\/\/(?:www\.)?cursor\.com\/(?:[a-z]{2}\/)?install-mcp$/,
  /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install$/,
]
/** Those whose whole query is the configuration. */
const WHOLE = [/^vscode(?:-insiders)?:(?:\/\/)?mcp\/install$/]
const KNOWN = new Set(['name', 'config', 'inputs', 'quality'])
const LINK =
  /^(?:patchbay|cursor|vscode|vscode-insiders):|^https:\/\/[^\s/]*(?:cursor\.com|vscode\.dev)\//i

/**
 * The configuration that an install link carries, as the text that could be pasted instead; undefined for what is
 * no such link. Nothing is run, written or fetched for it. Throws INVALID_CONFIG, naming what does not fit.
 * Formats: Cursor's and VS Code's install links for MCP servers, and Patchbay's own, which is as Cursor's.
 */
export function configurationOfLink(text: string): string | undefined {
  const link = text.trim()
  if (!LINK.test(link)) return undefined
  if (link.length > MOST_LINK_CHARACTERS)
    throw linkError(`more than ${String(MOST_LINK_CHARACTERS)} characters`)
  if (/\s/.test(link)) throw linkError('spaces or line breaks in the link')
  const [before = '', ...rest] = link.split('?')
  const query = rest.join('?')
  if (WHOLE.some((form) => form.test(before))) return asJson(decoded(query), 'the part after “?”')
  if (NAMED.some((form) => form.test(before))) return named(query)
  throw linkError(`“${before.slice(0, 80)}” isn’t a link that installs a server`)
}

function named(query: string): string {
  const values = valuesOf(query)
  const name = values.get('name')
  if (name === undefined || name.trim() === '') throw linkError('“name” is missing')
  if (name.length > MOST_NAME)
    throw linkError(`“name” has more than ${String(MOST_NAME)} characters`)
  const config = values.get('config')
  if (config === undefined) throw linkError('“config” is missing')
  const text = asJson(config.startsWith('{') ? config : fromBase64(config), '“config”')
  const inputs = values.get('inputs')
  // Some put a map from name to entry there; what is in it tells.
  if (!isEntry(text)) return text
  const members = [`"mcpServers":{${JSON.stringify(name)}:${text}}`]
  if (inputs !== undefined) members.push(`"inputs":${asJson(inputs, '“inputs”')}`)
  return `{${members.join(',')}}`
}

/** One value for each name: of two, one would be looked at and the other run. */
function valuesOf(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const part of query.split('&').filter((one) => one !== '')) {
    const at = part.indexOf('=')
    const name = decoded(at === -1 ? part : part.slice(0, at))
    if (!KNOWN.has(name)) throw linkError(`unknown parameter “${name.slice(0, 40)}”`)
    if (values.has(name)) throw linkError(`duplicate “${name}”`)
    values.set(name, decoded(at === -1 ? '' : part.slice(at + 1)))
  }
  return values
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw linkError('invalid URL encoding')
  }
}

/** Of both alphabets, with or without its end. */
function fromBase64(text: string): string {
  if (!/^[\w+/-]+={0,2}$/.test(text)) throw linkError('“config” is neither JSON nor Base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    throw linkError('“config” isn’t UTF-8')
  }
}

/** The text as it is, once it is known to be JSON. */
function asJson(text: string, part: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    throw linkError(`${part} isn’t valid JSON`)
  }
}

function isEntry(text: string): boolean {
  const value: unknown = JSON.parse(text)
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return ['command', 'cmd', 'url', 'serverUrl', 'httpUrl'].some((key) => keys.includes(key))
}

/** Why a link cannot be read: `what` goes on from a colon. */
export function linkError(what: string): AppError {
  return new AppError('INVALID_CONFIG', `Can’t read this link: ${what}.`, {
    hint: 'Copy the whole link again, or paste the configuration instead.',
  })
}
