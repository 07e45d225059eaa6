import { openText } from '../../../../src-shared/domain/installation/custom-server'
import type { OpenedInstallation } from '../../../../src-shared/domain/installation/installation'
import type {
  PhaseBudgets,
  ProtocolOptions,
} from '../../../../src-shared/domain/installation/installation'
import { chosenPlaces } from '../../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { findOffer, type Offer } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import { segmentsOf } from '../../../../src-shared/form/custom-server-parts'
import type { RequestInput } from '../../../../src-shared/ipc/contract'
import type { CustomServerFieldParts } from '../values/hand-parts'
import { editedParts } from '../values/hand-parts'
import { isWebAddress } from '../values/web-address'

/** What every form begins with. */
type Beginning = {
  /** Set for an installation. */
  readonly installationId?: string
  /** The hash of the plan that the user approved before. */
  readonly approvedPlan?: string | undefined
  /** Set for an installation: what this page was made of. */
  readonly revision?: string
  readonly name: string
  readonly values: FieldValues
  /** Where the secrets of its fields are. */
  readonly secrets: OpenedInstallation['secrets']
  readonly budgets: PhaseBudgets
  readonly protocol?: ProtocolOptions | undefined
  /** Empty for the home folder. */
  readonly cwd: string
}

/** A new copy of a catalog entry, an installation with its saved secrets, or one in another version. */
export type EntrySubject = Beginning & {
  readonly of: RequestInput<'launch.preview'>['of']
  readonly server: ServerJson
  readonly offer: Offer
}

/** A server made manually, whose form holds its parts instead of fields. */
export type CustomServerSubject = Beginning & { readonly parts: CustomServerFieldParts }

/** What the form fills in. */
export type InstallSubject = EntrySubject | CustomServerSubject

/**
 * A new manual server; `like` is one whose parts it starts with, without the secrets that are saved for that one alone; `url` is
 * the address of one over HTTP.
 */
export function newCustomServer(
  name: string,
  like?: OpenedInstallation,
  url?: string,
): CustomServerSubject {
  const { budgets = {}, protocol, cwd = '' } = like ?? {}
  const made =
    like?.source === 'hand'
      ? segmentsOf(like.server, like.offer, chosenPlaces(like.secrets))
      : undefined
  const parts = editedParts(made)
  const isRemote = url !== undefined && isWebAddress(url)
  return {
    ...{ name, values: {}, secrets: {}, budgets, protocol, cwd },
    parts: isRemote ? { ...parts, kind: 'address', url: openText(url) } : parts,
  }
}

/** What an installation is; undefined when it has nothing to run any more. */
export function subjectOf(installation: OpenedInstallation): InstallSubject | undefined {
  const { installationId, approvedPlan, revision, name, server, offer: ref } = installation
  const { values, secrets, budgets, protocol, cwd = '' } = installation
  const begun = { installationId, approvedPlan, revision, name, budgets, protocol, cwd }
  if (installation.source === 'hand') {
    const made = segmentsOf(server, ref, secrets)
    return made && { ...begun, values: {}, secrets: {}, parts: editedParts(made) }
  }
  const offer = findOffer(server, ref)
  return offer && { ...begun, values, secrets, of: { installationId }, server, offer }
}
