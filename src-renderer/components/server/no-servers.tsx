import { Plus } from 'lucide-react'
import type { JSX } from 'react'

import type { HostsState } from '../../../src-shared/domain/agents/host'
import { useApp } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState, Page } from '../../ui/layout/page'
import { counted } from '../../ui/text/format'

/** The button that adds a server. */
export function AddServer(): JSX.Element {
  return (
    <ButtonLink href="/catalog" icon={Plus}>
      Add server
    </ButtonLink>
  )
}

/** The link to the servers in other apps, if there are any. */
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

/** The empty state of a list of servers; `message` says what will appear here. */
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

/** Counts the servers in the apps on this computer, without entries for Patchbay; a file that several apps read counts once. */
export function serversInApps({ hosts }: Pick<HostsState, 'hosts'>): number {
  const files = new Map(hosts.flatMap(({ files: own }) => own).map((file) => [file.path, file]))
  return [...files.values()].reduce((sum, { state, connections }) => {
    const connected = connections.filter((one) => one.state !== 'gone').length
    return sum + (state.kind === 'read' ? Math.max(0, state.servers - connected) : 0)
  }, 0)
}

/** The page of a server that doesn't exist. */
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
