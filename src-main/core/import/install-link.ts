import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import { isJsonObject } from '../../../src-shared/domain/json-object'

/** Limit of browsers and systems. */
export const MAX_LINK_CHARACTERS = 100_000
const MAX_NAME = 120

/** The configuration in an install link. */
export type LinkConfiguration = {
  /** The equivalent text to paste. */
  readonly text: string
  /** Names of irrelevant parameters. */
  readonly ignored: readonly string[]
}

/** Matches a link in a text: in Markdown, in angle brackets, or alone. */
const LINK = /(?:[a-z][a-z\d+.-]{1,30}:(?=[^\s:])|https?:\/\/)[^\s<>"'`\]]+/giu
/** Matches a text meant as JSON, whatever links it contains. */
const JSON_BEGIN = /^\s*(?:\{|\[\s*[[{"\]]|\/[/*])/u
/** Schemes of apps that have install links. */
const SCHEMES =
  /^(?:patchbay|cursor|vscode|vscode-insiders|lmstudio|kiro|goose|windsurf|vs-mcp|devin):/iu
/** Sites of apps, whose other pages aren't servers. */
const SITES =
  /^https:\/\/(?:[^\s/]+\.)?(?:cursor\.com|vscode\.dev|lmstudio\.ai|kiro\.dev|vs-open\.link|aka\.ms)(?:[/?#]|$)/iu
/** Links whose whole query is the configuration. */
const WHOLE = [
  /^vscode(?:-insiders)?:(?:\/\/)?mcp\/install$/iu,
  /^https:\/\/vs-open\.link\/mcp-install$/iu,
  /^https:\/\/aka\.ms\/vs\/mcp-install$/iu,
]
/** Links that redirect to another one. */
const REDIRECT = /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect$/iu
/** Links that name a server and its configuration. */
const NAMED = [
  /^patchbay:\/\/install\/?$/iu,
  /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install$/iu,
  /^https:\/\/(?:www\.)?cursor\.com\/(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?(?:install-mcp|link\/mcp\/install)$/iu,
  /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install$/iu,
  /^lmstudio:\/\/add_mcp$/iu,
  /^https:\/\/lmstudio\.ai\/install-mcp$/iu,
  /^(?:https:\/\/kiro\.dev\/launch|kiro:\/\/kiro\.mcp|kiro:\/\/kiro\.kiro-agent)\/mcp\/add$/iu,
]
const GOOSE = /^goose:\/\/extension$/iu
/** Parameters that count visits or select an app's edition. */
const SILENT = /^(?:utm_\w+|ref|source|quality|gclid|fbclid|description|id|timeout)$/iu
const REMOTE_TYPE = /^(?:sse|streamable_?http|http)$/iu

/**
 * Returns the configuration in a text's install link; undefined without one. Runs, writes and fetches nothing. Throws INVALID_CONFIG,
 * naming the invalid part. Formats: the install links of Cursor, VS Code, Visual Studio, LM Studio, Kiro and Goose by their documentation
 * and READMEs, and Patchbay's own, which equals Cursor's.
 */
export function configurationOfLink(text: string): LinkConfiguration | undefined {
  if (JSON_BEGIN.test(text)) return undefined
  const trimmed = text.trim()
  const isLong = trimmed.length > MAX_LINK_CHARACTERS
  if (isLong && SCHEMES.test(trimmed))
    throw linkError(`more than ${String(MAX_LINK_CHARACTERS)} characters`)
  const links = isLong ? [] : [...trimmed.matchAll(LINK)].map(([link]) => withoutEnd(link))
  const link = links.find((one) => isInstallLink(one))
  if (link === undefined) {
    const [first] = links
    const isAlone = trimmed.replace(/^<|>$/gu, '') === first
    if (first === undefined || !isAlone || !(SCHEMES.test(first) || SITES.test(first)))
      return undefined
    throw linkError(
      `“${first.split('?')[0]?.slice(0, 80) ?? ''}” isn’t a link that installs a server`,
    )
  }
  if (SCHEMES.test(trimmed) && /\s/u.test(trimmed))
    throw linkError('spaces or line breaks in the link')
  return read(link)
}

/** Removes a closing bracket that belongs to the surrounding text, and everything after it. */
function withoutEnd(link: string): string {
  const opened = link.split('(').length - 1
  const closed = link.split(')').length - 1
  return closed > opened ? link.replace(/\)[^)]*$/u, '') : link
}

function isInstallLink(link: string): boolean {
  const { before } = partsOf(link)
  return [...WHOLE, ...NAMED, REDIRECT, GOOSE].some((form) => form.test(before))
}

function partsOf(link: string): { readonly before: string; readonly query: string } {
  const [before = '', ...rest] = link.split('?')
  return { before: before.replaceAll(/%2F/giu, '/'), query: rest.join('?') }
}

function read(link: string, isRedirected = false): LinkConfiguration {
  const { before, query } = partsOf(link)
  if (WHOLE.some((form) => form.test(before)))
    return { text: asJson(decoded(query), 'the part after “?”'), ignored: [] }
  if (GOOSE.test(before)) return ofGoose(query)
  if (!REDIRECT.test(before)) return named(query)
  const target = valuesOf(query).get('url')?.[0] ?? ''
  if (isRedirected || !isInstallLink(target))
    throw linkError(`it leads to “${target.slice(0, 80)}”, which installs no server`)
  return read(target, true)
}

function named(query: string): LinkConfiguration {
  const values = valuesOf(query)
  const name = singleValue(values, 'name')
  if (name === undefined || name.trim() === '') throw linkError('“name” is missing')
  if (name.length > MAX_NAME) throw linkError(`“name” has more than ${String(MAX_NAME)} characters`)
  const config = singleValue(values, 'config')
  if (config === undefined) throw linkError('“config” is missing')
  const text = asJson(/^[+\s]*\{/u.test(config) ? config : fromBase64(config), '“config”')
  const ignored = ignoredIn(values, ['name', 'config', 'inputs'])
  // Some links contain a map from name to entry.
  if (!isEntry(text)) return { text, ignored }
  const inputs = singleValue(values, 'inputs')
  const members = [`"mcpServers":{${JSON.stringify(name)}:${text}}`]
  if (inputs !== undefined) members.push(`"inputs":${asJson(inputs, '“inputs”')}`)
  return { text: `{${members.join(',')}}`, ignored }
}

/** Reads a command with an `arg` per argument, or an address; `env` and `header` name the user's values. */
function ofGoose(query: string): LinkConfiguration {
  const values = valuesOf(query)
  const [cmd, url, type] = ['cmd', 'url', 'type'].map((key) => spaced(singleValue(values, key)))
  const name = spaced(singleValue(values, 'name')) ?? spaced(singleValue(values, 'id')) ?? ''
  if (cmd === undefined && url === undefined) throw linkError('“cmd” and “url” are missing')
  const emptyPairs = (key: string): Record<string, string> =>
    Object.fromEntries(
      (values.get(key) ?? []).map((text) => [(spaced(text) ?? '').split('=')[0]?.trim() ?? '', '']),
    )
  const entry =
    cmd === undefined
      ? {
          url,
          ...(type !== undefined && REMOTE_TYPE.test(type) && { type: type.replace('_', '-') }),
          headers: emptyPairs('header'),
        }
      : {
          command: cmd,
          args: (values.get('arg') ?? []).map((text) => spaced(text)),
          env: emptyPairs('env'),
        }
  const knownKeys = ['cmd', 'arg', 'url', 'type', 'name', 'env', 'header']
  return {
    text: JSON.stringify({ mcpServers: { [name === '' ? 'Server' : name]: entry } }),
    ignored: ignoredIn(values, knownKeys),
  }
}

function spaced(text: string | undefined): string | undefined {
  return text?.replaceAll('+', ' ')
}

type Values = ReadonlyMap<string, readonly string[]>

function valuesOf(query: string): Values {
  const values = new Map<string, string[]>()
  for (const part of query.split('&').filter((text) => text !== '')) {
    const at = part.indexOf('=')
    const name = decoded(at === -1 ? part : part.slice(0, at))
    values.set(name, [...(values.get(name) ?? []), decoded(at === -1 ? '' : part.slice(at + 1))])
  }
  return values
}

/** Returns the value of a parameter; rejects two, because one would be shown and the other run. */
function singleValue(values: Values, name: string): string | undefined {
  const [first, ...others] = values.get(name) ?? []
  if (others.length > 0) throw linkError(`duplicate “${name}”`)
  return first
}

function ignoredIn(values: Values, known: readonly string[]): string[] {
  return [...values.keys()].filter((name) => !known.includes(name) && !SILENT.test(name))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw linkError('invalid URL encoding')
  }
}

/** Decodes both Base64 alphabets, with or without padding; some links encode the text for a URL first. */
function fromBase64(text: string): string {
  if (!/^[\w+/-]+={0,2}$/.test(text)) throw linkError('“config” is neither JSON nor Base64')
  try {
    const inner = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
    return /^\s*%7B/iu.test(inner) ? decoded(inner) : inner
  } catch (error) {
    throw error instanceof AppError ? error : linkError('“config” isn’t UTF-8')
  }
}

/** Returns the text if it is JSON; forms encode a space as a plus sign. */
function asJson(text: string, part: string): string {
  for (const candidate of [text, text.replaceAll('+', ' ')])
    if (jsonIn(candidate) !== undefined) return candidate
  throw linkError(`${part} isn’t valid JSON`)
}

function isEntry(text: string): boolean {
  const value: unknown = JSON.parse(text)
  const keys = isJsonObject(value) ? Object.keys(value) : []
  return ['command', 'cmd', 'url', 'serverUrl', 'httpUrl'].some((key) => keys.includes(key))
}

/** Returns the error of an unreadable link; `what` follows a colon. */
export function linkError(what: string): AppError {
  return new AppError('INVALID_CONFIG', `Can’t read this link: ${what}.`, {
    hint: 'Copy the whole link again, or paste the configuration instead.',
  })
}
