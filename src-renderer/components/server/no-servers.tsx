import { Plus } from 'lucide-react'
import type { JSX } from 'react'

import type { HostsState } from '../../../src-shared/domain/agents/host'
import { useApp } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState, Page } from '../../ui/layout/page'
import { counted } from '../../ui/text/format'

/** The way from a list of servers to the next one. */
export function AddServer(): JSX.Element {
  return (
    <ButtonLink href="/catalog" icon={Plus}>
      Add server
    </ButtonLink>
  )
}

/** The way to the servers that other apps have, where they have any. */
function FromApps(): JSX.Element | null {
  const count = useApp(({ app }) => (app ? serversInApps(app.hosts) : 0))
  if (count === 0) return null
  return (
    <p className="mx-auto grid place-items-center gap-2 text-center text-balance text-muted">
      {`${counted(count, 'server')} found in your apps.`}{' '}
      <ButtonLink size="small" href="/import">
        Import
      </ButtonLink>
    </p>
  )
}

/** What stands where servers will be, before the first; `message` says what this place is for. */
export function NoServers({ message }: { readonly message: string }): JSX.Element {
  return (
    <>
      <BlankState
        art="waiting"
        title="No servers yet"
        message={message}
        action={
          <ButtonLink href="/catalog" variant="primary">
            Open catalog
          </ButtonLink>
        }
      />
      <FromApps />
    </>
  )
}

/** How many servers the apps of this computer have, those that lead to Patchbay left out; a file that several apps read counts once. */
export function serversInApps({ hosts }: Pick<HostsState, 'hosts'>): number {
  const files = new Map(hosts.flatMap(({ files: own }) => own).map((file) => [file.path, file]))
  return [...files.values()].reduce((sum, { state, connections }) => {
    const own = connections.filter((one) => one.state !== 'gone').length
    return sum + (state.kind === 'read' ? Math.max(0, state.servers - own) : 0)
  }, 0)
}

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
