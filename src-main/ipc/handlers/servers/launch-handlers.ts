import { AppError } from '../../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type { SecretPlaces } from '../../../../src-shared/domain/installation/secret-place'
import {
  findOffer,
  type Offer,
  type OfferRef,
} from '../../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../../src-shared/form/carry-over'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import type { ParsedInput } from '../../../../src-shared/ipc/contract/contract'
import type { Catalog } from '../../../core/catalog/catalog'
import { copyCommand } from '../../../core/installation/copy-command'
import { readLegacyValues } from '../../../core/installation/import-legacy'
import type { InstallationService } from '../../../core/installation/installation-service'
import { offerOf } from '../../../core/installation/installation-service'
import { movedPlaces } from '../../../core/installation/secrets/move-secrets'
import { placeSecrets, splitSecrets } from '../../../core/installation/secrets/split-secrets'
import { folderWarnings } from '../../../core/launch/paths/folder-warnings'
import type { Handlers } from '../../answer'

export type LaunchParts = {
  readonly catalog: Catalog
  readonly installations: InstallationService
}

type Typed = Pick<ParsedInput<'launch.preview'>, 'of' | 'values' | 'secrets'>
type OfferQuestion = Typed['of']

/** Answers what a form asks while it is filled in; nothing is kept. */
export function launchHandlers({
  catalog,
  installations,
}: LaunchParts): Pick<
  Handlers,
  Extract<keyof Handlers, `launch.${string}`> | 'installation.readLegacy'
> {
  const offerAt = async (of: OfferQuestion): Promise<Offer> =>
    'entryId' in of
      ? offerIn(await catalog.find(of.entryId), of.offer)
      : offerOf(installations.read(of.installationId))
  /** Where the secrets are with what was typed; of another version, those that keep their field. */
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
  }
}

/** The offer of an entry that a reference names. Throws UNSUPPORTED_PACKAGE. */
export function offerIn(entry: CatalogEntry, ref: OfferRef): Offer {
  const found = findOffer(entry.server, ref)
  if (found) return found
  throw new AppError('UNSUPPORTED_PACKAGE', `${entry.server.name} has no such ${ref.kind}.`, {
    hint: 'Choose another package or another entry of the catalog.',
  })
}
