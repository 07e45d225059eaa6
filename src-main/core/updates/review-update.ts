import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { UpdateReview } from '../../../src-shared/domain/installation/update-review'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import { findOffer, type Offer } from '../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../src-shared/form/carry-over'
import { matchOffer } from '../../../src-shared/form/match-offer'
import { type InstallationService, offerOf } from '../installation/installation-service'
import { revisionOf } from '../installation/revision'
import { movedPlaces } from '../installation/secrets/move-secrets'
import { compareLaunches } from './compare-launches'

/**
 * What an installation becomes in another version: its values by name, what has no place any more, and how
 * the command differs. Throws UNSUPPORTED_PACKAGE when that version offers nothing of the kind in use.
 */
export function reviewUpdate(
  installations: InstallationService,
  installation: Installation,
  entry: CatalogEntry,
): UpdateReview {
  const present = offerOf(installation)
  const ref = matchOffer(present, entry.server)
  const offer = ref && findOffer(entry.server, ref)
  if (ref === undefined || offer === undefined) throw nothingAlike(installation, entry)
  const { secrets: moves, dropped, added, ...carried } = carryOver(present, offer, installation)
  const values = { ...proposedFor(added, entry), ...carried.values }
  const secrets = movedPlaces(installation.secrets, moves)
  return {
    source: entry.source,
    server: entry.server,
    offer: ref,
    fromVersion: installation.server.version,
    values,
    secrets,
    dropped: [...dropped],
    added: [...added],
    changes: compareLaunches(
      {
        preview: installations.previewOf(installation),
        folder: folderOf(present),
      },
      {
        preview: installations.preview(offer, values, secrets, installation.cwd),
        folder: folderOf(offer),
      },
    ),
    revision: revisionOf(installation),
  }
}

/** Where a bundle is unpacked. */
function folderOf(offer: Offer): string | undefined {
  return offer.kind === 'package' ? offer.pkg.workingFolder : undefined
}

/** What the form of a new field starts with. */
function proposedFor(added: readonly string[], { proposed = {} }: CatalogEntry): FieldValues {
  return Object.fromEntries(Object.entries(proposed).filter(([key]) => added.includes(key)))
}

function nothingAlike({ name }: Installation, { server }: CatalogEntry): AppError {
  return new AppError(
    'UNSUPPORTED_PACKAGE',
    `Version ${server.version} of ${server.name} no longer has the package or remote that ${name} uses.`,
    { hint: 'Add the new version from the catalog, then remove this one.' },
  )
}
