import type { Offer, OfferRef } from '../domain/server-json/offer'
import type { Package, Remote, ServerJson } from '../domain/server-json/server-json'

/**
 * Returns the offer of another version that replaces the current one: the same package or address, else the first of the same type;
 * undefined if that version has none of the type.
 */
export function matchOffer(present: Offer, next: ServerJson): OfferRef | undefined {
  if (present.kind === 'package') {
    const index = placeOf(next.packages, [
      (pkg) => isSameKind(pkg, present.pkg) && pkg.identifier === present.pkg.identifier,
      (pkg) => isSameKind(pkg, present.pkg),
    ])
    return index === -1 ? undefined : { kind: 'package', index }
  }
  const index = placeOf(next.remotes, [
    (remote) => remote.type === present.remote.type && remote.url === present.remote.url,
    (remote) => hostOf(remote) === hostOf(present.remote),
    () => true,
  ])
  return index === -1 ? undefined : { kind: 'remote', index }
}

function placeOf<T>(list: readonly T[], rules: readonly ((one: T) => boolean)[]): number {
  return rules.reduce((found, rule) => (found === -1 ? list.findIndex(rule) : found), -1)
}

function isSameKind(a: Package, b: Package): boolean {
  return a.registryType === b.registryType && a.transport.type === b.transport.type
}

/** Works for an address with variables too. */
function hostOf({ url }: Remote): string {
  return url.split('/')[2] ?? url
}
