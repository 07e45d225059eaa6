import type { AgentListing } from './agent-listing'
import { isUi } from './ui-owners'

type Routes = Pick<AgentListing, 'resources' | 'templates' | 'uiOwners'>

/**
 * The server that is asked for a resource: the one that lists it, else the one of whose templates it is (of several the
 * one that agrees with most of it from its begin on), else the only one that has resources of its scheme. Of `ui://`
 * resources their owner is asked, and nobody where several servers have templates for one. Undefined where none of them is.
 */
export function serverOfResource(routes: Routes, uri: string): string | undefined {
  const { resources, templates, uiOwners } = routes
  if (uiOwners.has(uri)) return uiOwners.get(uri)
  const listed = resources.find(({ resource }) => resource.uri === uri)
  if (listed) return listed.installationId
  const fitting = new Set<string>()
  let best: { readonly installationId: string; readonly agrees: number } | undefined
  for (const { installationId, template } of templates) {
    const agrees = agreement(template.uriTemplate, uri)
    if (agrees === undefined) continue
    fitting.add(installationId)
    if (agrees > (best?.agrees ?? -1)) best = { installationId, agrees }
  }
  if (isUi(uri) && fitting.size > 1) return undefined
  return best?.installationId ?? onlyOfScheme(routes, uri)
}

/**
 * How many characters of a URI are those that a template begins with; undefined where the URI is none of its own: what
 * stands between its expressions (RFC 6570) is not there in this order. No expression is looked into, and nothing is
 * tried twice, whatever the template is made for.
 */
export function agreement(template: string, uri: string): number | undefined {
  const [first = '', ...others] = literalsOf(template)
  if (others.length === 0) return template === uri ? uri.length : undefined
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

/** What stands before, between and behind the expressions. */
function literalsOf(template: string): string[] {
  return template.split(/\{[^{}]*\}/)
}

function onlyOfScheme({ resources, templates, uiOwners }: Routes, uri: string): string | undefined {
  const scheme = schemeOf(uri)
  if (scheme === undefined) return undefined
  const offering = new Set([
    ...resources
      .filter(({ resource }) => schemeOf(resource.uri) === scheme)
      .map(({ installationId }) => installationId),
    ...templates
      .filter(({ template }) => schemeOf(template.uriTemplate) === scheme)
      .map(({ installationId }) => installationId),
    // A tool may name what its server does not list.
    ...(isUi(uri) ? [...uiOwners.values()].filter((owner) => owner !== undefined) : []),
  ])
  return offering.size === 1 ? [...offering][0] : undefined
}

function schemeOf(uri: string): string | undefined {
  return /^[A-Za-z][\w+.-]*(?=:)/.exec(uri)?.[0].toLowerCase()
}
