import type { JSX } from 'react'

import { CallOutcome } from '../../../src-shared/domain/agents/activity'
import { useApp, useServers } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { ChoiceChip, type FilterOption } from '../../ui/filters/filter-chip'
import { SavingLine } from '../../ui/saving/saving-line'
import {
  type ActivityView,
  ALL_CALLS,
  isNarrowed,
  setActivityView,
  type Span,
  useActivityView,
} from './activity-view-store'
import { callsWords, OUTCOMES } from './messages'
import type { CallExport } from './use-call-export'

const SPAN_OPTIONS: readonly FilterOption<Span>[] = [
  { value: 'all', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
]

const OUTCOME_OPTIONS: readonly FilterOption<ActivityView['outcome']>[] = [
  { value: 'all', label: 'Any outcome' },
  { value: 'failed', label: 'Not successful' },
  ...CallOutcome.options.map((value) => ({ value, label: OUTCOMES[value].word })),
]

/** In place of an id where all are meant; no id is empty. */
const EVERY = ''

/** Those that are there; one that is chosen and gone stays an answer, so that it can be told and taken back. */
function withChosen(
  options: readonly FilterOption<string>[],
  chosen: string | undefined,
): readonly FilterOption<string>[] {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen)
  return isKnown ? options : [...options, { value: chosen, label: chosen }]
}

function Filters({ view }: { readonly view: ActivityView }): JSX.Element {
  const { agentId, installationId, outcome, span } = view
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  const servers = useServers()
  const agentOptions = agents.map((agent) => ({ value: agent.agentId, label: agent.name }))
  const serverOptions = servers.map((server) => {
    return { value: server.installationId, label: server.name }
  })
  return (
    <div className="chips flex wrap gap-1 slim">
      <ChoiceChip
        label="App"
        value={agentId ?? EVERY}
        options={[{ value: EVERY, label: 'All apps' }, ...withChosen(agentOptions, agentId)]}
        onChoose={(value) => setActivityView({ agentId: value === EVERY ? undefined : value })}
      />
      <ChoiceChip
        label="Server"
        value={installationId ?? EVERY}
        options={[
          { value: EVERY, label: 'All servers' },
          ...withChosen(serverOptions, installationId),
        ]}
        onChoose={(value) =>
          setActivityView({ installationId: value === EVERY ? undefined : value })
        }
      />
      <ChoiceChip
        label="Outcome"
        value={outcome}
        options={OUTCOME_OPTIONS}
        onChoose={(value) => setActivityView({ outcome: value })}
      />
      <ChoiceChip
        label="Time"
        value={span}
        options={SPAN_OPTIONS}
        onChoose={(value) => setActivityView({ span: value, spanAt: Date.now() })}
      />
    </div>
  )
}

/** How many calls are listed, by what filters, and how far their export is. */
export function ActivityBar({
  total,
  exporting: { saving, cancel },
}: {
  readonly total: number | undefined
  readonly exporting: CallExport
}): JSX.Element {
  const view = useActivityView()
  return (
    <div className="list-bar row gap-2 fixed soft ruled" role="toolbar" aria-label="Filters">
      <span className="num activity-count nowrap hide-small">
        {total === undefined ? '' : callsWords(total)}
      </span>
      <Filters view={view} />
      {isNarrowed(view) && (
        <Button variant="quiet" size="small" onClick={() => setActivityView(ALL_CALLS)}>
          Show all
        </Button>
      )}
      <span className="grow" />
      {saving && <SavingLine saving={saving} things="calls" onCancel={cancel} />}
    </div>
  )
}
