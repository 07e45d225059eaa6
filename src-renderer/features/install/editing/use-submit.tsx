import { type ReactElement, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useStore } from 'zustand'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import { isActive } from '../../../../src-shared/domain/running/run-status'
import type { RequestOutput } from '../../../../src-shared/ipc/contract'
import { rollbackAction } from '../../../components/server/actions'
import { call, toErrorShape } from '../../../ipc/call'
import { useAction } from '../../../ipc/use-request'
import { useServer } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { CodeArea, Field } from '../../../ui/fields/field'
import { Banner } from '../../../ui/layout/page'
import { Dialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import { counted } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { controlOfField, formControls, knownProblems, reveal } from '../values/form-controls'
import type { CheckedDraft } from '../values/install-values'
import type { EntrySubject, SentDraft } from './install-subject'
import type { InstallFormApi, InstallFormModel } from './use-install-form'

type SubmitKind = 'save' | 'approve' | 'check'

/** The ways to submit the form, and the result of the last attempt. */
export type Submission = {
  readonly busy: SubmitKind | null
  /** Why main rejected the draft; the input stays. */
  readonly refusal: AppErrorShape | null
  /** Whether no command is shown yet, so that none can be approved. */
  readonly isUnseen: boolean
  /** Whether the server runs, so that approval restarts it. */
  readonly isRunning: boolean
  readonly submit: (kind: SubmitKind) => void
  readonly dismiss: () => void
}

type SubmitOptions = {
  readonly model: InstallFormModel
  /** Called before leaving the page; returns the place that the user requested meanwhile. */
  readonly onDone: () => string | null
  /** Checks a server that is not installed, once its command is approved. */
  readonly onCheck: (draft: CheckedDraft, approvedPlan: string) => void
}

type Finish = { readonly draft: CheckedDraft; readonly kind: SubmitKind }

function showProblems(
  { form, fields, view }: InstallFormModel,
  problems: readonly { readonly fieldKey: string; readonly message: string }[],
): void {
  const controls = formControls(form.getValues(), fields)
  const fieldProblems = problems.flatMap(({ fieldKey, message }) => {
    const place = controlOfField(controls, fieldKey)
    return place ? [{ ...place, message }] : []
  })
  for (const { path, message } of fieldProblems) form.setError(path, { type: 'main', message })
  const [first] = fieldProblems
  if (first) reveal(view, first.elementId)
}

/** Shows a toast with what was saved; `needsRestart` if the server keeps running in its old state. */
function showSaved(
  { installationId, updated }: SentDraft,
  name: string,
  needsRestart: boolean,
  navigate: (to: string) => void,
): void {
  const what = updated ? `updated to ${visibleText(updated.version)}` : 'saved'
  const restartText = needsRestart ? ` Restart to apply ${updated ? 'the update' : 'changes'}.` : ''
  showToast({
    message: `${name} ${what}.${restartText}`,
    ...(updated && rollbackAction({ installationId, name, navigate }, updated.left)),
  })
}

/** Validates and submits the form; approval is bound to a preview of exactly the values sent. */
export function useSubmit({ model, onDone, onCheck }: SubmitOptions): Submission {
  const { subject, form, view, commandPreview, channel, fields } = model
  const { installationId: knownId } = subject
  const navigate = useNavigateFromHere()
  const [, navigateAnywhere] = useLocation()
  const server = useServer(knownId ?? '')
  const isRunning = server !== undefined && isActive(server.status)
  const isUnseen = useStore(
    commandPreview.state,
    ({ isAnswered: hasResult, problem }) => !hasResult && problem === null,
  )

  /** Returns the approved plan. Undefined if the draft has problems, which are then shown. Rejects if the plan needs a review first. */
  async function approve({
    values,
    secrets,
    cwd,
    made,
  }: CheckedDraft): Promise<string | undefined> {
    const seen = commandPreview.state.getState().preview
    const plan = await commandPreview.refresh({ values, secrets, cwd, made })
    if (plan === null || plan.problems.length > 0) {
      showProblems(model, plan?.problems ?? [])
      return undefined
    }
    const refusal = channel.reviewReason(seen, plan)
    if (refusal !== null) throw refusal
    return plan.planHash
  }

  async function send(draft: CheckedDraft, approvedPlan: string | undefined): Promise<void> {
    const sent = await channel.send(draft, approvedPlan)
    const starts = approvedPlan !== undefined
    const wanted = onDone()
    // A new or started server shows its status on its page.
    if (sent.updated !== undefined || (!starts && knownId !== undefined))
      showSaved(sent, draft.name, isRunning && !starts, navigateAnywhere)
    navigate(wanted ?? `/servers/${sent.installationId}`)
  }

  const { run, busyWith, isBusy, problem, clear } = useAction(async ({ draft, kind }: Finish) => {
    try {
      const approvedPlan = kind === 'save' ? undefined : await approve(draft)
      if (kind !== 'save' && approvedPlan === undefined) return
      if (kind === 'check' && approvedPlan !== undefined) onCheck(draft, approvedPlan)
      else await send(draft, approvedPlan)
    } catch (thrown) {
      const { code, message } = toErrorShape(thrown)
      if (code === 'NAME_TAKEN') {
        form.setError('name', { type: 'main', message })
        reveal(view, 'server-name')
      }
      throw thrown
    }
  })

  function submit(kind: SubmitKind): void {
    if (isBusy) return
    const check = form.handleSubmit(
      // A command that is not shown yet cannot be approved, but problems are reported.
      (draft) => {
        if (kind === 'save' || !isUnseen) run({ draft, kind })
      },
      (errors) => {
        const [first] = knownProblems(errors, formControls(form.getValues(), fields))
        if (first) reveal(view, first.elementId)
      },
    )
    void check()
  }
  const busy = busyWith?.kind ?? null
  return { busy, refusal: problem ?? null, isUnseen, isRunning, submit, dismiss: clear }
}

/** Returns a navigate function that does nothing once the user has left this page. */
function useNavigateFromHere(): (to: string) => void {
  const [, navigate] = useLocation()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return (to) => {
    if (isHere.current) navigate(to)
  }
}

type LegacyDialogProps = {
  readonly onClose: () => void
  readonly subject: EntrySubject
  readonly form: InstallFormApi
  readonly onLeave: () => void
}

type LegacyValues = RequestOutput<'installation.readLegacy'>

const EXAMPLE = '{"package_args": {"root": "/home/mara/notes,/home/mara/team"}}'

function answerText({ values, unknown }: LegacyValues): string {
  const count = Object.keys(values).length
  const found = `${counted(count, 'value')} found.`
  if (unknown.length === 0) return found
  return `${found} Ignored because this server has no such field: ${unknown.join(', ')}.`
}

/** Reads an older configuration: fills in the form, or adds the server unchanged. */
export function LegacyDialog({ onClose, subject, form, onLeave }: LegacyDialogProps): ReactElement {
  const { of } = subject
  const isNew = subject.installationId === undefined
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [legacyValues, setLegacyValues] = useState<LegacyValues | null>(null)
  const { run, clear, busyWith, problem } = useAction(async (use: 'fill' | 'add') => {
    setLegacyValues(null)
    const read = await call('installation.readLegacy', { of, text })
    if (use === 'fill') fill(read)
    else if ('entryId' in of) {
      const { name } = form.getValues()
      const made = { ...of, name, values: read.values, start: true, asItIs: true }
      const { installationId } = await call('installation.create', made)
      onLeave()
      navigate(`/servers/${installationId}`)
    }
  })
  function fill(read: LegacyValues): void {
    setLegacyValues(read)
    for (const [key, value] of Object.entries(read.values))
      form.setValue(`values.${key}`, value, { shouldDirty: true })
    // If names were ignored, the dialog stays open to list them.
    if (read.unknown.length === 0) onClose()
  }
  function change(next: string): void {
    setText(next)
    setLegacyValues(null)
    clear()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Paste values"
      description="Paste an older configuration of this server. Comma-separated text becomes several values."
      actions={
        <>
          <Button size="form" onClick={onClose}>
            {legacyValues === null ? 'Cancel' : 'Close'}
          </Button>
          {isNew && (
            <Button size="form" busy={busyWith === 'add'} onClick={() => run('add')}>
              Add as is
            </Button>
          )}
          <Button
            size="form"
            variant="primary"
            busy={busyWith === 'fill'}
            onClick={() => run('fill')}
          >
            Fill form
          </Button>
        </>
      }
    >
      <div className="mt-4 grid gap-3">
        <Field id="legacy-text" label="Configuration" problem={problem?.message}>
          {(ids) => (
            <CodeArea
              {...ids}
              autoFocus
              placeholder={EXAMPLE}
              value={text}
              onValueChange={change}
            />
          )}
        </Field>
        {problem?.hint === undefined ? null : <p>{problem.hint}</p>}
        {legacyValues && (
          <Banner role="status" severity={legacyValues.unknown.length > 0 ? 'warn' : 'info'}>
            {answerText(legacyValues)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
