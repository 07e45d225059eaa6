import type { FieldProps, RJSFSchema } from '@rjsf/utils'
import { Plus } from 'lucide-react'
import { type ReactElement, use, useMemo, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { CodeArea } from '../../../ui/fields/code-area'
import { ProblemText } from '../../../ui/fields/problem-text'
import { isJsonObject, own } from '../reading/json-object'
import { faultWords, readJson } from '../reading/json-text'
import { asUnread, unreadText } from '../reading/unread-text'
import { controlIds, domId } from './control-ids'
import { fieldLabel } from './field-frame'
import { InKind } from './in-kind'

/** So deep what must be there is opened by itself. */
const OPEN_UNTIL = 1

/** The schema that a field goes on with: one that holds itself is drawn a step at a time. */
function deeperSchema({ schema, registry }: FieldProps<unknown>): RJSFSchema | undefined {
  const name = own(schema, 'x-deeper')
  const { $defs: defs } = registry.rootSchema as { readonly $defs?: unknown }
  const found = typeof name === 'string' && isJsonObject(defs) ? own(defs, name) : undefined
  return isJsonObject(found) ? found : undefined
}

function Deeper(props: FieldProps<unknown> & { readonly inner: RJSFSchema }): ReactElement | null {
  const { inner, schema, registry, formData, required = false, fieldPathId, name } = props
  const { title, description } = schema
  const isOfKind = use(InKind)
  const { path } = fieldPathId
  const isWanted =
    isOfKind || typeof path.at(-1) === 'number' || (required && path.length <= OPEN_UNTIL)
  const [isOpened, setIsOpened] = useState(isWanted)
  const whole = useMemo(
    // What was said above is not said again.
    () => ({
      ...inner,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description: undefined }),
    }),
    [inner, title, description],
  )
  const { SchemaField } = registry.fields
  if (SchemaField === undefined) return null
  if (!isOpened && formData === undefined)
    return (
      <div>
        <Button
          size="small"
          icon={Plus}
          aria-label={`Fill in ${fieldLabel(title ?? name, path)}`}
          onClick={() => setIsOpened(true)}
        >
          Fill in
        </Button>
      </div>
    )
  return (
    <InKind value>
      <SchemaField {...props} schema={whole} required />
    </InKind>
  )
}

/** A field without a type of its own: one that goes deeper, or one in which JSON is written. */
export function OpenField(props: FieldProps<unknown>): ReactElement {
  const inner = deeperSchema(props)
  return inner === undefined ? <JsonControl {...props} /> : <Deeper {...props} inner={inner} />
}

function written(value: unknown): string {
  if (value === undefined) return ''
  return unreadText(value) ?? JSON.stringify(value, null, 2)
}

/** A value of any kind, written as JSON; what cannot be read stays as it was typed, and is not sent. */
function JsonControl(props: FieldProps<unknown>): ReactElement {
  const { schema, formData, fieldPathId, onChange, required = false, rawErrors } = props
  const [typed, setTyped] = useState({ text: written(formData), value: formData })
  const text = Object.is(typed.value, formData) ? typed.text : written(formData)
  const read = text.trim() === '' ? undefined : readJson(text)
  const change = (next: string): void => {
    const found = next.trim() === '' ? undefined : readJson(next)
    const value = found?.kind === 'fault' ? asUnread(next) : found?.value
    setTyped({ text: next, value })
    onChange(value, fieldPathId.path)
  }
  const id = domId(fieldPathId.$id)
  return (
    <>
      <CodeArea
        {...controlIds({ schema, required, rawErrors, id: fieldPathId.$id })}
        rows={2}
        placeholder='JSON, such as "text", 12 or {"a": 1}'
        value={text}
        onValueChange={change}
      />
      {read?.kind === 'fault' && <ProblemText id={`${id}-json`}>{faultWords(read)}</ProblemText>}
    </>
  )
}
