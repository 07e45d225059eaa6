import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { offerId, type OfferRef } from '../../../src-shared/domain/offer'
import type { Package, ServerJson } from '../../../src-shared/domain/server-json'
import type { FormField } from '../../../src-shared/form/form-field'
import { toFormFields } from '../../../src-shared/form/to-form-fields'

/** What the registry's kinds are called, and what starts them here; a kind without a runner cannot be started. */
const KINDS: Readonly<Record<string, { readonly label: string; readonly runner?: string }>> = {
  npm: { label: 'npm', runner: 'npx' },
  pypi: { label: 'PyPI', runner: 'uvx' },
  oci: { label: 'Docker', runner: 'docker' },
  nuget: { label: 'NuGet', runner: 'dnx' },
  cargo: { label: 'Cargo' },
  mcpb: { label: 'Bundle' },
}

/** The name of a package kind as people know it. */
export function kindLabel(registryType: string): string {
  return KINDS[registryType]?.label ?? registryType
}

/** The program that starts a package, or undefined when Patchbay has none for it; a crate is a program itself. */
export function runnerOf(pack: Package): string | undefined {
  if (pack.registryType === 'cargo') return pack.identifier
  return KINDS[pack.registryType]?.runner
}

/** The name to show: the title, or the last part of the registry name. */
export function entryTitle(server: ServerJson): string {
  const title = server.title?.trim() ?? ''
  return title === '' ? (server.name.split('/').at(-1) ?? server.name) : title
}

/** Why a package cannot be set up, in one sentence; undefined when it can. */
export function unsupportedReason(pack: Package): string | undefined {
  if (runnerOf(pack) === undefined)
    return `Patchbay cannot start ${kindLabel(pack.registryType)} packages yet.`
  if (pack.transport.type !== 'stdio')
    return 'This package talks over HTTP, which Patchbay cannot use yet.'
  return undefined
}

/** The package to propose: the first that can be set up, or else the first. */
export function preferredPackage(server: ServerJson): OfferRef {
  const usable = server.packages.findIndex((pack) => unsupportedReason(pack) === undefined)
  return { kind: 'package', index: Math.max(0, usable) }
}

/** Why nothing of an entry can be set up, in one sentence; undefined when a package can. */
export function entryObstacle(server: ServerJson): string | undefined {
  const [first] = server.packages
  if (first === undefined)
    return server.remotes.length > 0
      ? 'This server runs on its publisher’s computers. Patchbay cannot connect to remote servers yet.'
      : 'The registry lists no package for this server. Its publisher’s page says how to get it.'
  return server.packages.some((pack) => unsupportedReason(pack) === undefined)
    ? undefined
    : unsupportedReason(first)
}

/** What a package asks for. */
export type Asks = {
  readonly fields: readonly FormField[]
  readonly required: readonly FormField[]
  readonly secrets: readonly FormField[]
  readonly paths: readonly FormField[]
}

/** The fields of a package by what they mean for the reader. */
export function asksOf(pack: Package): Asks {
  const fields = toFormFields(pack)
  return {
    fields,
    required: fields.filter(({ required }) => required),
    secrets: fields.filter(({ secret }) => secret),
    paths: fields.filter(({ control }) => control === 'path'),
  }
}

/** The tag for the secrets of an entry: whether one is needed, or how many could be given. */
export function secretTag({ secrets }: Asks): string | undefined {
  if (secrets.some(({ required }) => required)) return 'Needs a key'
  if (secrets.length === 0) return undefined
  return secrets.length === 1 ? '1 secret' : `${secrets.length} secrets`
}

/** Entries that hold every word of the query in name, title or description; all of them for an empty query. */
export function filterEntries(entries: readonly CatalogEntry[], query: string): CatalogEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ server }) => {
    const text = `${server.name} ${server.title ?? ''} ${server.description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** An address that may be opened: https only, and no other scheme in disguise. */
export function safeLink(address: string | undefined): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.protocol === 'https:' ? url : undefined
}

/** The labels of fields, at most four of them. */
export function namesOf(fields: readonly FormField[]): string {
  const shown = fields.slice(0, 4).map(({ label }) => label)
  const rest = fields.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

/** Where an entry is set up. */
export function setupPath(entryId: string, offer: OfferRef): string {
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}`
}

/** A link as it is shown: owner and repository at GitHub, host and path elsewhere. */
export function linkText({ hostname, pathname }: URL): string {
  const path = pathname.replace(/\/$/, '')
  return hostname === 'github.com' ? path.slice(1) : hostname + path
}
