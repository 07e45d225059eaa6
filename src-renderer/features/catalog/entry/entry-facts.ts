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
import { formatDay, visibleText } from '../../../ui/text/format'

/** The name to show: the title, or the last part of the registry name. */
export function entryTitle({ title = '', name }: Pick<ServerJson, 'title' | 'name'>): string {
  return visibleText(title.trim() === '' ? (name.split('/').at(-1) ?? name) : title.trim())
}

/** What an entry is no longer, and since when where its registry says that: `Deprecated since Nov 3, 2026.` */
export function statusTitle(props: Pick<CatalogEntry, 'status' | 'statusChangedAt'>): string {
  const { status, statusChangedAt = '' } = props
  const word = status === 'deleted' ? 'Deleted' : 'Deprecated'
  const at = Date.parse(statusChangedAt)
  return Number.isNaN(at) ? `${word}.` : `${word} since ${formatDay(at)}.`
}

/** Why an entry cannot be set up, in one sentence, where `view` is the best of its offers; undefined when it can. */
export function entryObstacle(view: OfferView | undefined): string | undefined {
  if (view) return view.obstacle
  return 'The registry lists no package or address for this server. See the publisher’s page for instructions.'
}

/** What an offer asks for. */
export type Asks = {
  readonly fields: readonly FormField[]
  readonly required: readonly FormField[]
  readonly secrets: readonly FormField[]
  readonly paths: readonly FormField[]
}

/** The fields of an offer by what they mean for the reader. */
export function asksOf(offer: Offer): Asks {
  const fields = fieldsOfOffer(offer).filter(({ key }) => key !== RUNNER_OPTIONS)
  return {
    fields,
    required: fields.filter(({ required }) => required),
    secrets: fields.filter(({ secret }) => secret),
    paths: fields.filter(({ control }) => control === 'path'),
  }
}

/** Names in a row, at most four of them. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 4).map((name) => visibleText(name))
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

/** Where an entry is set up by the offer that was chosen, or else by the best one for this computer, and why it cannot be. */
export function setUpOf(
  { entryId, server }: Pick<CatalogEntry, 'entryId' | 'server'>,
  machine: Machine,
  chosen?: OfferRef,
): { readonly path: string; readonly obstacle: string | undefined } {
  const view = viewToSetUp(viewsOf(server, machine), chosen)
  return { path: view ? setupPath(entryId, view.ref) : '', obstacle: entryObstacle(view) }
}

