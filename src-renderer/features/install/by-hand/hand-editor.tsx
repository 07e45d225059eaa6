import './by-hand.css'

import type { ReactElement } from 'react'
import { useEffect, useState } from 'react'

import type { HandProblem, HandSpot } from '../../../../src-shared/domain/installation/by-hand'
import type { ShellKind, ShellText } from '../../../../src-shared/domain/installation/command-text'
import { serverOfHand } from '../../../../src-shared/form/by-hand-server'
import type { LeaveGuard } from '../../../frame/use-leave-guard'
import { useLeaveGuard } from '../../../frame/use-leave-guard'
import { call } from '../../../ipc/call'
import { useApp } from '../../../stores/app-store'
import type { Crumb } from '../../../ui/layout/page'
import { keepFocus } from '../../../ui/layout/page'
import { ConsentFoot } from '../editing/consent-foot'
import { consentWords } from '../editing/consent-words'
import { EditorColumn, EditorFrame } from '../editing/editor-frame'
import { useTakenNames } from '../editing/use-install-form'
import type { Submission } from '../editing/use-submit'
import { CommandPreview } from '../preview/command-preview'
import { focusControl } from '../values/field-places'
import { isFullPath } from '../values/install-values'
import { HandFields } from './hand-fields'
import { type HandForm, madeOf } from './hand-form'
import { elementOfSpot, problemsOfForm, spotOfRow } from './hand-problems'
import { type HandQuestion, useHandPreview } from './use-hand-preview'
import { useHandSubmit } from './use-hand-submit'

type HandEditorProps = {
  readonly initial: HandForm
  /** Set for a server that is there. */
  readonly installationId?: string
  /** What this page was made of; set with `installationId`. */
  readonly revision?: string
  readonly approvedPlan?: string | undefined
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** The field of the form that is focused when the page opens. */
  readonly fieldKey?: string | undefined
}

/** The one place where the editor's parts come together. */
type HandDesk = {
  readonly form: HandForm
  readonly change: (change: Partial<HandForm>) => void
  readonly isDirty: boolean
  readonly guard: LeaveGuard
  readonly board: ReturnType<typeof useHandPreview>
  /** What the preview answers. */
  readonly question: HandQuestion
  readonly submission: Submission
  /** The problems that are shown. */
  readonly problems: readonly HandProblem[]
}

function useHandDesk({ initial, installationId, revision }: HandEditorProps): HandDesk {
  const [form, setForm] = useState(initial)
  const isDirty = JSON.stringify(form) !== JSON.stringify(initial)
  const guard = useLeaveGuard(isDirty)
  const { problems, shown, show } = useProblems(form, installationId)
  const cwd = form.cwd.trim()
  const question: HandQuestion = {
    made: madeOf(form),
    // One that is being typed is no folder yet.
    cwd: isFullPath(cwd) ? cwd : '',
    ...(installationId !== undefined && { installationId }),
  }
  const board = useHandPreview(question)
  const submission = useHandSubmit({
    form,
    installationId,
    revision,
    board,
    problems,
    onProblems: show,
    onDone: guard.open,
  })
  const change = (part: Partial<HandForm>): void => setForm((before) => ({ ...before, ...part }))
  return { form, change, isDirty, guard, board, question, submission, problems: shown }
}

/** Finds problems all the time and shows them once the person has tried to go on. */
function useProblems(
  form: HandForm,
  installationId: string | undefined,
): {
  readonly problems: readonly HandProblem[]
  readonly shown: readonly HandProblem[]
  readonly show: () => void
} {
  const takenNames = useTakenNames(installationId)
  const [isShown, setIsShown] = useState(false)
  const stored = useApp((state) => state.app?.secrets.stored)
  const storedIds = (stored ?? []).map(({ secretId }) => secretId)
  const problems = problemsOfForm(form, takenNames, storedIds)
  function show(): void {
    setIsShown(true)
    const [first] = problems
    // After the next drawing, when the problem stands at its place.
    if (first) requestAnimationFrame(() => focusControl(elementOfSpot(form, first.spot)))
  }
  return { problems, shown: isShown ? problems : [], show }
}

