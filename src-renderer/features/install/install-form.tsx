import './install.css'

import { ClipboardPaste } from 'lucide-react'
import type { FocusEvent, KeyboardEvent, ReactElement } from 'react'
import { useEffect, useMemo, useState } from 'react'

import type { Package } from '../../../src-shared/domain/server-json'
import type { FormField } from '../../../src-shared/form/form-field'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import type { Crumb } from '../../ui/page'
import { Page } from '../../ui/page'
import { Tag } from '../../ui/tag'
import { Tile } from '../../ui/tile'
import { CommandPreview } from './command-preview'
import { ConsentFoot } from './consent-foot'
import { fieldId } from './field-control'
import { FieldGroups } from './field-groups'
import { LegacyDialog } from './legacy-dialog'
import type { InstallFormApi, InstallSubject } from './use-install-form'
import { focusControl, knownProblems, spotAt, useInstallForm } from './use-install-form'
import { useLeaveGuard } from './use-leave-guard'
import { useSubmit } from './use-submit'

type InstallFormProps = {
  readonly subject: InstallSubject
  readonly pack: Package
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

function savedWords(kind: 'checking' | 'keychain' | 'memory' | undefined): string {
  return kind === 'memory' ? 'Kept in memory for this run' : 'Saved in keychain'
}

/** Opens with the field that was asked for, or with the first one that is required and empty. */
function useFirstFocus(fields: readonly FormField[], fieldKey: string | undefined): void {
  useEffect(() => {
    const field = fields.find(({ key }) => key === fieldKey)
    if (!field) return
    const id = fieldId(field.key)
    focusControl(document.getElementById(`${id}-0`) ? `${id}-0` : id)
  }, [fields, fieldKey])
}

function FormHead({
  subject,
  pack,
}: {
  readonly subject: InstallSubject
  readonly pack: Package
}): ReactElement {
  const { server } = subject
  const title = server.title ?? server.name
  return (
    <div className="form-head">
      <Tile name={title} size="large" />
      <div className="grow">
        <h2 id="form-title" className="clamp-2">
          {title}
        </h2>
        <p className="faint line-up form-id">
          <span className="cut" title={server.name}>
            {server.name}
          </span>
          <Tag>{pack.registryType}</Tag>
          {pack.version === undefined ? null : <Tag>{pack.version}</Tag>}
        </p>
      </div>
    </div>
  )
}

function useContext(
  form: InstallFormApi,
  subject: InstallSubject,
): Parameters<typeof FieldGroups>[0]['context'] {
  const canPickPath = useApp((state) => state.app?.info.canPickPath) ?? false
  const secretStore = useApp((state) => state.app?.secretStore.kind)
  return {
    control: form.control,
    canPickPath,
    savedText: (fieldKey) =>
      subject.savedSecrets.includes(fieldKey) ? savedWords(secretStore) : undefined,
    check: (fieldKey) => {
      const value = form.getValues(`values.${fieldKey}`)
      if (value !== null && value.length > 0) void form.trigger(`values.${fieldKey}`)
    },
  }
}

/** The one form of setup and configure: fields, live command, consent. */
export function InstallForm({
  subject,
  pack,
  title,
  crumbs,
  fieldKey,
}: InstallFormProps): ReactElement {
  const fields = useMemo(() => toFormFields(pack), [pack])
  const { form, shown } = useInstallForm(subject, fields)
  const { errors, isDirty } = form.formState
  const guard = useLeaveGuard(isDirty)
  const [place, setPlace] = useState<FocusPlace | null>(null)
  const [pasting, setPasting] = useState(false)
  const context = useContext(form, subject)
  const values = form.getValues('values')
  const problems = knownProblems(errors, fields, values)
  useFirstFocus(fields, fieldKey)

  function focusFirstProblem(): void {
    // After the next drawing, when the errors stand at their fields.
    requestAnimationFrame(() => {
      document
        .querySelector<HTMLElement>('.form [aria-invalid="true"]')
        ?.scrollIntoView({ block: 'center' })
      const [first] = knownProblems(form.formState.errors, fields, form.getValues('values'))
      if (first) focusControl(first.elementId)
    })
  }
  const { busy, refusal, submit, dismiss, wasActive } = useSubmit({
    subject,
    form,
    refresh: shown.refresh,
    onInvalid: focusFirstProblem,
    onDone: guard.open,
  })
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit('approve')
  }
  const isNew = subject.installationId === undefined
  const live = place && spotAt(fields, values, place.fieldKey, place.entry)

  return (
    <Page
      layout="columns"
      title={title}
      crumbs={crumbs}
      actions={
        <>
          {isDirty ? <span className="faint hide-narrow">Unsaved</span> : null}
          {subject.entryId === undefined ? null : (
            <Button variant="quiet" icon={ClipboardPaste} onClick={() => setPasting(true)}>
              Paste values
            </Button>
          )}
        </>
      }
      foot={
        <ConsentFoot
          saveLabel={isNew ? 'Save for later' : 'Save'}
          approveLabel={wasActive ? 'Approve and restart' : 'Approve and start'}
          busy={busy}
          refusal={refusal}
          onDismiss={dismiss}
          problems={problems}
          onSubmit={submit}
        />
      }
    >
      <div className="configure" onKeyDown={onKeyDown}>
        <form
          className="form"
          aria-labelledby="form-title"
          noValidate
          onSubmit={(event) => event.preventDefault()}
          onFocus={(event) => setPlace(placeOf(event))}
          onBlur={() => setPlace(null)}
        >
          <div className="form-inner">
            <FormHead subject={subject} pack={pack} />
            <FieldGroups fields={fields} context={context} />
          </div>
        </form>
        <CommandPreview
          preview={shown.preview}
          problem={shown.problem}
          live={live}
          bad={problems.flatMap(({ spot }) => (spot ? [spot] : []))}
        />
      </div>
      {subject.entryId === undefined ? null : (
        <LegacyDialog
          open={pasting}
          onOpenChange={setPasting}
          entryId={subject.entryId}
          packageIndex={subject.packageIndex}
          isNew={isNew}
          form={form}
          onLeave={guard.open}
        />
      )}
      <ConfirmDialog
        open={guard.asking}
        onOpenChange={guard.stay}
        title="Leave without saving?"
        description="What was typed here is not saved."
        confirmLabel="Leave"
        cancelLabel="Stay"
        onConfirm={guard.leave}
      />
    </Page>
  )
}
