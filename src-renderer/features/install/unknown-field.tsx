import type { ReactElement } from 'react'

import { ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { isWebAddress } from './values/web-address'

const VARIABLE = /^env_(\w{1,100})$/

/** Says of what a failed server asks for, and the form has no field for, where it can be given one. */
export function UnknownField({
  fieldKey,
  isCustomServer,
  proposed,
}: {
  readonly fieldKey: string
  /** What was to be filled in. */
  readonly proposed: string | undefined
  readonly isCustomServer: boolean
}): ReactElement | null {
  if (fieldKey === 'url' && !isCustomServer && proposed !== undefined && isWebAddress(proposed))
    return (
      <Banner
        severity="warn"
        title="The address is fixed by the catalog."
        action={
          <ButtonLink size="small" href={`/by-hand?url=${encodeURIComponent(proposed)}`}>
            Add server manually
          </ButtonLink>
        }
      >
        To use <span className="mono break">{proposed}</span>, add the server manually.
      </Banner>
    )
  const variable = VARIABLE.exec(fieldKey)?.[1]
  if (variable === undefined) return null
  return (
    <Banner severity="warn" title={`${variable} has no field yet.`}>
      {isCustomServer
        ? 'Add the variable below.'
        : 'The server needs this variable, but the registry entry doesn’t list it. Add the server manually to set any variable.'}
    </Banner>
  )
}
