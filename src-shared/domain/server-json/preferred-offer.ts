import type { Offer, OfferRef } from './offer'
import { OWN_COMMAND } from './own-command'
import type { Package, ServerJson } from './server-json'

/** The machine that a server is to run on, in Node's words; what is not known is left out. */
export type Machine = {
  readonly platform: string
  readonly arch?: string | undefined
  /** The runners that are there, such as npx; any may be when this is missing. */
  readonly runners?: readonly string[] | undefined
}

/** A map, since a kind of package can be called "constructor". */
const RUNNERS: ReadonlyMap<string, string> = new Map([
  ['npm', 'npx'],
  ['pypi', 'uvx'],
  ['oci', 'docker'],
  ['nuget', 'dnx'],
])
/** Kinds that need no runner, or name their own. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['cargo', 'mcpb', OWN_COMMAND])

/** How well an offer serves a machine, best first. */
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

/** How well one offer serves a machine; `fit` is above 0 where its file name names that machine. */
export function rankOffer(
  offer: Offer,
  machine: Machine,
): { readonly rank: OfferRank; readonly fit: number } {
  if (offer.kind === 'package') return rankOf(offer.pkg, machine)
  return { rank: offer.remote.type === 'sse' ? 'remote-sse' : 'remote', fit: 0 }
}

/** The runner that starts packages of a kind; undefined for kinds without one. */
export function runnerOfKind(registryType: string): string | undefined {
  return RUNNERS.get(registryType)
}

/**
 * The offer to propose: a package that can be started on this machine, before a remote, before what cannot be
 * used there; of equals the one that the entry names first. Undefined for a server without offers.
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

/** Positive where a file name names this machine, 0 where it names none, negative where it names others only. */
function fitOf(name: string, { platform, arch }: Machine): number {
  const words = name
    .toLowerCase()
    .replaceAll(/x86[_-]64/g, 'amd64')
    .split(/[^a-z\d]+/)
  const platforms = namedBy(words, PLATFORM_WORDS)
  if (platforms.length > 0 && !platforms.includes(platform)) return -1
  // Macs with an Apple chip run what is made for Intel ones too.
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
