import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactElement, type SyntheticEvent, useEffect, useId, useState } from 'react'
import { type Control, useController, useForm } from 'react-hook-form'

import type { ElicitationField } from '../../../src-shared/domain/agents/user-request'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/choice'
import { type ControlIds, Field, GrowingInput, TextInput, WarnText } from '../../ui/fields/field'
import { ScrollRegion } from '../../ui/layout/page'
import { escapeInvisible, visibleText } from '../../ui/text/untrusted-text'
import { RequestFrame, useAnswering } from './request-frame'
import {
  type AnswerContent,
  answerSchema,
  fieldKey,
  initialAnswer,
  isOmitted,
  type TypedAnswer,
} from './typed-answer'
import { readDraft, type RequestOf, storeDraft, useServerName } from './user-request-store'

/** A form that a server asks the user to fill in. */
export function FormRequest(props: { readonly request: RequestOf<'form'> }): ReactElement {
  const { request } = props
  const { fields } = request.body
  const formId = useId()
  const answering = useAnswering(request)
  const server = useServerName()(request)
  const [schema] = useState(() => answerSchema(fields))
  const { control, getValues, handleSubmit } = useForm<TypedAnswer, unknown, AnswerContent>({
    resolver: zodResolver(schema),
    defaultValues: readDraft(request) ?? initialAnswer(fields),
  })
  useEffect(() => () => storeDraft(request, getValues()), [request, getValues])
  const submit = handleSubmit((content) => answering.send({ kind: 'accept', content }))
  return (
    <RequestFrame
      request={request}
      answering={answering}
      actions={
        <Button
          size="form"
          variant="primary"
          disabled={answering.isResting}
          type="submit"
          form={formId}
        >
          Send
        </Button>
      }
    >
      <div className="mt-2 text-small text-faint">
        {`Your answers go to ${server}. Don’t enter passwords, API keys, or card numbers: servers must not ask for them in a form.`}
      </div>
      <form
        id={formId}
        className="mt-4 grid gap-3"
        noValidate
        onSubmit={(event: SyntheticEvent) => void submit(event)}
      >
        {fields.map((field, index) => (
          <ElicitationControl
            key={index}
            field={field}
            index={index}
            idPrefix={formId}
            control={control}
          />
        ))}
      </form>
    </RequestFrame>
  )
}

const MAX_RADIOS = 4

type Choice = { readonly value: string; readonly label: string }

type ControlProps = {
  readonly ids: ControlIds
  readonly field: ElicitationField
  readonly value: string | string[]
  readonly onChange: (value: string | string[]) => void
  /** Ref of the element that gets the focus if the input is invalid. */
  readonly focusRef: (element: HTMLElement | null) => void
}

const INPUT_TYPES = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
} as const
const YES_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** Returns the choices of a single-choice field. An optional field without a default gets an empty choice. */
function singleChoices({ input, isRequired }: ElicitationField): readonly Choice[] {
  const choices = input.kind === 'choice' ? input.choices : YES_NO
  const isNeeded = isRequired || input.default !== undefined
  return isNeeded ? choices : [{ value: '', label: 'Not set' }, ...choices]
}

function TextControl({ ids, field, value, onChange, focusRef }: ControlProps): ReactElement {
  const shared = {
    ...ids,
    'aria-required': field.isRequired || undefined,
    value: String(value),
    onValueChange: onChange,
  }
  const { input } = field
  if (input.kind === 'number')
    return (
      <TextInput {...shared} inputRef={focusRef} inputMode="decimal" className="tabular-nums" />
    )
  const format = input.kind === 'text' ? input.format : undefined
  if (format === undefined) return <GrowingInput {...shared} ref={focusRef} />
  return (
    <TextInput
      {...shared}
      inputRef={focusRef}
      type={INPUT_TYPES[format]}
      {...(format === 'date-time' ? { step: 1 } : {})}
    />
  )
}

