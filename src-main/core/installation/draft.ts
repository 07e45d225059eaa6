import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { PhaseBudgets } from '../../../src-shared/domain/installation/installation'
import type { SharedSecrets } from '../../../src-shared/domain/installation/stored-secret'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'

/** What of a catalog entry an installation is made of. */
export type SetUpEntry = Pick<CatalogEntry, 'server' | 'source' | 'sourceId' | 'proposed'>

/** What the person typed about one installation. */
export type Draft = {
  readonly name: string
  readonly values: FieldValues
  /** The fields that use a stored secret; missing: those that did before. */
  readonly sharedSecrets?: SharedSecrets | undefined
  readonly budgets: PhaseBudgets
  /** Absolute folder to run in; empty or missing for the home folder. */
  readonly cwd?: string | undefined
  /** The hash of the preview that the person approved. */
  readonly approvedPlan?: string | undefined
  /** Of what the person saw; missing: not checked. */
  readonly revision?: string | undefined
}
