import { useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { isActive } from '../../../src-shared/domain/run-status'
import { call, toErrorShape } from '../../ipc/call'
import { useServer } from '../../stores/app-store'
import { showToast } from '../../ui/toast'
import type { CheckedDraft } from './install-values'
import type { InstallFormApi, InstallSubject } from './use-install-form'
import { focusControl } from './use-install-form'
import { fieldId } from './field-control'
import type { usePreview } from './use-preview'

/** Which of the two buttons is at work. */
export type SubmitKind = 'save' | 'approve'

type SubmitState = { readonly busy: SubmitKind | null; readonly refusal: AppErrorShape | null }

/** Sends a checked draft; resolves to the installation's id. */
async function send(
  subject: InstallSubject,
  draft: CheckedDraft,
  approvedPlan: string | undefined,
): Promise<string> {
  const approval = approvedPlan === undefined ? {} : { approvedPlan }
  const { installationId } = subject
  if (installationId !== undefined) {
    await call('installation.update', { installationId, ...draft, ...approval })
    if (approvedPlan !== undefined) await call('server.restart', { installationId })
    return installationId
  }
  if (!('entryId' in subject.of)) throw new Error('A new server needs a catalog entry.')
  const start = approvedPlan !== undefined
  const created = await call('installation.create', { ...subject.of, ...draft, ...approval, start })
  return created.installationId
}

function toastText(draft: CheckedDraft, kind: SubmitKind, wasActive: boolean): string {
  if (kind === 'save') return `${draft.name} is saved.`
  return wasActive ? `${draft.name} is saved and restarts.` : `${draft.name} is saved and starts.`
}

/** The two ways to finish the form; a refusal is kept to be shown and nothing typed is lost. */
export function useSubmit(options: {
  readonly subject: InstallSubject
  readonly form: InstallFormApi
  readonly refresh: ReturnType<typeof usePreview>['refresh']
  readonly onInvalid: () => void
  readonly onDone: () => void
}): SubmitState & {
  readonly submit: (kind: SubmitKind) => void
  readonly dismiss: () => void
  readonly wasActive: boolean
} {
  const { subject, form, refresh, onInvalid, onDone } = options
  const [state, setState] = useState<SubmitState>({ busy: null, refusal: null })
  const [, navigate] = useLocation()
  const server = useServer(subject.installationId ?? '')
  const wasActive = server !== undefined && isActive(server.status)

  /** The hash that is approved, or undefined when the command itself has a problem, now shown at its field. */
  async function approvalOf(draft: CheckedDraft): Promise<string | undefined> {
    const preview = await refresh(draft.values)
    const [first] = preview.problems
    if (!first) return preview.planHash
    for (const { fieldKey, message } of preview.problems)
      form.setError(`values.${fieldKey}`, { type: 'main', message })
    requestAnimationFrame(() => focusControl(fieldId(first.fieldKey)))
    return undefined
  }

  async function finish(draft: CheckedDraft, kind: SubmitKind): Promise<void> {
    setState({ busy: kind, refusal: null })
    try {
      const approved = kind === 'approve' ? await approvalOf(draft) : undefined
      if (kind === 'approve' && approved === undefined) {
        setState({ busy: null, refusal: null })
        return
      }
      const installationId = await send(subject, draft, approved)
      onDone()
      showToast({ message: toastText(draft, kind, wasActive) })
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
    if (state.busy !== null) return
    void form.handleSubmit((draft) => finish(draft, kind), onInvalid)()
  }
  return { ...state, submit, dismiss: () => setState({ busy: null, refusal: null }), wasActive }
}
