import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'

/** Where a form stands when it is about to be finished. */
export type ConsentCase = {
  /** Null while there is no preview yet. */
  readonly preview: LaunchPreview | null
  /** The hash of the plan that the user approved before. */
  readonly approvedPlan: string | undefined
  readonly isNew: boolean
  readonly isRunning: boolean
}

/** The sentences and the two buttons at the foot of a form. */
export type ConsentWords = {
  readonly sentence: string
  readonly detail: string | undefined
  readonly save: string
  readonly approve: string
}

/** What is consented to, in words that fit what would happen. */
export function consentWords(where: ConsentCase): ConsentWords {
  const { preview, approvedPlan, isNew, isRunning } = where
  const isApproved = preview !== null && preview.planHash === approvedPlan
  const consent = isApproved ? 'Save' : 'Approve'
  const common = {
    sentence: isApproved ? approvedSentence(preview) : newSentence(preview),
    save: isNew ? 'Save for later' : isRunning ? 'Save only' : 'Save',
  }
  return {
    ...common,
    detail: isRunning ? 'Restart the server to apply changes.' : undefined,
    approve: `${consent} and ${isRunning ? 'restart' : preview?.kind === 'remote' ? 'connect' : 'start'}`,
  }
}

function newSentence(preview: LaunchPreview | null): string {
  if (preview?.kind === 'remote')
    return 'Patchbay will connect to exactly this address with these headers.'
  return 'Patchbay will run exactly this command with your user permissions.'
}

function approvedSentence(preview: LaunchPreview | null): string {
  return preview?.kind === 'remote'
    ? 'You already approved this address.'
    : 'You already approved this exact command.'
}
