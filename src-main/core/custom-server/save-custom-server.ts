import { AppError } from '../../../src-shared/domain/app-error'
import type { CustomServerDraft } from '../../../src-shared/domain/installation/custom-server'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { toServerJson } from '../../../src-shared/form/custom-server'
import { problemsOfCustomServer } from '../../../src-shared/form/custom-server-problems'
import type { InstallationService } from '../installation/installation-service'
import { placesOfCustomServer } from './preview-custom-server'
import { tooLongProblems } from './too-long'

/** A draft that is to be saved. */
export type CustomServerSave = CustomServerDraft & {
  /** The hash of the preview that the user approved. */
  readonly approvedPlan?: string | undefined
  /** Of what the user saw; missing: not checked. */
  readonly revision?: string | undefined
  /** Enabled once it is saved; a server that is there keeps being so. */
  readonly enabled: boolean
  /** Secrets may be missing. */
  readonly asItIs: boolean
  /** Which of its tools agents are shown; all where it is missing. A server that is there keeps its own. */
  readonly toolChoice?: SavedToolChoice
}

/** Saves a server that a user made: a new one, or `old` with other parts. Rejects with INVALID_VALUES, with NOT_FOUND where `old` was not made manually, and as `InstallationService.create` and `upgrade` do. */
export async function saveCustomServerDraft(
  installations: InstallationService,
  save: CustomServerSave,
  old: Installation | undefined,
): Promise<Installation> {
  if (old && old.source !== 'hand') {
    throw new AppError('NOT_FOUND', `${old.name} was not added manually.`, {
      hint: 'Change it with its own form.',
    })
  }
  // What is pasted says so before it is added, and is corrected in its form.
  const tooLong = save.asItIs ? [] : tooLongProblems(save.made)
  const [problem] = [...problemsOfCustomServer(save.made), ...tooLong]
  if (problem) {
    throw new AppError('INVALID_VALUES', `Not saved. ${problem.label}: ${problem.message}`, {
      hint: 'Correct the field, then save again.',
    })
  }
  const hand = toServerJson(save.made)
  const entry = { source: 'hand', server: hand.server } as const
  const { name, cwd, budgets, protocol } = save
  const { values, secrets } = hand
  const draft = { name, cwd, budgets, protocol, values, secrets }
  if (old === undefined) {
    const { approvedPlan, asItIs, enabled, toolChoice } = save
    const options = { asItIs, enabled, toolChoice }
    return installations.create(entry, hand.ref, { ...draft, approvedPlan }, options)
  }
  const now = installations.preview(hand.offer, hand.values, placesOfCustomServer(hand, old), cwd)
  // What was approved stays so as long as the same would run.
  const approved = now.planHash === old.approvedPlan ? old.approvedPlan : undefined
  const approvedPlan = save.approvedPlan ?? approved
  const { installationId } = old
  await installations.upgrade(
    installationId,
    entry,
    hand.ref,
    { ...draft, approvedPlan, revision: save.revision },
    hand.kept,
  )
  return installations.read(installationId)
}
