import './editing/install.css'

import { ClipboardPaste } from 'lucide-react'
import { memo, type ReactElement, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useFormState } from 'react-hook-form'

import type { Offer } from '../../../src-shared/domain/server-json/offer'
import { OWN_COMMAND } from '../../../src-shared/domain/server-json/own-command'
import type { ServerJson } from '../../../src-shared/domain/server-json/server-json'
import { RUNNER_OPTIONS } from '../../../src-shared/form/runner-options'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { useCommitKey } from '../../components/configuration/review/review-list'
import { LeaveDialog, useLeaveGuard } from '../../frame/use-leave-guard'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner, type Crumb, keepFocus, Page } from '../../ui/layout/page'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { Tag } from '../../ui/marks/tag'
import { Tile } from '../../ui/marks/tile'
import { CheckEntryDialog } from './check-entry'
import { ConsentFooter } from './consent-footer'
import { CustomServerFields } from './custom-server/custom-server-fields'
import { type InstallSubject, isWebAddress } from './editing/install-subject'
import { type InstallFormModel, useInstallForm } from './editing/use-install-form'
import { LegacyDialog, useSubmit } from './editing/use-submit'
import { FormModel, useFormModel } from './fields/field-context'
import { FieldGroups } from './fields/field-groups'
import { LivePreview, TRANSPORT_NAMES } from './live-preview'
import { useProposed } from './use-proposed'
import {
  controlOfField,
  formControls,
  type GroupedFields,
  groupFields,
  pageOrder,
  reveal,
} from './values/form-controls'

const VARIABLE = /^env_(\w{1,100})$/

/** A note for a failed server's missing value that the form has no field for, with where to enter it. */
function UnknownField(props: {
  readonly fieldKey: string
  readonly proposed: string | undefined
  readonly isCustomServer: boolean
}): ReactElement | null {
  const { fieldKey, isCustomServer, proposed } = props
  if (fieldKey === 'url' && !isCustomServer && proposed !== undefined && isWebAddress(proposed))
    return (
      <Banner
        severity="warn"
        title="The address is fixed by the catalog."
        action={
          <ButtonLink size="small" href={`/custom-server?url=${encodeURIComponent(proposed)}`}>
            Add server manually
          </ButtonLink>
        }
      >
        To use <span className="mono wrap-anywhere">{proposed}</span>, add the server manually.
      </Banner>
    )
  const variable = VARIABLE.exec(fieldKey)?.[1]
  if (variable === undefined) return null
  return (
    <Banner severity="warn" title={`${variable} has no field yet.`}>
      {isCustomServer
        ? 'Add the variable below.'
        : 'The server needs this variable, but the registry entry doesn’t list it. Add the server manually to set any variable.'}
    </Banner>
  )
}

type InstallFormProps = {
  readonly subject: InstallSubject
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly fieldKey?: string | undefined
  /** Values that fill in that field when the form opens, as if the user had typed them. */
  readonly proposed?: readonly string[] | undefined
  readonly lead?: ReactNode
  readonly isForCheck?: boolean
}

function pathOfControl(target: Element | null): string | null {
  const part = target?.closest('[data-field-path]')?.getAttribute('data-field-path')
  if (typeof part === 'string') return `customServer.${part}`
  const fieldKey = target?.closest('[data-field]')?.getAttribute('data-field')
  if (typeof fieldKey !== 'string') return null
  const entry = target?.getAttribute('data-entry') ?? null
  return entry === null ? `values.${fieldKey}` : `values.${fieldKey}.${entry}`
}

const FormColumn = memo(function FormColumn(props: {
  readonly title: string
  readonly groups: GroupedFields
  readonly unknownKey: string | undefined
  readonly proposed: string | undefined
  readonly lead: ReactNode
}): ReactElement {
  const { title, groups, lead, unknownKey, proposed } = props
  const { subject, view, fields, secretsInMemory } = useFormModel()
  const isCustomServer = 'parts' in subject
  const onFocusChange = (target: Element | null): void =>
    view.setState({ place: pathOfControl(target) })
  return (
    <form
      className="form scroll relative"
      aria-label={isCustomServer ? title : undefined}
      aria-labelledby={isCustomServer ? undefined : 'form-title'}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onFocus={({ target }) => onFocusChange(target)}
      onBlur={() => onFocusChange(null)}
    >
      <div className="mx-auto flex max-w-152 flex-col gap-6">
        {!isCustomServer && <FormHeader server={subject.server} offer={subject.offer} />}
        {unknownKey !== undefined && (
          <UnknownField fieldKey={unknownKey} {...{ isCustomServer, proposed }} />
        )}
        {lead}
        {secretsInMemory && fields.some(({ secret }) => secret) && (
          <p className="is-degraded flex items-center gap-2 text-status">
            <StatusGlyph status="degraded" />
            Secrets are kept in memory until you quit.
          </p>
        )}
        {isCustomServer ? (
          <CustomServerFields />
        ) : (
          <FieldGroups groups={groups} isRemote={subject.offer.kind === 'remote'} />
        )}
      </div>
    </form>
  )
})