function SelectControl({ ids, field, value, onChange, focusRef }: ControlProps): ReactElement {
  const choices = singleChoices(field).map((choice) => ({
    ...choice,
    label: visibleText(choice.label),
  }))
  const options = field.isRequired
    ? [{ value: '', label: 'Choose', disabled: true }, ...choices]
    : choices
  return (
    <Select
      {...ids}
      ref={focusRef}
      aria-required={field.isRequired || undefined}
      value={String(value)}
      onValueChange={onChange}
      options={options}
    />
  )
}

function ControlOf(props: ControlProps): ReactElement {
  const { field, value, onChange } = props
  const { input } = field
  if (isListed(field))
    return (
      <ChoiceList
        {...props}
        isMany={input.kind === 'choices'}
        choices={input.kind === 'choices' ? input.choices : singleChoices(field)}
        chosen={[value].flat()}
        onChoose={(chosen) => onChange(input.kind === 'choices' ? chosen : (chosen[0] ?? ''))}
      />
    )
  return input.kind === 'choice' ? <SelectControl {...props} /> : <TextControl {...props} />
}

function isListed({ input }: ElicitationField): boolean {
  if (input.kind === 'choice') return input.choices.length <= MAX_RADIOS
  return input.kind === 'boolean' || input.kind === 'choices'
}

/** Returns the label for an emptied field that Patchbay cannot omit: the value that is sent instead. */
function defaultText(field: ElicitationField): string {
  const { input, isRequired } = field
  if (isRequired || isListed(field) || input.default === undefined) return ''
  return isOmitted(input)
    ? `Leave blank to use the default: ${visibleText(String(input.default))}.`
    : ''
}

function hintOf(field: ElicitationField): string | undefined {
  const { description = '', input } = field
  const isMoment = input.kind === 'text' && input.format === 'date-time'
  const zone = isMoment ? 'Uses your local time zone.' : ''
  const hint = [visibleText(description), zone, defaultText(field)].filter(Boolean).join(' ')
  return hint === '' ? undefined : hint
}

function ElicitationControl(props: {
  readonly field: ElicitationField
  readonly index: number
  readonly idPrefix: string
  readonly control: Control<TypedAnswer, unknown, AnswerContent>
}): ReactElement {
  const { field, index, idPrefix, control } = props
  const { field: bound, fieldState } = useController({ control, name: fieldKey(index) })
  const { title = '', name, isRequired } = field
  const isOwnName = title !== '' && title.toLowerCase() !== name.toLowerCase()
  return (
    <Field
      id={`${idPrefix}-${index}`}
      label={visibleText(title === '' ? name : title)}
      machineName={isOwnName ? visibleText(name) : undefined}
      note={
        isRequired ? <span className="text-small font-normal text-faint">required</span> : undefined
      }
      hint={hintOf(field)}
      problem={fieldState.error?.message}
      isGroup={isListed(field)}
    >
      {(ids) => (
        <ControlOf
          ids={ids}
          field={field}
          value={bound.value}
          onChange={bound.onChange}
          focusRef={bound.ref}
        />
      )}
    </Field>
  )
}

function ChoiceList(props: {
  readonly ids: ControlIds
  readonly isMany: boolean
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: string[]) => void
  readonly focusRef: (element: HTMLElement | null) => void
}): ReactElement {
  const { ids, isMany: isMultiple, choices, chosen, onChoose, focusRef } = props
  const { id, ...described } = ids
  const choose = (value: string, isSelected: boolean): void => {
    if (!isMultiple) onChoose([value])
    // Keeps the order of the list, independent of the order of clicks.
    else
      onChoose(
        choices
          .map((choice) => choice.value)
          .filter((one) => (one === value ? isSelected : chosen.includes(one))),
      )
  }
  return (
    <div
      {...described}
      className="ring-room scroll grid max-h-52"
      role={isMultiple ? 'group' : 'radiogroup'}
      aria-labelledby={`${id}-label`}
    >
      {choices.map(({ value, label }, index) => (
        <label key={value} className="flex min-h-7 min-w-0 items-center gap-2 wrap-anywhere">
          <input
            ref={index === 0 ? focusRef : undefined}
            type={isMultiple ? 'checkbox' : 'radio'}
            className="check"
            name={id}
            checked={chosen.includes(value)}
            onChange={(event) => choose(value, event.currentTarget.checked)}
          />
          {visibleText(label)}
        </label>
      ))}
    </div>
  )
}

