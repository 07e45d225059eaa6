import { History } from 'lucide-react'
import { type JSX, useRef, useState } from 'react'

import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { serverActions } from '../../components/server/actions'
import {
  ALL_TOOLS,
  decideChoice,
  type GroupServer,
  type ToolListing,
  type ToolsView,
  useToolListing,
} from '../../components/tool/list/list-groups'
import { ToolList, ToolSearch, ToolsWaiting } from '../../components/tool/list/tool-list'
import { namesOf } from '../../components/tool/tool-choices'
import { ToolHistory } from '../../components/tool/tool-history'
import { quarantinedText, tokensText } from '../../components/tool/tool-messages'
import { useTools } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { Banner, BlankState } from '../../ui/layout/page'
import { Dialog } from '../../ui/overlays/dialog'
import { counted, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { CapabilityPanel } from './capability-panel'

const CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'list', label: 'Selected' },
  { value: 'none', label: 'None' },
] as const
const CHOICE_SENTENCE: Readonly<Record<ToolChoice['kind'], string>> = {
  all: 'New tools are added after you approve them.',
  list: 'New tools stay off until you select them.',
  none: 'Agents see no tools from this server.',
}
const CONFIRMATIONS: Readonly<Record<ToolChoice['kind'], string>> = {
  all: 'All tools turned on.',
  list: 'Only selected tools are on.',
  none: 'All tools turned off.',
}
/** Number of tools from which the list has a search. */
const SEARCH_FROM = 9
/** Maximum number of names in a banner before it counts the rest. */
const NAMED = 5

/** Returns the headline of the tab: "12 of 14 tools available to agents, ≈ 3,210 tokens". */
function headline({ exposed, total, tokens }: ServerTools): string {
  const shown = `${formatCount(exposed)} of ${counted(total, 'tool')} available to agents`
  return exposed === 0 || tokens === undefined ? shown : `${shown}, ${tokensText(tokens)}`
}

function Missing({ numbers }: { readonly numbers: ServerTools }): JSX.Element | null {
  const { choice, missing } = numbers
  if (choice.kind !== 'list' || missing.length === 0) return null
  const remaining = missing.length - NAMED
  const names = missing.slice(0, NAMED).map(visibleText).join(', ')
  const remove = (): void => {
    const available = choice.names.filter((name) => !missing.includes(name))
    void decideChoice(numbers, { kind: 'list', names: available }, 'Removed from the selection.')
  }
  return (
    <Banner
      severity="warn"
      title={`${counted(missing.length, 'selected tool is', 'selected tools are')} no longer listed.`}
      action={
        <Button size="small" onClick={remove}>
          Remove from selection
        </Button>
      }
    >
      The server no longer lists {names}
      {remaining > 0 && ` and ${formatCount(remaining)} more`}.
    </Banner>
  )
}

function ChoiceHeader(props: {
  readonly server: ServerView
  readonly group: GroupServer
  readonly listing: ToolListing
}): JSX.Element {
  const { server, group, listing } = props
  const { numbers: listed, choice } = group
  const { all } = listing
  const numbers = { ...listed, choice }
  const { installationId } = numbers
  const quarantined = quarantinedText(numbers)
  const [isHistory, setIsHistory] = useState(false)
  // Keeps the individual choice while the user looks at "All".
  const lastList = useRef<ToolChoice | null>(null)
  const choose = (kind: ToolChoice['kind']): void => {
    if (kind === choice.kind) return
    if (choice.kind === 'list') lastList.current = choice
    const names = [...namesOf(choice, [...new Set(all.map(({ tool }) => tool.name))])]
    const list = lastList.current ?? { kind: 'list', names }
    void decideChoice(numbers, kind === 'list' ? list : { kind }, CONFIRMATIONS[kind])
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3 gap-y-2">
        <h2 className="text-lead font-medium tabular-nums">{headline(numbers)}</h2>
        <span className="min-w-0 flex-1" />
        {all.length >= SEARCH_FROM && <ToolSearch listing={listing} />}
        <Button size="small" variant="quiet" icon={History} onClick={() => setIsHistory(true)}>
          History
        </Button>
      </div>
      {quarantined !== '' && <p className="text-muted">{quarantined}</p>}
      {all.length > 0 && (
        <div className="flex flex-wrap items-center gap-3 gap-y-2">
          <Segmented
            label="Tools available to agents"
            value={choice.kind}
            options={CHOICES}
            onValueChange={choose}
          />
          <p className="text-small text-faint">{CHOICE_SENTENCE[choice.kind]}</p>
        </div>
      )}
      {!server.enabled && (
        <Banner
          severity="info"
          title={`${server.name} is turned off.`}
          action={
            <Button
              size="small"
              onClick={() => void serverActions.setEnabled(server.installationId, true)}
            >
              Turn on
            </Button>
          }
        >
          Agents can’t see this server’s tools.
        </Banner>
      )}
      <Missing numbers={numbers} />
      {isHistory && (
        <Dialog
          wide
          onClose={() => setIsHistory(false)}
          title="Tool history"
          description="Changes by the server and your decisions."
          leave="Close"
        >
          <ToolHistory installationId={installationId} />
        </Dialog>
      )}
    </div>
  )
}

/** The tools of a server, grouped by behavior. */
export function ToolsPanel({ server }: { readonly server: ServerView }): JSX.Element {
  const [view, setView] = useState<ToolsView>({ ...ALL_TOOLS, sort: 'behavior' })
  const onView = (change: Partial<ToolsView>): void => setView({ ...view, ...change })
  const listing = useToolListing(view, onView, server.installationId)
  const isKnown = useTools().tools !== null
  const { all, servers } = listing
  const [group] = servers
  const hasList = isKnown && all.length > 0
  return (
    <CapabilityPanel server={server} label="Tools" list={hasList && <ToolList listing={listing} />}>
      {() => (
        <>
          {isKnown && group ? (
            <ChoiceHeader server={server} group={group} listing={listing} />
          ) : (
            <ToolsWaiting />
          )}
          {isKnown && all.length === 0 && (
            <BlankState art="open" title="No tools" message="This server doesn’t offer tools." />
          )}
        </>
      )}
    </CapabilityPanel>
  )
}
