import type { JSX } from 'react'
import { useId } from 'react'

import { Field } from '../../ui/fields/field'
import { PlainText } from '../../ui/text/plain-text'
import { shortName } from '../../ui/text/visible-text'
import { CompletedInput } from './completed-input'
import type { Completed } from './use-completion'

/** An argument that is a text of one line. */
export type TextArgument = {
  readonly name: string
  readonly description?: string | undefined
  readonly isRequired: boolean
}

/** The arguments that must be filled in and are not. */
export function missingOf(
  args: readonly TextArgument[],
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return args
    .filter(({ name, isRequired }) => isRequired && (values[name] ?? '') === '')
    .map(({ name }) => name)
}

/** The arguments of a prompt or template as fields that the server completes. */
export function ArgumentFields({
  of,
  args,
  values,
  missing,
  onChange,
}: {
  readonly of: Completed
  readonly args: readonly TextArgument[]
  readonly values: Readonly<Record<string, string>>
  /** Those whose lack is to be shown. */
  readonly missing: readonly string[]
  readonly onChange: (name: string, value: string) => void
}): JSX.Element {
  const id = useId()
  return (
    <div className="stack gap-3 slim">
      {args.map(({ name, description, isRequired }, index) => (
        <Field
          key={name}
          id={`${id}-${index}`}
          label={shortName(name)}
          note={isRequired ? <span className="faint regular small">required</span> : undefined}
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
