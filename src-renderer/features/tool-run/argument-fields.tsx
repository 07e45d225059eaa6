import { type JSX, useId, useState } from 'react'

import type { CompletionRequest } from '../../../src-shared/domain/agents/tool-run'
import { useRequest } from '../../ipc/use-request'
import { Combobox } from '../../ui/fields/combobox'
import { type ControlIds, Field } from '../../ui/fields/field'
import { PlainText } from '../../ui/text/plain-text'
import { shortName, shortText } from '../../ui/text/untrusted-text'

type Completed = {
  readonly installationId: string
  readonly reference: CompletionRequest['ref']
}

type CompletedInputProps = {
  readonly ids: ControlIds
  readonly of: Completed
  /** The argument, and the values of all arguments. */
  readonly name: string
  readonly values: Readonly<Record<string, string>>
  readonly isRequired: boolean
  readonly onChange: (value: string) => void
}

/** Maximum number of listed suggestions (MCP, completion/complete). */
const MOST = 100

/** Debounce time of completion requests, in ms. */
const DEBOUNCE_MS = 200

function offerText(count: number, total: number | undefined): string {
  if (count === 0) return ''
  const more = total !== undefined && total > count ? ` of ${total}` : ''
  return `${count}${more} ${count === 1 && more === '' ? 'suggestion' : 'suggestions'}`
}

function requestOf({ of, name, values }: CompletedInputProps): CompletionRequest {
  const { [name]: value = '', ...others } = values
  const filled = Object.fromEntries(Object.entries(others).filter(([, one]) => one !== ''))
  return {
    ref: of.reference,
    argument: { name, value },
    ...(Object.keys(filled).length > 0 && { context: { arguments: filled } }),
  }
}

/** A text input with the server's completions in a list below. */
function CompletedInput(props: CompletedInputProps): JSX.Element {
  const { ids, of, name, values, isRequired, onChange } = props
  const [isRequesting, setIsRequesting] = useState(false)
  const { value, problem } = useRequest(
    'toolRun.complete',
    isRequesting ? { installationId: of.installationId, request: requestOf(props) } : undefined,
    { debounceMs: DEBOUNCE_MS },
  )
  // The last suggestions stay until new ones arrive.
  const offered = isRequesting && !problem ? (value?.values.slice(0, MOST) ?? []) : []
  const text = problem
    ? `Can’t load suggestions: ${problem.message}`
    : offerText(value?.values.length ?? 0, value?.total)
  return (
    <>
      <Combobox
        {...ids}
        mono
        listLabel="Suggestions"
        aria-required={isRequired}
        isOpen={isRequesting}
        onOpenChange={setIsRequesting}
        options={offered.map((value) => shortText(value) || '(empty)')}
        onTake={(at) => {
          onChange(offered[at] ?? '')
          setIsRequesting(false)
        }}
        value={values[name] ?? ''}
        onValueChange={(value) => {
          onChange(value)
          setIsRequesting(true)
        }}
        onBlur={() => setIsRequesting(false)}
      />
      <p
        role="status"
        className={
          isRequesting && problem ? 'text-small text-pretty wrap-anywhere text-muted' : 'sr-only'
        }
      >
        {isRequesting ? text : ''}
      </p>
    </>
  )
}

/** An argument that is a single line of text. */
export type TextArgument = {
  readonly name: string
  readonly description?: string | undefined
  readonly isRequired: boolean
}

/** Returns the required arguments without a value. */
export function missingOf(
  args: readonly TextArgument[],
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return args
    .filter(({ name, isRequired }) => isRequired && (values[name] ?? '') === '')
    .map(({ name }) => name)
}

/** The arguments of a prompt or template as inputs with completion. */
export function ArgumentFields(props: {
  readonly of: Completed
  readonly args: readonly TextArgument[]
  readonly values: Readonly<Record<string, string>>
  /** Missing arguments to mark. */
  readonly missing: readonly string[]
  readonly onChange: (name: string, value: string) => void
}): JSX.Element {
  const { of, args, values, missing, onChange } = props
  const id = useId()
  return (
    <div className="grid min-w-0 gap-3">
      {args.map(({ name, description, isRequired }, index) => (
        <Field
          key={name}
          id={`${id}-${index}`}
          label={shortName(name)}
          note={
            isRequired ? (
              <span className="text-small font-normal text-faint">required</span>
            ) : undefined
          }
          hint={description === undefined ? undefined : <PlainText text={description} />}
          problem={missing.includes(name) ? 'Enter a value.' : undefined}
        >
          {(ids) => (
            <CompletedInput
              ids={ids}
              of={of}
              name={name}
              values={values}
              isRequired={isRequired}
              onChange={(value) => onChange(name, value)}
            />
          )}
        </Field>
      ))}
    </div>
  )
}
