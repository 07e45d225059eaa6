import type { JSX } from 'react'
import { Link } from 'wouter'

import type { HostView } from '../../../src-shared/domain/agents/host'
import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { listed } from './import-words'

const NO_HOSTS: readonly HostView[] = []

/** What stands here where no app has a server: which apps are looked for, and the other ways. */
export function NothingFound({ onAgain }: { readonly onAgain: () => void }): JSX.Element {
  const hosts = useApp(({ app }) => app?.hosts.hosts ?? NO_HOSTS)
  const here = hosts.filter(({ isHere }) => isHere).map(({ name }) => name)
  return (
    <div>
      <BlankState
        art="waiting"
        title="No servers in your apps"
        message={
          here.length === 0
            ? 'None of the apps that Patchbay knows has a file of servers on this computer.'
            : `${listed(here)} ${here.length === 1 ? 'has' : 'have'} no server to import.`
        }
        action={
          <span className="row gap-2 slim">
            <Button onClick={onAgain}>Look again</Button>
            <ButtonLink href="/catalog?paste" variant="primary">
              Paste configuration
            </ButtonLink>
          </span>
        }
      />
      {hosts.length > 0 && (
        <p className="measure middle above-2 soft">
          Patchbay looks for {listed(hosts.map(({ name }) => name))}.
        </p>
      )}
      <p className="measure middle above-2 soft">
        Project folders are looked into once they are added on the <Link href="/apps">Apps</Link>{' '}
        page.
      </p>
    </div>
  )
}