/** Where an entry is set up. */
export function setupPath(entryId: string, offer: OfferRef): string {
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}`
}

function useFound(asking: { readonly stays?: boolean }): Request<readonly RunnerName[]> {
  const paths = useApp((state) => state.app?.settings.runnerPaths)
  return useRequest('runner.find', {}, { ...asking, state: [JSON.stringify(paths ?? {})] })
}

/** The computer that servers run on. */
export function useMachine(): Machine {
  const platform = useApp((state) => state.app?.info.platform) ?? ''
  const arch = useApp((state) => state.app?.info.arch)
  const runners = useRunners()
  return useMemo(() => ({ platform, arch, runners }), [platform, arch, runners])
}

/** The runners that were found; undefined while nobody knows, when any may be there: a start looks for its runner itself and says what is missing. */
export function useRunners(): readonly RunnerName[] | undefined {
  return useFound({ stays: true }).value
}

/** Looks for the runners once, and again when a path of theirs is set. */
export function useFindRunners(): void {
  useFound({})
}

/** One offer of an entry in words, as its reader chooses among them. */
export type OfferView = {
  readonly id: string
  readonly ref: OfferRef
  readonly offer: Offer
  /** What it is: "npm", "Docker", "Remote". */
  readonly label: string
  /** The package, the file of a bundle, or the address of a remote without its scheme. */
  readonly place: string
  /** The version of a package, the transport of a remote. */
  readonly version: string | undefined
  /** How well it fits this computer, as a sentence. */
  readonly note: string
  /** Why it cannot even be set up, as a sentence. */
  readonly obstacle: string | undefined
  /** Whether it can be started here as soon as it is set up. */
  readonly isReady: boolean
  readonly isBest: boolean
  /** The best of several for this computer, and one that can be started. */
  readonly isRecommended: boolean
}

/** What the registry's kinds are called; a map, since a kind can be called "constructor". */
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

/** The name of an offer's kind as people know it. */
export function labelOf(offer: Offer): string {
  if (offer.kind === 'remote') return 'Remote'
  const { registryType } = offer.pkg
  return LABELS.get(registryType) ?? visibleText(registryType)
}

/** The program that starts a package; a crate is a program itself, and a bundle says it later. */
export function commandOf(offer: Offer): string | undefined {
  if (offer.kind === 'remote') return undefined
  const { registryType, identifier } = offer.pkg
  return registryType === 'cargo' ? visibleText(identifier) : runnerOfKind(registryType)
}

/** Every offer of an entry: the best one for this computer, then the others in the order of the entry. */
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
      ...placeOf(offer),
      note,
      obstacle: ranked.rank === 'unknown-kind' ? note : undefined,
      isReady: ['ready', 'serves-http', 'remote', 'remote-sse'].includes(ranked.rank),
      isBest,
      isRecommended: isBest && offers.length > 1 && STARTABLE.includes(ranked.rank),
    }
  })
  return [...views.filter(({ isBest }) => isBest), ...views.filter(({ isBest }) => !isBest)]
}

/** The offer that was chosen, or else the best one for this computer; undefined where there is none. */
export function viewToSetUp(
  views: readonly OfferView[],
  chosen: OfferRef | undefined,
): OfferView | undefined {
  const wanted = chosen && offerId(chosen)
  return views.find(({ id }) => id === wanted) ?? views.find(({ isBest }) => isBest)
}

/** How a transport is called. */
export function transportWord(type: Package['transport']['type']): string {
  if (type === 'stdio') return 'stdio'
  return type === 'sse' ? 'SSE' : 'Streamable HTTP'
}

/** The host of an address, which may be a template; undefined where it is filled in as a whole. */
export function hostOf({ url }: Pick<Remote, 'url'>): string | undefined {
  // The name that is connected to, in ASCII, where it is known; what stands before an @ is no host.
  if (!url.includes('{') && URL.canParse(url)) return new URL(url).host
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(url)?.[1]
  const host = authority?.slice(authority.lastIndexOf('@') + 1)
  return host === undefined || host === '' ? undefined : visibleText(host)
}

/** The file of a bundle and the host that it comes from. */
export function bundlePlace(identifier: string): { file: string; host: string | undefined } {
  const path = identifier.split(/[?#]/)[0] ?? ''
  const file = path.split('/').findLast((part) => part !== '') ?? identifier
  return { file: visibleText(file), host: hostOf({ url: identifier }) }
}

function placeOf(offer: Offer): Pick<OfferView, 'place' | 'version'> {
  if (offer.kind === 'remote') {
    const { url, type } = offer.remote
    const place = visibleText(url.replace(/^https?:\/\//i, ''))
    return { place, version: transportWord(type) }
  }
  const { registryType, identifier, version } = offer.pkg
  const place = registryType === 'mcpb' ? bundlePlace(identifier).file : visibleText(identifier)
  return { place, version: version === undefined ? undefined : visibleText(version) }
}

function noteOf(offer: Offer, { rank, fit }: Ranked, machine: Machine): string {
  switch (rank) {
    case 'serves-http':
    case 'ready':
      return fit > 0 ? `For this computer: ${machineWords(machine)}.` : readyNote(offer)
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

function machineWords({ platform, arch = '' }: Machine): string {
  return `${SYSTEMS.get(platform) ?? platform} ${arch}`.trim()
}