function OpenButton(props: {
  readonly request: RequestOf<'page'>
  readonly isResting: boolean
  readonly isAgain: boolean
  readonly onOpened: () => void
}): ReactElement {
  const { request, isResting, isAgain, onOpened } = props
  const { requestId } = request
  const isDesktop = useApp((state) => state.app?.info.wayIn === 'desktop')
  const label = isAgain ? 'Open again' : 'Open page'
  if (isDesktop || isResting)
    return (
      <Button
        size="form"
        variant={isAgain ? 'default' : 'primary'}
        disabled={isResting}
        onClick={() => void attempt(call('userRequest.openPage', { requestId }).then(onOpened))}
      >
        {label}
      </Button>
    )
  return (
    <a
      className={isAgain ? 'btn btn-field' : 'btn btn-primary btn-field'}
      href={request.body.url}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onOpened}
    >
      {label}
    </a>
  )
}

/** A page that a server asks the user to open. */
export function PageRequest({ request }: { readonly request: RequestOf<'page'> }): ReactElement {
  const answering = useAnswering(request)
  const { isResting: isDisabled, send } = answering
  const [isOpened, setIsOpened] = useState(false)
  const address = pageAddress(request.body.url)
  return (
    <RequestFrame
      request={request}
      answering={answering}
      actions={
        <>
          {address !== undefined && (
            <OpenButton
              request={request}
              isResting={isDisabled}
              isAgain={isOpened}
              onOpened={() => setIsOpened(true)}
            />
          )}
          {isOpened && (
            <Button
              size="form"
              variant="primary"
              disabled={isDisabled}
              onClick={() => send({ kind: 'accept' })}
            >
              Done
            </Button>
          )}
        </>
      }
    >
      <div className="mt-4 grid gap-3">
        {address && (
          <ScrollRegion
            as="p"
            className="request-address source mono max-h-32 rounded-lg border border-line bg-inset px-3 py-2 text-small"
            label="Address"
          >
            {address.before}
            <b>{address.host}</b>
            {address.after}
          </ScrollRegion>
        )}
        <WarnText>{addressWarning(address)}</WarnText>
        <p role="status">
          {isOpened
            ? 'Finish in your browser, then select Done. The server is notified that you opened the page.'
            : 'Opens in your browser. Continue only if you recognize the domain in bold.'}
        </p>
      </div>
    </RequestFrame>
  )
}

function addressWarning(address: PageAddress | undefined): string | undefined {
  if (address === undefined) return 'This request has no valid web address.'
  return address.isEncoded
    ? 'This domain has letters that can look like others, shown here as xn--. Open the page only if you know it.'
    : undefined
}

/** A web address in three parts, so that the host stands out. */
type PageAddress = {
  readonly before: string
  /** As the network sees the host: non-ASCII letters in punycode. */
  readonly host: string
  readonly after: string
  /** Whether the host contains non-ASCII letters, which can look like others. */
  readonly isEncoded: boolean
}

/** Splits an address; undefined for an address that is not http or https and is not opened. */
export function pageAddress(address: string): PageAddress | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const start = protocol.length + 2
  // The host ends the authority; userinfo before it can look like a host.
  const at = start + href.slice(start).search(/[/?#]|$/u) - host.length
  return {
    before: escapeInvisible(href.slice(0, at)),
    host: escapeInvisible(host),
    after: escapeInvisible(href.slice(at + host.length)),
    isEncoded: /(^|\.)xn--/u.test(host),
  }
}
