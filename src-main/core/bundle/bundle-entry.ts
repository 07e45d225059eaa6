import { createHash } from 'node:crypto'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { ServerJson } from '../../../src-shared/domain/server-json/server-json'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import type { BundlePackage } from './bundle-package'
import type { BundleManifest } from './manifest/manifest'

/**
 * An unpacked bundle as an entry that can be set up, its only package the bundle. One that came from an entry
 * keeps that entry's name, version and source; the manifest of a file names itself.
 */
export function toBundleEntry(
  manifest: BundleManifest,
  { pkg, several }: BundlePackage,
  sha256: string,
  origin: CatalogEntry | undefined,
): CatalogEntry {
  const fields = toFormFields(pkg)
  const proposed: FieldValues = Object.fromEntries(
    fields.flatMap(({ key, sharedAs }) => {
      const entries = sharedAs === undefined ? undefined : several.get(sharedAs)
      return entries === undefined ? [] : [[key, [...entries]]]
    }),
  )
  return {
    entryId: entryIdOf(sha256, origin),
    source: origin?.source ?? 'bundle',
    sourceId: origin?.sourceId,
    server: {
      ...(origin ? entryOf(origin, manifest) : ownEntry(manifest)),
      packages: [pkg],
      remotes: [],
    },
    status: origin?.status ?? 'active',
    publishedAt: origin?.publishedAt,
    notices: origin?.notices ?? [],
    proposed,
  }
}

function entryIdOf(sha256: string, origin: CatalogEntry | undefined): string {
  if (origin === undefined) return `bundle:${sha256}`
  const from = createHash('sha256').update(origin.entryId).digest('hex').slice(0, 16)
  return `bundle:${sha256}:${from}`
}

function entryOf({ server }: CatalogEntry, manifest: BundleManifest): ServerJson {
  return { ...server, title: server.title ?? titleOf(manifest) }
}

function ownEntry(manifest: BundleManifest): ServerJson {
  const { name, description, version, homepage, repository } = manifest
  return {
    name,
    title: titleOf(manifest),
    description,
    version,
    websiteUrl: homepage,
    repository: repository && { url: repository.url },
    packages: [],
    remotes: [],
  }
}

function titleOf({ display_name: title }: BundleManifest): string | undefined {
  return title === '' ? undefined : title
}
