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

/** A choice of one or all. One that was chosen and is gone stays in the list, so that it can be seen and undone. */
function OneChip({
  label,
  all,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string
  /** Stands for no choice. */
  readonly all: string
  readonly options: readonly FilterOption<string>[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string | undefined) => void
}): JSX.Element {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen)
  const gone = isKnown ? [] : [{ value: chosen, label: chosen }]
  return (
    <ChoiceChip
      label={label}
      value={chosen ?? EVERY}
      options={[{ value: EVERY, label: all }, ...options, ...gone]}
      onChoose={(value) => onChoose(value === EVERY ? undefined : value)}
    />
  )
}

function Filters({ view }: { readonly view: ActivityView }): JSX.Element {
  const { agentId, installationId, outcome, span } = view
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  const servers = useServers()
  return (
    <div className="chips flex wrap gap-1 slim">
      <OneChip
        label="App"
        all="All apps"
        options={agents.map((agent) => ({ value: agent.agentId, label: agent.name }))}
        chosen={agentId}
        onChoose={(value) => setActivityView({ agentId: value })}
      />
      <OneChip
        label="Server"
        all="All servers"
        options={servers.map((server) => ({ value: server.installationId, label: server.name }))}
        chosen={installationId}
        onChoose={(value) => setActivityView({ installationId: value })}
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
