import { useMemo } from 'react'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import { type Offer, offerId, type OfferRef } from '../../../../src-shared/domain/server-json/offer'
import {
  type Machine,
  type OfferRank,
  preferredOffer,
  rankOffer,
  runnerOfKind,
} from '../../../../src-shared/domain/server-json/preferred-offer'
import type {
  Package,
  Remote,
  ServerJson,
} from '../../../../src-shared/domain/server-json/server-json'
import type { FormField } from '../../../../src-shared/form/form-field'
import { RUNNER_OPTIONS } from '../../../../src-shared/form/runner-options'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import { type Request, useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'
import { formatDay } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'

/** Returns the name to show: the title, or the last part of the registry name. */
export function entryTitle({ title = '', name }: Pick<ServerJson, 'title' | 'name'>): string {
  return visibleText(title.trim() === '' ? (name.split('/').at(-1) ?? name) : title.trim())
}

/** Returns the status of a deprecated or deleted entry, with the date if known: `Deprecated since Nov 3, 2026.` */
export function statusTitle(props: Pick<CatalogEntry, 'status' | 'statusChangedAt'>): string {
  const { status, statusChangedAt = '' } = props
  const word = status === 'deleted' ? 'Deleted' : 'Deprecated'
  const at = Date.parse(statusChangedAt)
  return Number.isNaN(at) ? `${word}.` : `${word} since ${formatDay(at)}.`
}

/** Returns why an entry cannot be set up, as one sentence; undefined if it can. `view` is its best offer. */
export function entryObstacle(view: OfferView | undefined): string | undefined {
  if (view) return view.obstacle
  return 'The registry lists no package or address for this server. See the publisher’s page for instructions.'
}

/** The fields of an offer, by purpose. */
export type RequiredInput = {
  readonly fields: readonly FormField[]
  readonly required: readonly FormField[]
  readonly secrets: readonly FormField[]
  readonly paths: readonly FormField[]
}

/** Returns the fields of an offer by what they mean for the reader. */
export function requiredInput(offer: Offer): RequiredInput {
  const fields = fieldsOfOffer(offer).filter(({ key }) => key !== RUNNER_OPTIONS)
  return {
    fields,
    required: fields.filter(({ required }) => required),
    secrets: fields.filter(({ secret }) => secret),
    paths: fields.filter(({ control }) => control === 'path'),
  }
}

/** Joins names, at most four of them. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 4).map((name) => visibleText(name))
  const remaining = names.length - shown.length
  return remaining > 0 ? `${shown.join(', ')} and ${remaining} more` : shown.join(', ')
}

/** Returns the setup path for the chosen or best offer of an entry, and why it cannot be set up. */
export function setUpOf(
  { entryId, server }: Pick<CatalogEntry, 'entryId' | 'server'>,
  machine: Machine,
  chosen?: OfferRef,
): { readonly path: string; readonly obstacle: string | undefined } {
  const view = viewToSetUp(viewsOf(server, machine), chosen)
  return { path: view ? setupPath(entryId, view.ref) : '', obstacle: entryObstacle(view) }
}

/** Returns the path of an entry's setup form. */
export function setupPath(entryId: string, offer: OfferRef): string {
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}`
}

function useDetectedRunners(options: {
  readonly isCached?: boolean
}): Request<readonly RunnerName[]> {
  const paths = useApp((state) => state.app?.settings.runnerPaths)
  return useRequest('runner.find', {}, { ...options, state: [JSON.stringify(paths ?? {})] })
}

/** Returns the computer that servers run on. */
export function useMachine(): Machine {
  const platform = useApp((state) => state.app?.info.platform) ?? ''
  const arch = useApp((state) => state.app?.info.arch)
  const runners = useRunners()
  return useMemo(() => ({ platform, arch, runners }), [platform, arch, runners])
}

/**
 * Returns the runners found on the computer. Undefined while unknown: then any may be present, because a start looks for its runner itself.
 */
export function useRunners(): readonly RunnerName[] | undefined {
  return useDetectedRunners({ isCached: true }).value
}

/** Looks for runners once, and again when one of their paths is set. */
export function useFindRunners(): void {
  useDetectedRunners({})
}

/** One offer of an entry, as the user chooses among them. */
export type OfferView = {
  readonly id: string
  readonly ref: OfferRef
  readonly offer: Offer
  /** Type of the offer: "npm", "Docker", "Remote". */
  readonly label: string
  /** Package, file name of a bundle, or address of a remote without its scheme. */
  readonly place: string
  /** Version of a package, transport of a remote. */
  readonly version: string | undefined
  /** How well the offer fits this computer, as a sentence. */
  readonly note: string
  /** Why the offer cannot be set up, as a sentence. */
  readonly obstacle: string | undefined
  /** Whether the offer can start here right after setup. */
  readonly isReady: boolean
  readonly isBest: boolean
  /** Whether the offer is the best of several and can start here. */
  readonly isRecommended: boolean
}

/** Labels of the registry types; a map, because a type can be called "constructor". */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['pypi', 'PyPI'],
  ['oci', 'Docker'],
  ['nuget', 'NuGet'],
  ['cargo', 'Cargo'],
  ['mcpb', 'Bundle'],
])
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['darwin', 'macOS'],
  ['linux', 'Linux'],
  ['win32', 'Windows'],
])
const STARTABLE: readonly OfferRank[] = ['ready', 'serves-http', 'needs-runner']

type Ranked = ReturnType<typeof rankOffer>

/** Returns the label of an offer's type. */
export function labelOf(offer: Offer): string {
  if (offer.kind === 'remote') return 'Remote'
  const { registryType } = offer.pkg
  return LABELS.get(registryType) ?? visibleText(registryType)
}

/** Returns the program that starts a package. A crate is itself a program, and a bundle's program is known after its download. */
export function commandOf(offer: Offer): string | undefined {
  if (offer.kind === 'remote') return undefined
  const { registryType, identifier } = offer.pkg
  return registryType === 'cargo' ? visibleText(identifier) : runnerOfKind(registryType)
}

/** Returns all offers of an entry: the best one for this computer, then the others in the entry's order. */
export function viewsOf(
  server: Pick<ServerJson, 'packages' | 'remotes'>,
  machine: Machine,
): OfferView[] {
  const offers: Offer[] = [
    ...server.packages.map((pkg) => ({ kind: 'package' as const, pkg })),
    ...server.remotes.map((remote) => ({ kind: 'remote' as const, remote })),
  ]
  const best = preferredOffer(server, machine)
  const views = offers.map((offer, place) => {
    const { kind } = offer
    const ref = { kind, index: kind === 'package' ? place : place - server.packages.length }
    const isBest = best !== undefined && offerId(best) === offerId(ref)
    const ranked = rankOffer(offer, machine)
    const note = noteOf(offer, ranked, machine)
    return {
      id: offerId(ref),
      ref,
      offer,
      label: labelOf(offer),
      ...locationOf(offer),
      note,
      obstacle: ranked.rank === 'unknown-kind' ? note : undefined,
      isReady: ['ready', 'serves-http', 'remote', 'remote-sse'].includes(ranked.rank),
      isBest,
      isRecommended: isBest && offers.length > 1 && STARTABLE.includes(ranked.rank),
    }
  })
  return [...views.filter(({ isBest }) => isBest), ...views.filter(({ isBest }) => !isBest)]
}

/** Returns the chosen offer, else the best one for this computer; undefined if there is none. */
export function viewToSetUp(
  views: readonly OfferView[],
  chosen: OfferRef | undefined,
): OfferView | undefined {
  const wanted = chosen && offerId(chosen)
  return views.find(({ id }) => id === wanted) ?? views.find(({ isBest }) => isBest)
}

/** Returns the label of a transport. */
export function transportLabel(type: Package['transport']['type']): string {
  if (type === 'stdio') return 'stdio'
  return type === 'sse' ? 'SSE' : 'Streamable HTTP'
}

/** Returns the host of an address or address template; undefined if the user fills in the whole address. */
export function hostOf({ url }: Pick<Remote, 'url'>): string | undefined {
  // For a complete address, the ASCII host that the connection uses; userinfo before an @ is no host.
  if (!url.includes('{') && URL.canParse(url)) return new URL(url).host
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(url)?.[1]
  const host = authority?.slice(authority.lastIndexOf('@') + 1)
  return host === undefined || host === '' ? undefined : visibleText(host)
}

/** Returns the file name of a bundle and the host of its download. */
export function bundleLocation(identifier: string): { file: string; host: string | undefined } {
  const path = identifier.split(/[?#]/)[0] ?? ''
  const file = path.split('/').findLast((part) => part !== '') ?? identifier
  return { file: visibleText(file), host: hostOf({ url: identifier }) }
}

function locationOf(offer: Offer): Pick<OfferView, 'place' | 'version'> {
  if (offer.kind === 'remote') {
    const { url, type } = offer.remote
    const place = visibleText(url.replace(/^https?:\/\//i, ''))
    return { place, version: transportLabel(type) }
  }
  const { registryType, identifier, version } = offer.pkg
  const place = registryType === 'mcpb' ? bundleLocation(identifier).file : visibleText(identifier)
  return { place, version: version === undefined ? undefined : visibleText(version) }
}

function noteOf(offer: Offer, { rank, fit }: Ranked, machine: Machine): string {
  switch (rank) {
    case 'serves-http':
    case 'ready':
      return fit > 0 ? `For this computer: ${machineText(machine)}.` : readyNote(offer)
    case 'needs-runner':
      return `Requires ${commandOf(offer) ?? 'a program'}, which isn’t installed.`
    case 'remote':
    case 'remote-sse':
      return 'Runs remotely. Requests are sent to its address.'
    case 'no-address':
      return 'Can’t connect. The entry uses HTTP without an address.'
    case 'other-machine':
      return 'Made for another system, according to the file name.'
    case 'unknown-kind':
      return `Unsupported package type “${labelOf(offer).slice(0, 40)}”.`
  }
}

function readyNote(offer: Offer): string {
  const command = commandOf(offer)
  if (command === undefined) return 'Runs on this computer.'
  return isCrate(offer)
    ? `Runs on this computer as ${command}. Install ${command} first.`
    : `Runs on this computer with ${command}.`
}

function isCrate(offer: Offer): boolean {
  return offer.kind === 'package' && offer.pkg.registryType === 'cargo'
}

function machineText({ platform, arch = '' }: Machine): string {
  return `${SYSTEMS.get(platform) ?? platform} ${arch}`.trim()
}