/** Focuses a field, or returns its key if the form has no such field. */
function useFocusedField(
  { form, channel, fields, view }: InstallFormModel,
  fieldKey: string | undefined,
): string | undefined {
  const [elementId] = useState(() => {
    if (fieldKey === 'cwd') return 'working-folder'
    const fieldPath = fieldKey === undefined ? undefined : channel.fieldPathOf(fieldKey)
    if (fieldPath === undefined) return undefined
    return controlOfField(formControls(form.getValues(), fields), fieldPath)?.elementId
  })
  useEffect(() => {
    if (elementId === undefined) keepFocus()
    else reveal(view, elementId)
  }, [view, elementId])
  // A custom command takes options among its arguments.
  return elementId === undefined && fieldKey !== RUNNER_OPTIONS ? fieldKey : undefined
}

/** Returns the catalog entry of a new server; undefined for installed and custom servers. */
function newEntryOf(
  subject: InstallSubject,
): Pick<RequestInput<'vet.runEntry'>, 'entryId' | 'offer'> | undefined {
  if ('parts' in subject || subject.installationId !== undefined) return undefined
  return 'entryId' in subject.of
    ? { entryId: subject.of.entryId, offer: subject.of.offer }
    : undefined
}

/** The form for setup, configuration, updates and custom servers: fields, live command, consent. */
export function InstallForm(props: InstallFormProps): ReactElement {
  const { subject, title, crumbs, fieldKey, proposed, lead, isForCheck = false } = props
  const entry = 'parts' in subject ? undefined : subject
  const offer = entry?.offer
  const groups = useMemo(() => groupFields(offer ? fieldsOfOffer(offer) : []), [offer])
  const fields = useMemo(() => pageOrder(groups), [groups])
  const model = useInstallForm(subject, fields)
  const { form, control } = model
  const { isDirty } = useFormState({ control })
  const guard = useLeaveGuard(isDirty)
  const [pasting, setPasting] = useState(false)
  const newEntry = newEntryOf(subject)
  const [check, setCheck] = useState<RequestInput<'vet.runEntry'>>()
  const submission = useSubmit({
    ...{ model, onDone: guard.open },
    onCheck: (draft, approvedPlan) => {
      const { values, secrets, cwd } = draft
      if (newEntry) setCheck({ ...newEntry, values, secrets, cwd, approvedPlan })
    },
  })

  useCommitKey(() => submission.submit(isForCheck ? 'check' : 'approve'))
  useProposed(model, offer, { fieldKey, proposed })
  const unknownKey = useFocusedField(model, fieldKey)
  return (
    <FormModel value={model}>
      <Page
        layout="columns"
        title={title}
        crumbs={crumbs}
        actions={
          <>
            {isDirty && <span className="hide-narrow text-faint">Unsaved</span>}
            {entry && (
              <Button variant="quiet" icon={ClipboardPaste} onClick={() => setPasting(true)}>
                Paste values
              </Button>
            )}
          </>
        }
        foot={
          <ConsentFooter
            submission={submission}
            check={newEntry ? (isForCheck ? 'wanted' : 'can') : 'no'}
          />
        }
      >
        <div className="configure grid min-h-0 flex-1">
          <FormColumn {...{ title, groups, lead, unknownKey, proposed: proposed?.[0] }} />
          <LivePreview />
        </div>
        {check && <CheckEntryDialog check={check} onClose={() => setCheck(undefined)} />}
        {entry && pasting && (
          <LegacyDialog
            onClose={() => setPasting(false)}
            subject={entry}
            form={form}
            onLeave={guard.open}
          />
        )}
        <LeaveDialog guard={guard} isBusy={submission.busy !== null} />
      </Page>
    </FormModel>
  )
}

function tagsOf(offer: Offer): string[] {
  if (offer.kind === 'remote') return [TRANSPORT_NAMES[offer.remote.type]]
  const { registryType, version, fileSha256 } = offer.pkg
  const isBundle = registryType === OWN_COMMAND && fileSha256 !== undefined
  const kind = isBundle ? 'bundle' : registryType
  return version === undefined ? [kind] : [kind, version]
}

function FormHeader(props: { readonly server: ServerJson; readonly offer: Offer }): ReactElement {
  const { server, offer } = props
  const title = server.title ?? server.name
  return (
    <div className="flex items-center gap-3">
      <Tile name={title} size="large" />
      <div className="min-w-0 flex-1">
        <h2 id="form-title" className="line-clamp-2 text-page wrap-anywhere">
          {title}
        </h2>
        <p className="flex min-w-0 items-center gap-2 text-faint">
          <span className="truncate" title={server.name}>
            {server.name}
          </span>
          {tagsOf(offer).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      </div>
    </div>
  )
}
