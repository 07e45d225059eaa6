import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretPlaces } from '../../../src-shared/domain/installation/secret-place'
import { findOffer, type Offer, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../src-shared/form/carry-over'
import { toServerJson } from '../../../src-shared/form/custom-server'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import type { Catalog } from '../../core/catalog/catalog'
import { copyCommand } from '../../core/installation/copy-command'
import { placesOfCustomServer, previewCustomServer } from '../../core/installation/custom-server'
import { readLegacyValues } from '../../core/installation/import-legacy'
import { type InstallationService, offerOf } from '../../core/installation/installation-service'
import { movedPlaces } from '../../core/installation/secrets/move-secrets'
import { placeSecrets, splitSecrets } from '../../core/installation/secrets/move-secrets'
import { folderWarnings } from '../../core/launch/paths/check-path'
import type { HandlersOf } from '../../ipc/answer'

type Typed = Pick<ParsedInput<'launch.preview'>, 'of' | 'values' | 'secrets'>
type OfferSource = Typed['of']

type FormHandlers = HandlersOf<'launch'> &
  Pick<
    HandlersOf<'installation' | 'customServer'>,
    'installation.readLegacy' | 'customServer.preview' | 'customServer.shellText'
  >

/** Returns the handlers that a form needs while it is filled in; they store nothing. */
export function formHandlers(catalog: Catalog, installations: InstallationService): FormHandlers {
  const offerAt = async (of: OfferSource): Promise<Offer> =>
    'entryId' in of
      ? offerIn(await catalog.find(of.entryId), of.offer)
      : offerOf(installations.read(of.installationId))
  /** Returns the secrets' places including the typed ones; for another version, only of fields that are kept. */
  const placesWith = ({ of, values, secrets }: Typed, offer: Offer): SecretPlaces => {
    const fields = fieldsOfOffer(offer)
    const old = 'installationId' in of ? installations.read(of.installationId) : undefined
    const before = old ? movedPlaces(old.secrets, carryOver(offerOf(old), offer, old).secrets) : {}
    return placeSecrets(fields, before, splitSecrets(fields, values), secrets)
  }
  return {
    'launch.preview': async ({ cwd, ...typed }) => {
      const offer = await offerAt(typed.of)
      const preview = installations.preview(offer, typed.values, placesWith(typed, offer), cwd)
      return { ...preview, warnings: [...preview.warnings, ...(await folderWarnings(cwd))] }
    },
    'launch.shellText': async ({ cwd, shell, ...typed }) => {
      const offer = await offerAt(typed.of)
      const secrets = placesWith(typed, offer)
      return copyCommand({ offer, values: typed.values, secrets, cwd }, shell)
    },
    'installation.readLegacy': async ({ of, text }) =>
      readLegacyValues(fieldsOfOffer(await offerAt(of)), text),
    ...customServerHandlers(installations),
  }
}

function customServerHandlers(installations: InstallationService) {
  const present = (id: string | undefined): Installation | undefined =>
    id === undefined ? undefined : installations.read(id)
  return {
    'customServer.preview': async ({ installationId, server, cwd }) => {
      const { preview, problems } = previewCustomServer(
        installations,
        server,
        cwd,
        present(installationId),
      )
      if (preview === null) return { preview, problems }
      const warnings = [...preview.warnings, ...(await folderWarnings(cwd))]
      return { preview: { ...preview, warnings }, problems }
    },
    'customServer.shellText': ({ installationId, server, cwd, shell }) => {
      const custom = toServerJson(server)
      const { offer, values } = custom
      const secrets = placesOfCustomServer(custom, present(installationId))
      return copyCommand({ offer, values, secrets, cwd }, shell)
    },
  } satisfies Partial<FormHandlers>
}

/** Returns the offer of an entry that a reference names. Throws UNSUPPORTED_PACKAGE. */
export function offerIn(entry: CatalogEntry, ref: OfferRef): Offer {
  const found = findOffer(entry.server, ref)
  if (found) return found
  throw new AppError('UNSUPPORTED_PACKAGE', `${entry.server.name} has no such ${ref.kind}.`, {
    hint: 'Choose another package or another entry of the catalog.',
  })
}
