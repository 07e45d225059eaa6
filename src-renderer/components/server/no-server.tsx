import type { JSX } from 'react'

import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'

/** A page of a server that isn’t there. */
export function NoServer({ title }: { readonly title: string }): JSX.Element {
  return (
    <Page title={title} crumbs={[{ label: 'Servers', href: '/servers' }]}>
      <BlankState
        art="open"
        title="Server not found"
        message="This server was removed, or the address is wrong."
        action={<ButtonLink href="/servers">Show all servers</ButtonLink>}
      />
    </Page>
  )
}
