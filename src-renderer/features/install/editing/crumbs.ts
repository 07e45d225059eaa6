import type { Crumb } from '../../../ui/layout/page'

/** The way back from the form of a new server. */
export const CATALOG_CRUMBS: readonly Crumb[] = [{ label: 'Catalog', href: '/catalog' }]

/** The way back from the form of a server that is there. */
export function serverCrumbs(installationId: string, name: string): Crumb[] {
  return [
    { label: 'Servers', href: '/servers' },
    { label: name, href: `/servers/${installationId}` },
  ]
}
