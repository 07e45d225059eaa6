import type { FieldProps, RJSFSchema } from '@rjsf/utils'
import { Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { use, useMemo, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { isJsonObject, own } from '../reading/json-object'
import { fieldLabel } from './field-frame'
import { InKind } from './in-kind'
import { JsonControl } from './json-control'

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
