import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type {
  Installation,
  PhaseBudgets,
  ProtocolOptions,
} from '../../../src-shared/domain/installation/installation'
import type { SecretPlaces } from '../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'

/** What of a catalog entry an installation is made of. */
export type SetUpEntry = Pick<CatalogEntry, 'server' | 'source' | 'sourceId' | 'proposed'>

/** What a start reads of an installation, as one save left it. */
export type ReadForStart = {
  readonly installation: Installation
  /** By field. */
  readonly secrets: ReadonlyMap<string, string>
  /** Those that an earlier version alone has: they are to be hidden too. */
  readonly keptSecrets: readonly string[]
}

/** What the user typed about one installation. */
export type Draft = {
  readonly name: string
  readonly values: FieldValues
  /** Where the secrets that are not typed are; missing: where they were before. */
  readonly secrets?: SecretPlaces | undefined
  readonly budgets: PhaseBudgets
  /** Missing: as it was before. */
  readonly protocol?: ProtocolOptions | undefined
  /** Absolute folder to run in; empty or missing for the home folder. */
  readonly cwd?: string | undefined
  /** The hash of the preview that the user approved. */
  readonly approvedPlan?: string | undefined
  /** Of what the user saw; missing: not checked. */
  readonly revision?: string | undefined
}
