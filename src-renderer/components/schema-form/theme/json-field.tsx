import type { FieldProps } from '@rjsf/utils'
import { type ReactElement, useState } from 'react'

import { CodeArea } from '../../../ui/fields/code-area'
import { ProblemText } from '../../../ui/fields/problem-text'
import { faultWords, readJson } from '../reading/json-text'
import { asUnread, unreadText } from '../reading/unread-text'
import { controlIds, domId } from './control-ids'

function written(value: unknown): string {
  if (value === undefined) return ''
  return unreadText(value) ?? JSON.stringify(value, null, 2)
}

/** A value of any kind, written as JSON; what cannot be read stays as it was typed, and is not sent. */
export function JsonField(props: FieldProps<unknown>): ReactElement {
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
