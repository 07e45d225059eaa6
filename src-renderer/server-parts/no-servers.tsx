import { Plus } from 'lucide-react'
import type { JSX } from 'react'

import { BlankState } from '../ui/blank-state'
import { ButtonLink } from '../ui/button'

/** The way from a list of servers to the next one. */
export function AddServer(): JSX.Element {
  return (
    <ButtonLink href="/catalog" icon={Plus}>
      Add server
    </ButtonLink>
  )
}

/** What stands where servers will be, before the first; `message` says what this place is for. */
export function NoServers({ message }: { readonly message: string }): JSX.Element {
  return (
    <BlankState
      art="waiting"
      title="No servers yet"
      message={message}
      action={
        <ButtonLink href="/catalog" variant="primary">
          Open the catalog
        </ButtonLink>
      }
    />
  )
}
