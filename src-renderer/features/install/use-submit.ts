import { useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { isActive } from '../../../src-shared/domain/run-status'
import type { FormField } from '../../../src-shared/form/form-field'
import { call, toErrorShape } from '../../ipc/call'
import { useServer } from '../../stores/app-store'
import { showToast } from '../../ui/toast'
import { isNews } from './approval'
import { fieldId, focusControl, knownProblems } from './field-places'
import type { CheckedDraft } from './install-values'
import type { InstallFormApi, InstallSubject } from './use-install-form'
import type { CommandQuestion } from './use-preview'

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
  /** In the order of the page. */
  readonly fields: readonly FormField[]
  readonly command: CommandQuestion
  /** Called before the page is left. */
  readonly onDone: () => void
}

const CHANGED: AppErrorShape = {
  code: 'CONSENT_REQUIRED',
  message: 'The command is not the one that was shown.',
  hint: 'Read it as it is now, then approve again.',
}

const IDLE = { busy: null, refusal: null } as const

/** Sends a checked draft; resolves to the installation's id. */
async function send(
  { of, installationId }: InstallSubject,
  draft: CheckedDraft,
  approvedPlan: string | undefined,
): Promise<string> {
  if ('entryId' in of) {
    const start = approvedPlan !== undefined
    const created = await call('installation.create', { ...of, ...draft, approvedPlan, start })
    return created.installationId
  }
  const id = installationId ?? of.installationId
  await call('installation.update', { installationId: id, ...draft, approvedPlan })
  if (approvedPlan !== undefined) await call('server.restart', { installationId: id })
  return id
}

/** Puts the problems that main found at their fields and leads to the first. */
function showProblems(
  form: InstallFormApi,
  problems: readonly { readonly fieldKey: string; readonly message: string }[],
): void {
  for (const { fieldKey, message } of problems)
    form.setError(`values.${fieldKey}`, { type: 'main', message })
  const [first] = problems
  if (first) requestAnimationFrame(() => focusControl(fieldId(first.fieldKey)))
}

/** Checks and sends the form; approval is bound to a preview of the very values that are sent. */
export function useSubmit(options: SubmitOptions): Submission {
  const { subject, form, fields, command, onDone } = options
  const [state, setState] = useState<Pick<Submission, 'busy' | 'refusal'>>(IDLE)
  const [, navigate] = useLocation()
  const server = useServer(subject.installationId ?? '')
  const isRunning = server !== undefined && isActive(server.status)
  const isUnseen = command.preview === null && command.problem === null

  async function finish(draft: CheckedDraft, kind: SubmitKind): Promise<void> {
    setState({ busy: kind, refusal: null })
    try {
      const plan = kind === 'approve' ? await command.refresh(draft.values, draft.cwd) : undefined
      if (plan && plan.problems.length > 0) {
        setState(IDLE)
        showProblems(form, plan.problems)
        return
      }
      if (plan && isNews(command.preview, plan)) {
        setState({ busy: null, refusal: CHANGED })
        return
      }
      const installationId = await send(subject, draft, plan?.planHash)
      onDone()
      // A new or a started server tells of itself on its page.
      if (kind === 'save' && subject.installationId !== undefined) {
        showToast({
          message: `${draft.name} is saved.${isRunning ? ' Restart it to use the new values.' : ''}`,
        })
      }
      navigate(`/servers/${installationId}`)
    } catch (thrown) {
      const refusal = toErrorShape(thrown)
      setState({ busy: null, refusal })
      if (refusal.code !== 'NAME_TAKEN') return
      form.setError('name', { type: 'main', message: refusal.message })
      focusControl('server-name')
    }
  }

  function submit(kind: SubmitKind): void {
    if (state.busy !== null || (kind === 'approve' && isUnseen)) return
    const check = form.handleSubmit(
      (draft) => finish(draft, kind),
      (errors) => {
        const [first] = knownProblems(errors, fields, form.getValues('values'))
        // After the next drawing, when the problem stands at its field.
        requestAnimationFrame(() => first && focusControl(first.elementId))
      },
    )
    void check()
  }
  return { ...state, isUnseen, isRunning, submit, dismiss: () => setState(IDLE) }
}
