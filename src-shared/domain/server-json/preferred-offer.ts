import type { Offer, OfferRef } from './offer'
import { OWN_COMMAND } from './own-command'
import type { Package, ServerJson } from './server-json'

/** The computer that a server should run on, in Node's terms; unknown members are missing. */
export type Machine = {
  readonly platform: string
  readonly arch?: string | undefined
  /** Installed runners, such as npx; if missing, any runner counts as installed. */
  readonly runners?: readonly string[] | undefined
}

/** A map, because a package type can be called "constructor". */
const RUNNERS: ReadonlyMap<string, string> = new Map([
  ['npm', 'npx'],
  ['pypi', 'uvx'],
  ['oci', 'docker'],
  ['nuget', 'dnx'],
])
/** Types that need no runner, or name their own. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['cargo', 'mcpb', OWN_COMMAND])

/** Suitability of an offer, best first. */
const RANKS = [
  'ready',
  'serves-http',
  'needs-runner',
  'remote',
  'remote-sse',
  'no-address',
  'other-machine',
  'unknown-kind',
] as const
export type OfferRank = (typeof RANKS)[number]

/** Returns the suitability of one offer; `fit` is above 0 if its file name names this computer. */
export function rankOffer(
  offer: Offer,
  machine: Machine,
): { readonly rank: OfferRank; readonly fit: number } {
  if (offer.kind === 'package') return rankOf(offer.pkg, machine)
  return { rank: offer.remote.type === 'sse' ? 'remote-sse' : 'remote', fit: 0 }
}

/** Returns the runner for packages of a type; undefined for types without one. */
export function runnerOfKind(registryType: string): string | undefined {
  return RUNNERS.get(registryType)
}

/**
 * Returns the offer to propose: a package that can start on this computer, then a remote, then what is unusable here; the first in the
 * entry if equal. Undefined for a server without offers.
 */
export function preferredOffer(
  { packages, remotes }: Pick<ServerJson, 'packages' | 'remotes'>,
  machine: Machine,
): OfferRef | undefined {
  const ranked = [
    ...packages.map((pkg, index) => ({ kind: 'package' as const, index, ...rankOf(pkg, machine) })),
    ...remotes.map((remote, index) => {
      const kind = 'remote' as const
      return { kind, index, ...rankOffer({ kind, remote }, machine) }
    }),
  ]
  const [best] = ranked.toSorted(
    (a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || b.fit - a.fit,
  )
  return best && { kind: best.kind, index: best.index }
}

function rankOf(pkg: Package, machine: Machine): { rank: OfferRank; fit: number } {
  const { registryType, transport, identifier, runtimeHint } = pkg
  const fit =
    registryType === 'mcpb' ? fitOf(`${fileName(identifier)} ${runtimeHint ?? ''}`, machine) : 0
  if (fit < 0) return { rank: 'other-machine', fit }
  const runner = RUNNERS.get(registryType)
  if (runner === undefined && !OTHER_KINDS.has(registryType)) return { rank: 'unknown-kind', fit }
  if (transport.type !== 'stdio' && transport.url === undefined) return { rank: 'no-address', fit }
  if (!isThere(runner, machine)) return { rank: 'needs-runner', fit }
  return { rank: transport.type === 'stdio' ? 'ready' : 'serves-http', fit }
}

function isThere(runner: string | undefined, { runners }: Machine): boolean {
  return runner === undefined || (runners?.includes(runner) ?? true)
}

function fileName(address: string): string {
  return address.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
}

const PLATFORM_WORDS: readonly (readonly [string, RegExp])[] = [
  ['win32', /^(win(dows|32|64)?|exe|msvc)$/],
  ['darwin', /^(darwin|mac(os|osx)?|osx|apple)$/],
  ['linux', /^(linux|gnu|musl|ubuntu)$/],
]
const ARCH_WORDS: readonly (readonly [string, RegExp])[] = [
  ['x64', /^(amd64|x64|intel)$/],
  ['arm64', /^(arm64|aarch64|silicon)$/],
  ['ia32', /^(i?[36]86|ia32)$/],
]

/** Positive if a file name names this computer, 0 if it names none, negative if it names only others. */
function fitOf(name: string, { platform, arch }: Machine): number {
  const words = name
    .toLowerCase()
    .replaceAll(/x86[_-]64/g, 'amd64')
    .split(/[^a-z\d]+/)
  const platforms = namedBy(words, PLATFORM_WORDS)
  if (platforms.length > 0 && !platforms.includes(platform)) return -1
  // Macs with an Apple chip also run Intel programs.
  const arches = namedBy(words, ARCH_WORDS)
  const isOther = arch !== undefined && arches.length > 0 && !arches.includes(arch)
  if (isOther && !(platform === 'darwin' && arch === 'arm64')) return -1
  return (platforms.length > 0 ? 2 : 0) + (arch !== undefined && arches.includes(arch) ? 1 : 0)
}

function namedBy(
  words: readonly string[],
  names: readonly (readonly [string, RegExp])[],
): string[] {
  return names.filter(([, word]) => words.some((one) => word.test(one))).map(([name]) => name)
}
