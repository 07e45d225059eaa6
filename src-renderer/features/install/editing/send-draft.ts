import type { EarlierVersionRef } from '../../../../src-shared/domain/installation/earlier-version'
import { call } from '../../../ipc/call'
import type { CheckedDraft } from '../values/install-values'
import type { InstallSubject } from './use-install-form'

/** What the person approved with a draft, and whether it can be started. */
export type Approval = { readonly planHash: string; readonly starts: boolean }

/** What was saved, and what is kept of the version before where it is an update. */
export type SentDraft = {
  readonly installationId: string
  readonly left?: EarlierVersionRef | null
}

/** Sends a checked draft, and starts it where it was approved and can be started. */
export async function sendDraft(
  { of, installationId, revision }: InstallSubject,
  draft: CheckedDraft,
  approval: Approval | undefined,
): Promise<SentDraft> {
  const approvedPlan = approval?.planHash
  const start = approval?.starts ?? false
  if ('entryId' in of && 'installationId' in of) {
    const update = { ...of, ...draft, approvedPlan, revision, start }
    const { earlier } = await call('update.apply', update)
    return { installationId: of.installationId, left: earlier }
  }
  if ('entryId' in of) {
    return call('installation.create', {
      ...of,
      ...draft,
      approvedPlan,
      start,
    })
  }
  const id = installationId ?? of.installationId
  await call('installation.update', { installationId: id, ...draft, approvedPlan, revision, start })
  return { installationId: id }
}
