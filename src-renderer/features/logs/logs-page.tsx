import { ChevronDown } from 'lucide-react'
import { type JSX, useState } from 'react'

import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Menu, MenuAction, MenuChecks, MenuLine } from '../../ui/controls/menu'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { formatCount } from '../../ui/text/format'
import { LogView } from './log-view'

type Choice = { readonly value: string; readonly label: string }

function wordsOf(choices: readonly Choice[], shown: readonly string[]): string {
  if (shown.length === choices.length) return 'All servers'
  const [only] = shown
  const name = choices.find(({ value }) => value === only)?.label
  return shown.length === 1 && name ? name : `${formatCount(shown.length)} servers`
}

const NO_SERVERS = [] as const

/** The logs of several servers as one, each line with the name of its server. */
export function LogsPage(): JSX.Element {
  const servers = useApp(({ app }) => app?.servers ?? NO_SERVERS)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const visible = servers.filter(({ installationId }) => !hidden.includes(installationId))
  const shown = visible.length > 0 ? visible : servers
  const choices = servers.map(({ installationId, name }) => ({
    value: installationId,
    label: name,
  }))
  const shownIds = shown.map(({ installationId }) => installationId)
  const words = wordsOf(choices, shownIds)
  // At least one is shown.
  const hide = (value: string, isChosen: boolean): void => {
    const next = choices.filter((choice) =>
      choice.value === value ? isChosen : shownIds.includes(choice.value),
    )
    if (next.length === 0) return
    setHidden(choices.filter((choice) => !next.includes(choice)).map((choice) => choice.value))
  }
  return (
    <Page title="Logs" crumbs={[{ label: 'Servers', href: '/servers' }]} layout="columns">
      {shown.length === 0 ? (
        <BlankState
          art="open"
          title="No servers yet"
          message="Server output appears here. Add a server to start."
          action={
            <ButtonLink href="/catalog" variant="primary">
              Open catalog
            </ButtonLink>
          }
        />
      ) : (
        <LogView
          servers={shown}
          lead={
            <Menu
              align="start"
              label="Servers"
              trigger={
                <Button variant="quiet" size="small" aria-label={`Servers: ${words}`}>
                  <span className="cut">{words}</span>
                  <ChevronDown className="icon icon-s" aria-hidden />
                </Button>
              }
            >
              <MenuAction onSelect={() => setHidden([])}>All servers</MenuAction>
              <MenuLine />
              <div className="bounded scroll">
                <MenuChecks values={shownIds} choices={choices} onChange={hide} />
              </div>
            </Menu>
          }
        />
      )}
    </Page>
  )
}
