import * as z from 'zod'

import type { Package, PostInstallStep, Remote, ServerJson } from './server-json'

/** Reference to one offer of a server.json: its kind and its index in `packages` or `remotes`. */
export const OfferRef = z.object({
  kind: z.enum(['package', 'remote']),
  index: z.number().int().nonnegative(),
})
export type OfferRef = z.infer<typeof OfferRef>

/** One way to use a server: a package that runs here, or a remote to connect to. */
export type Offer =
  | { readonly kind: 'package'; readonly pkg: Package }
  | { readonly kind: 'remote'; readonly remote: Remote }

/** Returns the offer of a reference; undefined if the server has none at that index. */
export function findOffer(
  { packages, remotes }: Pick<ServerJson, 'packages' | 'remotes'>,
  { kind, index }: OfferRef,
): Offer | undefined {
  if (kind === 'package') {
    const pkg = packages[index]
    return pkg && { kind, pkg }
  }
  const remote = remotes[index]
  return remote && { kind, remote }
}

/** Returns the publisher's instructions for after the installation; undefined if there are none. */
export function stepsOf(offer: Offer): readonly PostInstallStep[] | undefined {
  return offer.kind === 'package' ? offer.pkg.postInstallInstructions : undefined
}

/** Returns a reference as text, `package-0` or `remote-1`, for addresses and keys. */
export function offerId({ kind, index }: OfferRef): string {
  return `${kind}-${String(index)}`
}

/** Returns the reference of such a text; undefined for any other. */
export function parseOfferId(text: string): OfferRef | undefined {
  const [, kind, index] = /^(package|remote)-(\d{1,4})$/.exec(text) ?? []
  return OfferRef.safeParse({ kind, index: Number(index) }).data
}
