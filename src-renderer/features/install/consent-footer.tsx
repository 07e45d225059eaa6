import { ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFormState } from 'react-hook-form'
import { useStore } from 'zustand'

import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { Button } from '../../ui/controls/button'
import { ActionBar } from '../../ui/layout/section'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import type { Submission } from './editing/use-submit'
import { useFormModel } from './fields/field-context'
import { formControls, knownProblems, reveal } from './values/form-controls'

/** The consent text, the problems that block it, and the buttons; rerenders when problems or the preview change. */
export function ConsentFooter(props: {
  readonly submission: Submission
  /** Whether the server can be checked before installation, and whether the user came for that. */
  readonly check: 'no' | 'can' | 'wanted'
}): ReactElement {
  const { submission, check } = props
  const { subject, form, control, commandPreview, fields, view } = useFormModel()
  const preview = useStore(commandPreview.state, (state) => state.preview)
  const { errors } = useFormState({ control })
  const problems = knownProblems(errors, formControls(form.getValues(), fields))
  const { busy, refusal, isUnseen, isRunning, submit, dismiss } = submission
  const { approvedPlan, installationId } = subject
  const isNew = installationId === undefined
  const text = consentText({ preview, approvedPlan, isNew, isRunning })
  const [first] = problems
  const isBarred = first !== undefined
  const main = check === 'wanted' ? 'check' : 'approve'
  const consenting = (kind: 'approve' | 'check', label: string): ReactElement => (
    <Button
      size="form"
      variant={kind === main ? 'primary' : kind === 'check' ? 'quiet' : undefined}
      busy={busy === kind}
      aria-disabled={isUnseen || isBarred || undefined}
      aria-describedby={isBarred ? 'why-not' : undefined}
      aria-keyshortcuts={kind === main ? 'Control+Enter' : undefined}
      onClick={() => submit(kind)}
    >
      {label}
    </Button>
  )
  return (
    <ActionBar label="Consent" problem={refusal} onDismiss={dismiss}>
      <ShieldCheck className="icon text-muted" aria-hidden />
      <div className="min-w-0 flex-1 text-pretty">
        <p className="text-muted">
          <b className="block text-foreground">{text.message}</b>
          {text.detail}
        </p>
        {first && (
          <p className="problem flex gap-2 text-muted" id="why-not">
            <StatusGlyph status="error" />
            <span>
              Correct{' '}
              <button
                type="button"
                className="text-button bare underlined text-accent"
                onClick={() => reveal(view, first.elementId)}
              >
                {first.label}
              </button>
              {problems.length > 1 ? ` and ${problems.length - 1} more` : ''} before you approve.
            </span>
          </p>
        )}
      </div>
      {check === 'can' && consenting('check', 'Approve and check')}
      <Button size="form" busy={busy === 'save'} onClick={() => submit('save')}>
        {text.save}
      </Button>
      {consenting('approve', text.approve)}
      {check === 'wanted' && consenting('check', 'Approve and check')}
    </ActionBar>
  )
}

const MESSAGES = {
  command: {
    unseen: 'Patchbay will run exactly this command with your user permissions.',
    approved: 'You already approved this exact command.',
  },
  remote: {
    unseen: 'Patchbay will connect to exactly this address with these headers.',
    approved: 'You already approved this address.',
  },
} as const

/** Returns the consent text for the current case, and the labels of the two buttons. */
export function consentText(where: {
  /** Null until the first preview. */
  readonly preview: LaunchPreview | null
  /** Hash of the plan that the user approved before. */
  readonly approvedPlan: string | undefined
  readonly isNew: boolean
  readonly isRunning: boolean
}): Record<'message' | 'save' | 'approve', string> & { readonly detail: string | undefined } {
  const { preview, approvedPlan, isNew, isRunning } = where
  const isApproved = preview !== null && preview.planHash === approvedPlan
  const step = isRunning ? 'restart' : preview?.kind === 'remote' ? 'connect' : 'start'
  return {
    message: MESSAGES[preview?.kind ?? 'command'][isApproved ? 'approved' : 'unseen'],
    detail: isRunning ? 'Restart the server to apply changes.' : undefined,
    save: isNew ? 'Save for later' : isRunning ? 'Save only' : 'Save',
    approve: `${isApproved ? 'Save' : 'Approve'} and ${step}`,
  }
}
