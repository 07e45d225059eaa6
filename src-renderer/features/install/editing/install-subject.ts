import type { OpenedInstallation } from '../../../../src-shared/domain/installation/installation'
import type { PhaseBudgets } from '../../../../src-shared/domain/installation/installation'
import type { SharedSecrets } from '../../../../src-shared/domain/installation/stored-secret'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { findOffer, type Offer } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import { partsOfHand } from '../../../../src-shared/form/by-hand-parts'
import type { RequestInput } from '../../../../src-shared/ipc/contract/contract'
import type { HandParts } from '../values/hand-parts'
import { editedParts } from '../values/hand-parts'

/** What every form begins with. */
type Beginning = {
  /** Set for an installation. */
  readonly installationId?: string
  /** The hash of the plan that the person approved before. */
  readonly approvedPlan?: string | undefined
  /** Set for an installation: what this page was made of. */
  readonly revision?: string
  readonly name: string
  readonly values: FieldValues
  readonly savedSecrets: readonly string[]
  /** The stored secrets that fields use; missing for none. */
  readonly sharedSecrets?: SharedSecrets
  readonly budgets: PhaseBudgets
  /** Empty for the home folder. */
  readonly cwd: string
}

/** A new copy of a catalog entry, an installation with its saved secrets, or one in another version. */
export type EntrySubject = Beginning & {
  readonly of: RequestInput<'launch.preview'>['of']
  readonly server: ServerJson
  readonly offer: Offer
}

/** A server made by hand, whose form holds its parts instead of fields. */
export type HandSubject = Beginning & { readonly parts: HandParts }

/** What the form fills in. */
export type InstallSubject = EntrySubject | HandSubject

/** A new server made by hand; `like` is one whose parts it starts with, without the secrets that are saved for that one alone. */
export function newHand(name: string, like?: OpenedInstallation): HandSubject {
  const { budgets = {}, cwd = '' } = like ?? {}
  const made =
    like?.source === 'hand'
      ? partsOfHand(like.server, like.offer, { ...like, secretKeys: [] })
      : undefined
  return { name, values: {}, savedSecrets: [], budgets, cwd, parts: editedParts(made) }
}

/** What an installation is; undefined when it has nothing to run any more. */
export function subjectOf(installation: OpenedInstallation): InstallSubject | undefined {
  const { installationId, approvedPlan, revision, name, server, offer: ref } = installation
  const { values, secretKeys, sharedSecrets, budgets, cwd = '' } = installation
  const begun = { installationId, approvedPlan, revision, name, budgets, cwd }
  if (installation.source === 'hand') {
    const made = partsOfHand(server, ref, installation)
    return made && { ...begun, values: {}, savedSecrets: [], parts: editedParts(made) }
  }
  const offer = findOffer(server, ref)
  const filled = { values, savedSecrets: secretKeys, sharedSecrets }
  return offer && { ...begun, ...filled, of: { installationId }, server, offer }
}
