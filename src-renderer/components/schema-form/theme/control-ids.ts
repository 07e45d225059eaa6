import type { RJSFSchema } from '@rjsf/utils'

import { hasHint } from './hint-messages'

/** An id that can stand in a list of ids, as `aria-describedby` is one: names of members can hold spaces. */
export function domId(id: string): string {
  return id.replace(/\s/gu, '_')
}

/** What a control needs to be read together with its label, hint and problem; its frame draws those under the same ids. */
export function controlIds(props: {
  readonly id: string
  readonly schema: RJSFSchema
  readonly required?: boolean | undefined
  readonly rawErrors?: readonly string[] | undefined
}): {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
} {
  const { schema, required = false, rawErrors = [] } = props
  const id = domId(props.id)
  const isFaulty = rawErrors.length > 0
  const described = [hasHint(schema) ? `${id}-hint` : '', isFaulty ? `${id}-problem` : '']
  return {
    id,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': isFaulty || undefined,
    'aria-required': required || undefined,
  }
}
