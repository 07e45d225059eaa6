import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'

import type {
  CatalogDetail,
  VersionList,
} from '../../../../src-shared/domain/catalog/catalog-detail'
import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { PASTED_SOURCE, STARTER_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import { useNow } from '../../../stores/app-store'
import { SectionHeader } from '../../../ui/layout/section'
import { counted } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { hostOf } from './entry-facts'
import { Lines } from './entry-reach'

/** One fact about the publisher of a server; `weight` is its meaning for trust. */
type TrustFact = {
  readonly key: string
  readonly weight: 'for' | 'against' | 'plain'
  readonly text: string
}

/** Returns the known facts about a server's publisher as sentences; `now` is epoch ms. */
export function trustFacts(
  listed: ListedServer,
  server: Pick<ServerJson, 'packages' | 'remotes' | 'repository'>,
  versions: VersionList['versions'] | undefined,
  now: number,
): TrustFact[] {
  const { sourceId } = listed
  if (sourceId === PASTED_SOURCE)
    return [fact('origin', 'against', 'Pasted by you. No registry checked the author.')]
  if (sourceId === STARTER_SOURCE) {
    const text = 'Included in Patchbay’s starter list. Runs the package of the publisher.'
    return [fact('origin', 'plain', text)]
  }
  const matches = matchFacts(listed, server)
  return [
    namespaceFact(listed),
    // Matching names prove nothing for an unverified publisher, because anyone can use them.
    ...matches.map(({ key, weight, text }) =>
      fact(key, weight === 'for' && !listed.isVerified ? 'plain' : weight, text),
    ),
    ...ageFacts(versions, now),
  ]
}

function fact(key: string, weight: TrustFact['weight'], text: string): TrustFact {
  return { key, weight, text }
}

function namespaceFact({ isVerified, namespace, publisher }: ListedServer): TrustFact {
  const who = visibleText(publisher)
  const isDomain = isVerified && namespace === 'domain'
  const text = isDomain
    ? `The registry verified that the publisher controls ${who}. This doesn’t mean the server is safe.`
    : isVerified
      ? `The registry verified the publisher’s GitHub account ${who}. Anyone can create an account.`
      : `Published as ${who}, not verified. The registry operator decides how names are checked.`
  return fact('namespace', isDomain ? 'for' : 'plain', text)
}

/** Compares package, hosts and source repository with the publisher's name. */
function matchFacts(
  listed: ListedServer,
  { packages, remotes, repository }: Pick<ServerJson, 'packages' | 'remotes' | 'repository'>,
): TrustFact[] {
  const hosts = new Set(remotes.flatMap((remote) => hostOf(remote) ?? []))
  const [first] = packages
  return [
    ...[...hosts].map((host) => hostFact(host, listed)),
    ...sourceFacts(ownerOf(repository?.url), listed),
    // A bundle's file name can be anything.
    ...(first && first.registryType !== 'mcpb' ? [packageFact(first.identifier, listed)] : []),
  ]
}

function sourceFacts(
  owner: string | undefined,
  { namespace, publisher }: ListedServer,
): TrustFact[] {
  if (owner === undefined || namespace !== 'github') return []
  const isOwn = owner.toLowerCase() === publisher.toLowerCase()
  const text = isOwn
    ? `The source code is in the same account, ${visibleText(owner)}.`
    : `The source code is in the account ${visibleText(owner)}, not ${visibleText(publisher)}.`
  return [fact('source', isOwn ? 'for' : 'against', text)]
}

function packageFact(identifier: string, listed: ListedServer): TrustFact {
  const name = visibleText(identifier)
  if (ownersOf(identifier).includes(ownName(listed)))
    return fact('package', 'for', `The package ${name} is under the publisher’s name.`)
  const text = `The package ${name} is not under the publisher’s name. This is common, but check it.`
  return fact('package', 'plain', text)
}

/**
 * Returns the owner parts of a package name: its scope or the path before the last part, which anyone can choose. A name without a path is
 * its own owner, because it is unique.
 */
function ownersOf(identifier: string): string[] {
  const parts = identifier.toLowerCase().replace(/^@/, '').split('/')
  return parts.length === 1 ? parts : parts.slice(0, -1)
}

/** A publisher known by a domain owns the hosts below it; the hosts of an account's owner are unknown. */
function hostFact(host: string, { namespace, publisher }: ListedServer): TrustFact {
  const key = `host ${host}`
  const who = visibleText(publisher)
  if (namespace === 'github')
    return fact(key, 'plain', `Connects to ${host}. The owner of this host isn’t verified.`)
  const hostname = host.replace(/:\d+$/, '').toLowerCase()
  const isOwn =
    hostname === publisher.toLowerCase() || hostname.endsWith(`.${publisher.toLowerCase()}`)
  return isOwn
    ? fact(key, 'for', `${host} belongs to ${who}.`)
    : fact(key, 'against', `Connects to ${host}, which doesn’t belong to ${who}.`)
}

/** Returns the short name of a publisher: the account, or the domain without its ending. */
function ownName({ namespace, publisher }: ListedServer): string {
  const lower = publisher.toLowerCase()
  return namespace === 'github' ? lower : (lower.split('.').at(-2) ?? lower)
}

function ownerOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const { hostname, pathname } = new URL(address)
  return hostname === 'github.com' ? pathname.split('/')[1] : undefined
}

const DAY_MS = 86_400_000
const YOUNG_MS = 14 * DAY_MS

function ageText(ms: number): string {
  const days = Math.floor(ms / DAY_MS)
  if (days < 1) return 'less than a day'
  if (days < 60) return counted(days, 'day')
  return days < 730
    ? counted(Math.floor(days / 30.4), 'month')
    : counted(Math.floor(days / 365.25), 'year')
}

function ageFacts(versions: VersionList['versions'] | undefined, now: number): TrustFact[] {
  const days = (versions ?? []).flatMap(({ publishedAt }) => publishedAt ?? [])
  if (days.length === 0) return []
  const age = now - Math.min(...days)
  const text = `Listed for ${ageText(age)}, ${counted(versions?.length ?? 0, 'version')}.`
  return [fact('age', age < YOUNG_MS ? 'against' : 'plain', text)]
}

const MARKS = {
  for: { icon: CircleCheck, tone: 'text-status is-ready' },
  against: { icon: CircleAlert, tone: 'text-status is-degraded' },
  plain: { icon: Info },
} as const
const HOUR_MS = 3_600_000

/** What is known about a server's publisher, and what the registry has verified. */
export function EntryTrust(props: {
  readonly detail: CatalogDetail
  readonly versions: VersionList['versions'] | undefined
}): ReactElement {
  const { detail, versions } = props
  const { listed, entry } = detail
  const now = useNow(HOUR_MS)
  const facts = useMemo(
    () => trustFacts(listed, entry.server, versions, now),
    [listed, entry, versions, now],
  )
  return (
    <section aria-labelledby="trust">
      <SectionHeader id="trust" level={3} title="Publisher" />
      <Lines lines={facts.map(({ key, weight, text }) => ({ key, text, ...MARKS[weight] }))} />
    </section>
  )
}
