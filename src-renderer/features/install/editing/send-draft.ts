import { call } from '../../../ipc/call'
import type { CheckedDraft } from '../values/install-values'
import type { InstallSubject } from './use-install-form'

/** What the person approved with a draft, and whether it can be started. */
export type Approval = { readonly planHash: string; readonly starts: boolean }

/** Sends a checked draft, and starts it where it was approved and can be started; resolves to the installation's id. */
export async function sendDraft(
  { of, installationId, revision }: InstallSubject,
  draft: CheckedDraft,
  approval: Approval | undefined,
): Promise<string> {
  const approvedPlan = approval?.planHash
  const start = approval?.starts ?? false
  if ('entryId' in of && 'installationId' in of) {
    await call('update.apply', { ...of, ...draft, approvedPlan, revision, start })
    return of.installationId
  }
  if ('entryId' in of) {
    const created = await call('installation.create', {
      ...of,
      ...draft,
      approvedPlan,
      start,
    })
    return created.installationId
  }
  const id = installationId ?? of.installationId
  await call('installation.update', { installationId: id, ...draft, approvedPlan, revision, start })
  return id
}
