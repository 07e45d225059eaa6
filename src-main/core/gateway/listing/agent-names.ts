import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'

/** Something that may be shown to an agent under its own name or under `ALIAS__NAME`. */
export type NamedOffer = {
  readonly installationId: string
  readonly ownName: string
  readonly prefixedName: string
}

/** To whom plain names belong, by the folded name; see `agentNames`. */
export type PlainOwners = Map<string, string>

/** What the interfaces of models take as the name of a tool. */
const EXPOSABLE = /^[A-Za-z0-9_-]{1,64}$/
/** Most names that are remembered for one agent: a server may list others all the time. */
const MOST_OWNERS = 20_000

/**
 * What an agent calls each of `offers`, in their order. With `plain`, the own name where nothing else of the profile has
 * it, whatever its case; `offers` are therefore all, whether they are shown or not, and their order does not matter. A
 * name never passes from one to another: who had it first in this run (`owners`) is the only one that gets it again.
 */
export function agentNames(
  offers: readonly NamedOffer[],
  naming: AgentProfile['naming'],
  owners: PlainOwners,
  reserved: readonly string[] = [],
): string[] {
  if (naming === 'prefixed') return offers.map(({ prefixedName }) => prefixedName)
  const claims = claimsOf(offers)
  const taken = new Set([...offers.map(({ prefixedName }) => fold(prefixedName)), ...reserved])
  return offers.map(({ installationId, ownName, prefixedName }) => {
    const folded = fold(ownName)
    const isFree = (claims.get(folded)?.length ?? 0) === 1 && !taken.has(folded)
    if (!isFree || !EXPOSABLE.test(ownName)) return prefixedName
    return owns(owners, folded, `${installationId} ${ownName}`) ? ownName : prefixedName
  })
}

/** The own names that several have, folded, each with the names that these are called by instead. */
export function sharedNames(
  offers: readonly NamedOffer[],
  isShown: (prefixedName: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const shared = [...claimsOf(offers)].filter(([, names]) => names.length > 1)
  return new Map(shared.map(([name, names]) => [name, names.filter(isShown)]))
}

/** A name as it is compared. */
export function fold(name: string): string {
  return name.toLowerCase()
}

function claimsOf(offers: readonly NamedOffer[]): Map<string, string[]> {
  const claims = new Map<string, string[]>()
  for (const { ownName, prefixedName } of offers) {
    const others = claims.get(fold(ownName))
    if (others) others.push(prefixedName)
    else claims.set(fold(ownName), [prefixedName])
  }
  return claims
}

function owns(owners: PlainOwners, name: string, owner: string): boolean {
  const known = owners.get(name)
  if (known !== undefined) return known === owner
  if (owners.size >= MOST_OWNERS) return false
  owners.set(name, owner)
  return true
}
