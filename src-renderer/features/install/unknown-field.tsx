import type { ReactElement } from 'react'

import { Banner } from '../../ui/layout/banner'

const VARIABLE = /^env_(\w{1,100})$/

/** Says of a variable that a failed server asks for, and that the form has no field for, where it can be given one. */
export function UnknownField({
  fieldKey,
  isByHand,
}: {
  readonly fieldKey: string
  readonly isByHand: boolean
}): ReactElement | null {
  const variable = VARIABLE.exec(fieldKey)?.[1]
  if (variable === undefined) return null
  return (
    <Banner severity="warn" title={`${variable} has no field yet`}>
      {isByHand
        ? 'Add the variable below.'
        : 'The server needs this variable, but the registry entry doesn’t list it. Add the server manually to set any variable.'}
    </Banner>
  )
}