function useFocusedSpot(form: HandForm, fieldKey: string | undefined): void {
  const [first] = useState({ form, fieldKey })
  useEffect(() => {
    const spot =
      first.fieldKey === undefined
        ? undefined
        : serverOfHand(madeOf(first.form)).spots.get(first.fieldKey)
    if (spot === undefined) keepFocus()
    else focusControl(elementOfSpot(first.form, spot))
  }, [first])
}

function placeOf(target: Element | null): HandSpot | null {
  return target?.closest('[data-spot]')?.getAttribute('data-spot') ?? null
}

function FormColumn(props: {
  readonly desk: HandDesk
  readonly title: string
  readonly secretsInMemory: boolean
  readonly onPlace: (place: HandSpot | null) => void
}): ReactElement {
  const { desk, title, secretsInMemory, onPlace } = props
  const { form, change, problems } = desk
  const messageAt = (spot: HandSpot | undefined): string | undefined =>
    problems.find((one) => one.spot === spot)?.message
  return (
    <EditorColumn label={title} onPlace={(target) => onPlace(placeOf(target))}>
      <HandFields
        form={form}
        onFormChange={change}
        problemAt={messageAt}
        problemOfRow={(list, rowId, part) => messageAt(spotOfRow(form, list, rowId, part))}
        spotOfRow={(list, rowId) => spotOfRow(form, list, rowId, 'value')}
        savedText={secretsInMemory ? 'Kept in memory for this run' : 'Saved in keychain'}
      />
    </EditorColumn>
  )
}

function Preview(props: {
  readonly desk: HandDesk
  readonly secretsInMemory: boolean
  readonly place: HandSpot | null
}): ReactElement {
  const { desk, secretsInMemory, place } = props
  const { form, board, question, problems } = desk
  const { answer, problem } = board
  const writeFor = (shell: ShellKind): Promise<ShellText> =>
    call('byHand.shellText', { ...question, shell })
  if (answer !== null && answer.preview === null)
    return (
      <aside className="preview" aria-label="Command preview">
        <p className="hand-waiting faint">
          Enter the {form.kind}, and what would {form.kind === 'command' ? 'run' : 'be sent'} is
          shown here.
        </p>
      </aside>
    )
  return (
    <CommandPreview
      preview={answer?.preview ?? null}
      problem={problem}
      live={place === null ? null : { fieldKey: place }}
      bad={problems.map(({ spot }) => ({ fieldKey: spot }))}
      secretsInMemory={secretsInMemory}
      writeFor={writeFor}
    />
  )
}

function Foot(props: { readonly desk: HandDesk; readonly editor: HandEditorProps }): ReactElement {
  const { form, board, submission, problems } = props.desk
  const { installationId, approvedPlan } = props.editor
  return (
    <ConsentFoot
      words={consentWords({
        preview: board.answer?.preview ?? null,
        approvedPlan,
        isNew: installationId === undefined,
        isRunning: submission.isRunning,
      })}
      submission={submission}
      problems={problems.map(({ spot, label }) => ({
        elementId: elementOfSpot(form, spot),
        label,
      }))}
      onProblem={focusControl}
    />
  )
}

/** The editor of a server without a registry: its parts, the live command, consent. */
export function HandEditor(props: HandEditorProps): ReactElement {
  const { initial, title, crumbs, fieldKey } = props
  const desk = useHandDesk(props)
  const [place, setPlace] = useState<HandSpot | null>(null)
  const secretsInMemory = useApp((state) => state.app?.secretStore.kind === 'memory')
  const { guard, submission, isDirty } = desk
  useFocusedSpot(initial, fieldKey)
  return (
    <EditorFrame
      title={title}
      crumbs={crumbs}
      unsaved={isDirty}
      foot={<Foot desk={desk} editor={props} />}
      guard={guard}
      submission={submission}
    >
      <FormColumn desk={desk} title={title} secretsInMemory={secretsInMemory} onPlace={setPlace} />
      <Preview desk={desk} secretsInMemory={secretsInMemory} place={place} />
    </EditorFrame>
  )
}
