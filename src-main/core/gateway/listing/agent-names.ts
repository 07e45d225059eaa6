import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { LONGEST_EXPOSED } from '../../tools/names/tool-names'

/** To whom plain names belong, by the folded name; see `agentNames`. */
export type PlainOwners = Map<string, string>

/** Something that may be shown to an agent under its own name or under `ALIAS__NAME`. */
export type NamedOffer = {
  readonly installationId: string
  readonly ownName: string
  readonly prefixedName: string
}

/** The longest plain name, and names that nothing can have. */
type NameBounds = { readonly limit?: number; readonly reserved?: readonly string[] }

/** Characters of a tool's name that the APIs of models accept. */
const EXPOSABLE = /^[A-Za-z0-9_-]+$/
/** Most names that are remembered for one agent: a server may list others all the time. */
const MOST_OWNERS = 20_000

/**
 * What an agent calls each of `offers`: with `plain`, the own name where nothing else of the profile, shown or not, has it.
 * A name never passes from one to another: who had it first in this run (`owners`) is the only one that gets it again.
 */
export function agentNames(
  offers: readonly NamedOffer[],
  naming: AgentProfile['naming'],
  owners: PlainOwners,
  { limit = LONGEST_EXPOSED, reserved = [] }: NameBounds = {},
): string[] {
  if (naming === 'prefixed') return offers.map(({ prefixedName }) => prefixedName)
  const claims = claimsOf(offers)
  const taken = new Set([...offers.map(({ prefixedName }) => fold(prefixedName)), ...reserved])
  return offers.map(({ installationId, ownName, prefixedName }) => {
    const folded = fold(ownName)
    const isFree = claims.get(folded)?.length === 1 && !taken.has(folded)
    if (!isFree || ownName.length > limit || !EXPOSABLE.test(ownName)) return prefixedName
    const own = `${installationId} ${ownName}`
    const owner = owners.get(folded) ?? (owners.size < MOST_OWNERS ? own : undefined)
    if (owner !== own) return prefixedName
    owners.set(folded, own)
    return ownName
  })
}

/** A name as names are compared: without case. */
export function fold(name: string): string {
  return name.toLowerCase()
}

/** By the folded own name, the prefixed names of all that have it. */
export function claimsOf(offers: readonly NamedOffer[]): Map<string, string[]> {
  const claims = Map.groupBy(offers, ({ ownName }) => fold(ownName))
  return new Map(
    [...claims].map(([name, all]) => [name, all.map(({ prefixedName }) => prefixedName)]),
  )
}
