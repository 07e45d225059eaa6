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
import { visibleText } from '../../../ui/text/format'

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
