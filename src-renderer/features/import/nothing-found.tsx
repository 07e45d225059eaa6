import type { JSX } from 'react'
import { Link } from 'wouter'

import type { HostView } from '../../../src-shared/domain/agents/host'
import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { formatList } from '../../ui/text/format'
import {} from './messages'

const NO_HOSTS: readonly HostView[] = []

/** What stands here where no app has a server: which apps are looked for, and the other ways. */
export function NothingFound({ onAgain }: { readonly onAgain: () => void }): JSX.Element {
  const hosts = useApp(({ app }) => app?.hosts.hosts ?? NO_HOSTS)
  const here = hosts.filter(({ isHere }) => isHere).map(({ name }) => name)
  return (
    <div>
      <BlankState
        art="waiting"
        title="No servers to import"
        message={
          here.length === 0
            ? 'Servers from supported apps appear here. Add servers to an app, or paste a configuration.'
            : `The files of ${formatList(here)} list no servers.`
        }
        action={
          <span className="row gap-2 slim">
            <Button onClick={onAgain}>Refresh</Button>
            <ButtonLink href="/catalog?paste" variant="primary">
              Paste configuration
            </ButtonLink>
          </span>
        }
      />
      {hosts.length > 0 && (
        <p className="measure middle above-2 soft">
          Patchbay scans {formatList(hosts.map(({ name }) => name))}.
        </p>
      )}
      <p className="measure middle above-2 soft">
        To scan a project folder, add it on the <Link href="/apps">Apps</Link> page.
      </p>
    </div>
  )
}
