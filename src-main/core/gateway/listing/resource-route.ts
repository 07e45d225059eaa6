import { attempt } from '../../../../src-shared/domain/attempt'
import type { AgentListing } from './agent-listing'

type Routes = Pick<AgentListing, 'resources' | 'templates' | 'uiOwners'>

export type ResourceRoute = { readonly installationId: string; readonly uri: string }

/**
 * Returns where a resource is read: at the server whose tools are drawn with it (`ui://`) or that lists it. Otherwise the server whose
 * template matches most of it, or the only one of its scheme. With equal claims there are several routes, or only that of `origin`, the
 * server that last named the URI in a result. A server gets the spelling of its list.
 */
export function routesOf(routes: Routes, uri: string, origin?: string): readonly ResourceRoute[] {
  const { resources, uiOwners } = routes
  const owners = uiOwners.get(uri)
  if (owners) return owners.map((installationId) => ({ installationId, uri }))
  const exact = resources.find(({ resource }) => resource.uri === uri)
  if (exact) return [{ installationId: exact.installationId, uri: exact.ownUri ?? uri }]
  const normal = normalUri(uri)
  const listed = resources
    .map(({ installationId, resource, ownUri = resource.uri }) => ({ installationId, uri: ownUri }))
    .filter((one) => normalUri(one.uri) === normal)
  const fitting = listed.length > 0 ? listed : templateRoutes(routes, uri, normal)
  const fromOrigin = fitting.filter(({ installationId }) => installationId === origin)
  if (fromOrigin.length > 0) return fromOrigin
  if (fitting.length > 0) return fitting
  const only = onlyOfScheme(routes, uri)
  return only === undefined ? [] : [{ installationId: only, uri }]
}

/** Whether a URI is the address of a page that a server draws in its host (MCP Apps). */
export function isUi(uri: string): boolean {
  return /^ui:/iu.test(uri)
}

function templateRoutes({ templates }: Routes, uri: string, normal: string): ResourceRoute[] {
  const fitting = new Map<string, number>()
  for (const { installationId, template } of templates) {
    const agrees = agreement(template.uriTemplate, normal)
    if (agrees === undefined) continue
    fitting.set(installationId, Math.max(agrees, fitting.get(installationId) ?? 0))
  }
  // A page belongs to one server, however well its template matches.
  const bestMatch = isUi(uri) ? 0 : Math.max(...fitting.values())
  return [...fitting]
    .filter(([, agrees]) => agrees >= bestMatch)
    .map(([installationId]) => ({ installationId, uri }))
}

/** Normalizes a URI for comparison (RFC 3986, 6.2): escapes, characters beyond ASCII and the scheme get one spelling. */
export function normalUri(uri: string): string {
  const isNormal = /^[\w.~:/?#@!$&'()*+,;=-]*$/u.test(uri)
  const spelled = isNormal ? uri : escaped(uri)
  return spelled.replace(/^[A-Za-z][\w+.-]*(?=:)/u, (scheme) => scheme.toLowerCase())
}

function escaped(uri: string): string {
  // Escaped separators of a URI stay escaped.
  const decoded = uri.replaceAll(
    /(?:%[0-9a-f]{2})+/giu,
    (escapes) => attempt(() => decodeURI(escapes).normalize('NFC')) ?? escapes.toUpperCase(),
  )
  return decoded
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/%[0-9a-f]{2}/giu, (escape) => escape.toUpperCase())
    .replaceAll(/[^\w.~:/?#@!$&'()*+,;=%-]+/gu, (text) => encodeURIComponent(text))
}

/**
 * Returns how many leading characters of a normalized URI a template fixes. Undefined if the literals between its expressions (RFC 6570)
 * don't occur in this order. Linear, because nothing is tried twice.
 */
export function agreement(template: string, uri: string): number | undefined {
  const [first = '', ...others] = template
    .split(/\{[^{}]*\}/)
    .map((literal, at) => (at === 0 ? normalUri(literal) : escaped(literal)))
  if (others.length === 0) return first === uri ? uri.length : undefined
  if (!uri.startsWith(first)) return undefined
  const last = others.pop() ?? ''
  let at = first.length
  for (const literal of others) {
    const found = uri.indexOf(literal, at)
    if (found < 0) return undefined
    at = found + literal.length
  }
  return uri.length - last.length >= at && uri.endsWith(last) ? first.length : undefined
}

function onlyOfScheme({ resources, templates, uiOwners }: Routes, uri: string): string | undefined {
  const scheme = schemeOf(uri)
  const offered = [
    ...resources.map((one) => [one.installationId, one.ownUri ?? one.resource.uri] as const),
    ...templates.map((one) => [one.installationId, one.template.uriTemplate] as const),
    // A tool may name a page that its server doesn't list.
    ...[...uiOwners].flatMap(([own, owners]) => owners.map((owner) => [owner, own] as const)),
  ]
  const offering = new Set(
    offered.filter(([, own]) => schemeOf(own) === scheme).map(([installationId]) => installationId),
  )
  return scheme !== undefined && offering.size === 1 ? [...offering][0] : undefined
}

function schemeOf(uri: string): string | undefined {
  return /^[A-Za-z][\w+.-]*(?=:)/.exec(uri)?.[0].toLowerCase()
}
