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
    <Banner severity="warn" title={`There is no field for ${variable} yet.`}>
      {isByHand
        ? 'Add it to the variables below.'
        : 'The server asks for it, but its registry entry does not list it. Add the server by hand, where it can have any variable.'}
    </Banner>
  )
}
