import { useState } from 'react'
import { useLocation } from 'wouter'
import { useStore } from 'zustand'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import { isActive } from '../../../../src-shared/domain/running/run-status'
import type { FormField } from '../../../../src-shared/form/form-field'
import { toErrorShape } from '../../../ipc/call'
import { backAction } from '../../../server-parts/go-back'
import { useServer } from '../../../stores/app-store'
import { showToast } from '../../../ui/overlays/toast'
import { visibleText } from '../../../ui/text/visible-text'
import { fieldId, knownProblems } from '../values/field-places'
import type { FormView } from '../values/form-view'
import { reveal } from '../values/form-view'
import type { CheckedDraft } from '../values/install-values'
import { isNews } from './approval'
import type { Approval } from './send-draft'
import { sendDraft } from './send-draft'
import type { CommandBoard, InstallFormApi, InstallSubject } from './use-install-form'
import { useNavigateFromHere } from './use-navigate-from-here'

/** Which of the two buttons is at work. */
export type SubmitKind = 'save' | 'approve'

/** The two ways to finish the form, and how the last try went. */
export type Submission = {
  readonly busy: SubmitKind | null
  /** Why main refused; nothing typed is lost. */
  readonly refusal: AppErrorShape | null
  /** No command is on screen yet, so that none can be approved. */
  readonly isUnseen: boolean
  /** The server runs, so that approving restarts it. */
  readonly isRunning: boolean
  readonly submit: (kind: SubmitKind) => void
  readonly dismiss: () => void
}

type SubmitOptions = {
  readonly subject: InstallSubject
  readonly form: InstallFormApi
  readonly view: FormView
  /** In the order of the page. */
  readonly fields: readonly FormField[]
  readonly board: CommandBoard
  /** Called before the page is left; gives the place that the person asked for meanwhile. */
  readonly onDone: () => string | null
}

const CHANGED: AppErrorShape = {
  code: 'CONSENT_REQUIRED',
  message: 'The command is not the one that was shown.',
  hint: 'Read it as it is now, then approve again.',
}

const IDLE = { busy: null, refusal: null } as const

/** Puts the problems that main found at their fields and leads to the first. */
function showProblems(
  { form, view }: Pick<SubmitOptions, 'form' | 'view'>,
  problems: readonly { readonly fieldKey: string; readonly message: string }[],
): void {
  for (const { fieldKey, message } of problems)
    form.setError(`values.${fieldKey}`, { type: 'main', message })
  const [first] = problems
  if (first) reveal(view, fieldId(first.fieldKey))
}

function savedSentence(name: string, isRunning: boolean): string {
  return `${name} is saved.${isRunning ? ' Restart it to apply what changed.' : ''}`
}

function updatedSentence(name: string, version: string, waits: boolean): string {
  const what = `${name} is updated to ${visibleText(version)}.`
  return waits ? `${what} Restart it to run that.` : what
}

/** Checks and sends the form; approval is bound to a preview of the very values that are sent. */
export function useSubmit(options: SubmitOptions): Submission {
  const { subject, form, view, fields, board, onDone } = options
  const [state, setState] = useState<Pick<Submission, 'busy' | 'refusal'>>(IDLE)
  const navigate = useNavigateFromHere()
  const [, navigateAnywhere] = useLocation()
  const server = useServer(subject.installationId ?? '')
  const isRunning = server !== undefined && isActive(server.status)
  const isUnseen = useStore(
    board.state,
    ({ preview, problem }) => preview === null && problem === null,
  )

  /** The plan that is approved; undefined where it has to be read or mended first, which is shown then. */
  async function approve(draft: CheckedDraft): Promise<Approval | undefined> {
    const seen = board.state.getState().preview
    const { values, sharedSecrets, cwd } = draft
    const plan = await board.refresh({ values, sharedSecrets, cwd })
    const isFine = plan.problems.length === 0
    if (isFine && !isNews(seen, plan)) return { planHash: plan.planHash, starts: true }
    setState(isFine ? { busy: null, refusal: CHANGED } : IDLE)
    showProblems(options, plan.problems)
    return undefined
  }

  async function finish(draft: CheckedDraft, kind: SubmitKind): Promise<void> {
    setState({ busy: kind, refusal: null })
    try {
      const approval = kind === 'approve' ? await approve(draft) : undefined
      if (kind === 'approve' && approval === undefined) return
      const { installationId, left } = await sendDraft(subject, draft, approval)
      const wanted = onDone()
      const starts = approval?.starts === true
      if (left !== undefined) {
        const message = updatedSentence(draft.name, subject.server.version, isRunning && !starts)
        const server = { installationId, name: draft.name, navigate: navigateAnywhere }
        showToast({ message, ...backAction(server, left) })
      }
      // A new or a started server tells of itself on its page.
      else if (!starts && subject.installationId !== undefined)
        showToast({ message: savedSentence(draft.name, isRunning) })
      navigate(wanted ?? `/servers/${installationId}`)
    } catch (thrown) {
      const refusal = toErrorShape(thrown)
      setState({ busy: null, refusal })
      if (refusal.code !== 'NAME_TAKEN') return
      form.setError('name', { type: 'main', message: refusal.message })
      reveal(view, 'server-name')
    }
  }

  function submit(kind: SubmitKind): void {
    if (state.busy !== null) return
    const check = form.handleSubmit(
      // What is not yet on the screen cannot be approved; what is wrong is told all the same.
      async (draft) => {
        if (kind === 'save' || !isUnseen) await finish(draft, kind)
      },
      (errors) => {
        const [first] = knownProblems(errors, fields, form.getValues('values'))
        if (first) reveal(view, first.elementId)
      },
    )
    void check()
  }
  return { ...state, isUnseen, isRunning, submit, dismiss: () => setState(IDLE) }
}
