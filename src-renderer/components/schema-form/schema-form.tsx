import type { IChangeEvent } from '@rjsf/core/lib/components/Form.js'
// The package's own entry also brings what its tests need.
import Form from '@rjsf/core/lib/components/Form.js'
import type { Experimental_DefaultFormStateBehavior, RJSFSchema, UiSchema } from '@rjsf/utils'
import { englishStringTranslator, TranslatableString } from '@rjsf/utils'
import type { ReactElement } from 'react'
import { memo, useId, useMemo } from 'react'

import type { ValueProblem } from './checking/problem-messages'
import { errorSchemaOf, InterpretingValidator } from './checking/validator'
import { formTheme } from './theme/theme'

/** The form begins with `startValues`; what is added later begins with what must be there. */
const DEFAULTS: Experimental_DefaultFormStateBehavior = {
  emptyObjectFields: 'populateRequiredDefaults',
  arrayMinItems: { populate: 'requiredOnly' },
  requiredBooleanDefault: 'skip',
  constAsDefaults: 'always',
}
const OPTIONS: UiSchema<unknown> = {
  'ui:globalOptions': {
    enableMarkdownInDescription: false,
    enableMarkdownInHelp: false,
    enableOptionalDataFieldForType: ['object'],
    deprecatedHandling: 'label',
  },
  // The whole is always there, also where nothing is filled in.
  'ui:options': { enableOptionalDataFieldForType: [] },
}

/** The library's words; a text that is added begins empty, or its words would be sent as its value. */
function translate(words: TranslatableString, params?: string[]): string {
  return words === TranslatableString.NewStringDefault ? '' : englishStringTranslator(words, params)
}

/** A form by JSON Schema. It holds its values itself: to fill in others, give it another `key`. */
export const SchemaForm = memo(function SchemaForm({
  schema,
  start,
  problems,
  onChange,
}: {
  /** From `formModel`. */
  readonly schema: RJSFSchema
  /** What it begins with. */
  readonly start: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
  /** What is left out has no value, but may have a name. */
  readonly onChange: (values: unknown) => void
}): ReactElement {
  const idPrefix = useId()
  const validator = useMemo(() => new InterpretingValidator(), [])
  const extraErrors = useMemo(() => errorSchemaOf(problems), [problems])
  const change = useMemo(
    () =>
      ({ formData }: IChangeEvent<unknown>) =>
        onChange(formData),
    [onChange],
  )
  return (
    <Form<unknown>
      tagName="div"
      className="schema-form"
      idPrefix={idPrefix}
      idSeparator="/"
      schema={schema}
      uiSchema={OPTIONS}
      initialFormData={start}
      validator={validator}
      translateString={translate}
      extraErrors={extraErrors}
      showErrorList={false}
      experimental_defaultFormStateBehavior={DEFAULTS}
      onChange={change}
      {...formTheme}
    >
      <></>
    </Form>
  )
})
