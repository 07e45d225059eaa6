import { ClipboardPaste } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { memo, useEffect, useMemo, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../src-shared/form/form-field'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { useLeaveGuard } from '../../frame/use-leave-guard'
import { Button } from '../../ui/controls/button'
import type { Crumb } from '../../ui/layout/page'
import { keepFocus } from '../../ui/layout/page'
import { ConsentFoot } from './editing/consent-foot'
import { consentWords } from './editing/consent-words'
import { EditorColumn, EditorFrame } from './editing/editor-frame'
import { LegacyDialog } from './editing/legacy-dialog'
import type { CommandBoard, InstallFormApi, InstallSubject } from './editing/use-install-form'
import { useInstallForm } from './editing/use-install-form'
import type { Submission } from './editing/use-submit'
import { useSubmit } from './editing/use-submit'
import type { FieldContext } from './fields/field-context'
import { FieldGroups } from './fields/field-groups'
import { FormHead } from './form-head'
import { LivePreview } from './live-preview'
import { useFieldContext } from './use-field-context'
import { fieldId, knownProblems } from './values/field-places'
import type { FocusPlace, FormView } from './values/form-view'
import { createFormView, reveal } from './values/form-view'
import type { GroupedFields } from './values/group-fields'
import { groupFields, pageOrder } from './values/group-fields'

type InstallFormProps = {
  readonly subject: InstallSubject
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** Focused when the form opens. */
  readonly fieldKey?: string | undefined
  /** Stands in that field when the form opens, as if the person had typed it. */
  readonly proposed?: string | undefined
  /** Stands before the fields. */
  readonly lead?: ReactNode
}

function placeOf(target: Element | null): FocusPlace | null {
  const fieldKey = target?.closest('[data-field]')?.getAttribute('data-field')
  if (fieldKey === null || fieldKey === undefined) return null
  const entry = target?.getAttribute('data-entry') ?? null
  return { fieldKey, entry: entry === null ? undefined : Number(entry) }
}

const FormColumn = memo(function FormColumn(props: {
  readonly subject: InstallSubject
  readonly groups: GroupedFields
  readonly context: FieldContext
  readonly view: FormView
  readonly lead: ReactNode
}): ReactElement {
  const { subject, groups, context, view, lead } = props
  return (
    <EditorColumn
      labelledBy="form-title"
      onPlace={(target) => view.setState({ place: placeOf(target) })}
    >
      <FormHead server={subject.server} offer={subject.offer} />
      {lead}
      <FieldGroups
        groups={groups}
        context={context}
        view={view}
        isRemote={subject.offer.kind === 'remote'}
      />
    </EditorColumn>
  )
})

function useFocusedField(view: FormView, fieldKey: string | undefined): void {
  useEffect(() => {
    if (fieldKey === undefined) keepFocus()
    else reveal(view, fieldId(fieldKey))
  }, [view, fieldKey])
}

/** Only into a field that is one text and no secret: an address of a page could name any. */
function useProposed(
  form: InstallFormApi,
  fields: readonly FormField[],
  fieldKey: string | undefined,
  proposed: string | undefined,
): void {
  const field = fields.find(({ key }) => key === fieldKey)
  const isMeant = field !== undefined && !field.secret && !field.repeated
  const key = isMeant ? field.key : undefined
  useEffect(() => {
    if (key !== undefined && proposed !== undefined && /^\d{1,5}$/.test(proposed))
      form.setValue(`values.${key}`, proposed, { shouldDirty: true })
  }, [form, key, proposed])
}

/** Draws anew when problems or the preview change, and the form around it does not. */
function Foot(props: {
  readonly subject: InstallSubject
  readonly form: InstallFormApi
  readonly board: CommandBoard
  readonly view: FormView
  readonly fields: readonly FormField[]
  readonly submission: Submission
}): ReactElement {
  const { subject, form, board, view, fields, submission } = props
  const preview = useStore(board.state, (state) => state.preview)
  const { errors } = useFormState({ control: form.control })
  const words = consentWords({
    preview,
    approvedPlan: subject.approvedPlan,
    isNew: subject.installationId === undefined,
    isRunning: submission.isRunning,
  })
  return (
    <ConsentFoot
      words={words}
      submission={submission}
      problems={knownProblems(errors, fields, form.getValues('values'))}
      onProblem={(elementId) => reveal(view, elementId)}
    />
  )
}

/** The one form of setup, configure and update: fields, live command, consent. */
export function InstallForm(props: InstallFormProps): ReactElement {
  const { subject, title, crumbs, fieldKey, proposed, lead } = props
  const groups = useMemo(() => groupFields(fieldsOfOffer(subject.offer)), [subject.offer])
  const fields = useMemo(() => pageOrder(groups), [groups])
  const { form, board } = useInstallForm(subject, fields)
  const { isDirty } = useFormState({ control: form.control })
  const guard = useLeaveGuard(isDirty)
  const [view] = useState(createFormView)
  const [pasting, setPasting] = useState(false)
  const context = useFieldContext({ form, view, fields, savedSecrets: subject.savedSecrets })
  const submission = useSubmit({ subject, form, view, fields, board, onDone: guard.open })
  const parts = { form, board, view, fields }

  useProposed(form, fields, fieldKey, proposed)
  useFocusedField(view, fieldKey)
  return (
    <EditorFrame
      title={title}
      crumbs={crumbs}
      unsaved={isDirty}
      actions={
        <Button variant="quiet" icon={ClipboardPaste} onClick={() => setPasting(true)}>
          Paste values
        </Button>
      }
      foot={<Foot {...parts} subject={subject} submission={submission} />}
      guard={guard}
      submission={submission}
      dialog={
        pasting ? (
          <LegacyDialog
            onClose={() => setPasting(false)}
            subject={subject}
            form={form}
            onLeave={guard.open}
          />
        ) : null
      }
    >
      <FormColumn subject={subject} groups={groups} context={context} view={view} lead={lead} />
      <LivePreview {...parts} of={subject.of} secretsInMemory={context.secretsInMemory} />
    </EditorFrame>
  )
}
