import * as z from 'zod'

import type { Package, PostInstallStep, Remote, ServerJson } from './server-json'

/** Names one offer of a server.json: its kind and its place in `packages` or `remotes`. */
export const OfferRef = z.object({
  kind: z.enum(['package', 'remote']),
  index: z.number().int().nonnegative(),
})
export type OfferRef = z.infer<typeof OfferRef>

/** One way to use a server: a package that runs here, or a remote that is connected to. */
export type Offer =
  | { readonly kind: 'package'; readonly pkg: Package }
  | { readonly kind: 'remote'; readonly remote: Remote }

/** The offer that a reference names; undefined when the server has none there. */
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

/** What its publisher asks people to do after installing; undefined where that is nothing. */
export function stepsOf(offer: Offer): readonly PostInstallStep[] | undefined {
  return offer.kind === 'package' ? offer.pkg.postInstallInstructions : undefined
}

/** A reference as text, `package-0` or `remote-1`, for addresses and keys. */
export function offerId({ kind, index }: OfferRef): string {
  return `${kind}-${String(index)}`
}

/** The reference that such a text stands for; undefined for any other. */
export function parseOfferId(text: string): OfferRef | undefined {
  const [, kind, index] = /^(package|remote)-(\d{1,4})$/.exec(text) ?? []
  return OfferRef.safeParse({ kind, index: Number(index) }).data
}
