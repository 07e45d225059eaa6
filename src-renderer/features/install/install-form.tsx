import './install.css'

import { ClipboardPaste } from 'lucide-react'
import type { FocusEvent, KeyboardEvent, ReactElement } from 'react'
import { useEffect, useMemo, useState } from 'react'

import type { Offer } from '../../../src-shared/domain/offer'
import type { FormField } from '../../../src-shared/form/form-field'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import type { Crumb } from '../../ui/page'
import { keepFocus, Page } from '../../ui/page'
import { CommandPreview } from './command-preview'
import { ConsentFoot } from './consent-foot'
import type { FieldContext } from './field-control'
import { FieldGroups } from './field-groups'
import { fieldId, focusControl, knownProblems, spotOf } from './field-places'
import { FormHead } from './form-head'
import { LegacyDialog } from './legacy-dialog'
import type { InstallFormApi, InstallSubject } from './use-install-form'
import { useInstallForm } from './use-install-form'
import type { LeaveGuard } from './use-leave-guard'
import { useLeaveGuard } from './use-leave-guard'
import { useSubmit } from './use-submit'

type InstallFormProps = {
  readonly subject: InstallSubject
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** Focused when the form opens. */
  readonly fieldKey?: string | undefined
}

type FocusPlace = { readonly fieldKey: string; readonly entry: number | undefined }

function placeOf(event: FocusEvent): FocusPlace | null {
  const fieldKey = event.target.closest('[data-field]')?.getAttribute('data-field')
  if (fieldKey === null || fieldKey === undefined) return null
  const entry = event.target.getAttribute('data-entry')
  return { fieldKey, entry: entry === null ? undefined : Number(entry) }
}

/** The fields in the order of the page: required ones first. */
function useFields(offer: Offer): readonly FormField[] {
  return useMemo(() => {
    const fields = fieldsOfOffer(offer)
    return [
      ...fields.filter(({ required }) => required),
      ...fields.filter((field) => !field.required),
    ]
  }, [offer])
}

function useFieldContext(form: InstallFormApi, subject: InstallSubject): FieldContext {
  const canPickPath = useApp((state) => state.app?.info.canPickPath) ?? false
  const isMemory = useApp((state) => state.app?.secretStore.kind === 'memory')
  const savedWords = isMemory ? 'Kept in memory for this run' : 'Saved in keychain'
  return {
    control: form.control,
    canPickPath,
    secretsInMemory: isMemory,
    savedText: (fieldKey) => (subject.savedSecrets.includes(fieldKey) ? savedWords : undefined),
    check: (fieldKey) => {
      const value = form.getValues(`values.${fieldKey}`)
      if (value !== null && value.length > 0) void form.trigger(`values.${fieldKey}`)
    },
  }
}

function BarActions(props: {
  readonly unsaved: boolean
  readonly onPaste: () => void
}): ReactElement {
  const { unsaved, onPaste } = props
  return (
    <>
      {unsaved && <span className="faint hide-narrow">Unsaved</span>}
      <Button variant="quiet" icon={ClipboardPaste} onClick={onPaste}>
        Paste values
      </Button>
    </>
  )
}

function FormColumn(props: {
  readonly subject: InstallSubject
  readonly fields: readonly FormField[]
  readonly context: FieldContext
  readonly onPlace: (place: FocusPlace | null) => void
}): ReactElement {
  const { subject, fields, context, onPlace } = props
  return (
    <form
      className="form"
      aria-labelledby="form-title"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onFocus={(event) => onPlace(placeOf(event))}
      onBlur={() => onPlace(null)}
    >
      <div className="form-inner">
        <FormHead server={subject.server} offer={subject.offer} />
        <FieldGroups fields={fields} context={context} />
      </div>
    </form>
  )
}

function useFocusedField(fieldKey: string | undefined): void {
  useEffect(() => {
    if (fieldKey === undefined) keepFocus()
    else focusControl(fieldId(fieldKey))
  }, [fieldKey])
}

function LeaveDialog({ guard }: { readonly guard: LeaveGuard }): ReactElement {
  return (
    <ConfirmDialog
      open={guard.asking}
      onOpenChange={guard.stay}
      title="Leave without saving?"
      description="What was typed here is not saved."
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={guard.leave}
    />
  )
}

/** The one form of setup and configure: fields, live command, consent. */
export function InstallForm(props: InstallFormProps): ReactElement {
  const { subject, title, crumbs, fieldKey } = props
  const fields = useFields(subject.offer)
  const { form, values, command } = useInstallForm(subject, fields)
  const { errors, isDirty } = form.formState
  const guard = useLeaveGuard(isDirty)
  const [place, setPlace] = useState<FocusPlace | null>(null)
  const [pasting, setPasting] = useState(false)
  const context = useFieldContext(form, subject)
  const submission = useSubmit({ subject, form, fields, command, onDone: guard.open })
  const problems = knownProblems(errors, fields, values)
  const isNew = subject.installationId === undefined

  useFocusedField(fieldKey)
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submission.submit('approve')
  }
  return (
    <Page
      layout="columns"
      title={title}
      crumbs={crumbs}
      actions={<BarActions unsaved={isDirty} onPaste={() => setPasting(true)} />}
      foot={<ConsentFoot isNew={isNew} submission={submission} problems={problems} />}
    >
      <div className="configure" onKeyDown={onKeyDown}>
        <FormColumn subject={subject} fields={fields} context={context} onPlace={setPlace} />
        <CommandPreview
          preview={command.preview}
          secretsInMemory={context.secretsInMemory}
          problem={command.problem}
          live={place && spotOf(values, place.fieldKey, place.entry)}
          bad={problems.flatMap(({ spot }) => (spot ? [spot] : []))}
        />
      </div>
      {pasting ? (
        <LegacyDialog
          onClose={() => setPasting(false)}
          subject={subject}
          form={form}
          onLeave={guard.open}
        />
      ) : null}
      <LeaveDialog guard={guard} />
    </Page>
  )
}
