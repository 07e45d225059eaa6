import clsx from 'clsx'
import type { JSX } from 'react'

import type { ToolChange } from '../../../src-shared/domain/agents/tools'
import { useRequest } from '../../ipc/use-request'
import { useApp, useNow } from '../../stores/app-store'
import { BlankState } from '../../ui/layout/page'
import { Tag } from '../../ui/marks/tag'
import { formatMoment } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { Loading } from '../status/loading'
import { ToolDefinition, ToolDifference } from './review-texts'

const KIND_LABEL: Readonly<Record<ToolChange['kind'], string>> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  approved: 'Approved by you',
  refused: 'Rejected by you',
}

function What({ change: { before, after } }: { readonly change: ToolChange }): JSX.Element | null {
  if (before && after) return <ToolDifference before={before} after={after} />
  const only = after ?? before
  return only ? <ToolDefinition tool={only} /> : null
}

type EventProps = {
  readonly change: ToolChange
  /** Whether all events belong to one tool, whose page names it. */
  readonly isOneTool: boolean
}

function Line({ change, isOneTool }: EventProps): JSX.Element {
  const { at, name, kind, packageVersion } = change
  const now = useNow(60_000)
  return (
    <>
      {!isOneTool && <code className="min-w-0">{visibleText(name)}</code>}
      <Tag tone={kind === 'changed' ? 'warn' : 'plain'}>{KIND_LABEL[kind]}</Tag>
      {packageVersion !== undefined && (
        <span className="text-small text-faint">version {visibleText(packageVersion)}</span>
      )}
      <span className="ms-auto text-small text-faint tabular-nums">{formatMoment(at, now)}</span>
    </>
  )
}

function Event(props: EventProps): JSX.Element {
  const { change } = props
  if (!change.before && !change.after)
    return (
      <li className="review-event">
        <div className="flex min-h-6 flex-wrap items-baseline gap-2 gap-y-0 ps-4.5">
          <Line {...props} />
        </div>
      </li>
    )
  return (
    <li className="review-event">
      <details>
        <summary className="flex flex-wrap items-baseline gap-2 gap-y-0">
          <Line {...props} />
        </summary>
        <What change={change} />
      </details>
    </li>
  )
}

/** The events of a server's tools, or of one tool, newest first, with the definitions before and after. */
export function ToolHistory(props: {
  readonly installationId: string
  /** Limits the events to this tool. */
  readonly name?: string
}): JSX.Element {
  const { installationId, name } = props
  const generation = useApp(({ app }) => app?.tools.generation)
  const request = useRequest('tools.history', { installationId }, { state: [generation] })
  return (
    <Loading request={request} label="Loading history" failure="Can’t load the history">
      {(all) => (
        <Changes
          changes={all.filter((change) => name === undefined || change.name === name)}
          isOneTool={name !== undefined}
        />
      )}
    </Loading>
  )
}

function Changes(props: {
  readonly changes: readonly ToolChange[]
  readonly isOneTool: boolean
}): JSX.Element {
  const { changes, isOneTool } = props
  if (changes.length === 0 && isOneTool) return <p className="text-faint">No changes yet</p>
  if (changes.length === 0)
    return (
      <BlankState
        art="open"
        title="No changes yet"
        message="Added, changed, and removed tools will appear here."
      />
    )
  return (
    <ul
      className={clsx('divide-y divide-line *:py-2', isOneTool || 'bounded scroll mt-3')}
      aria-label="Tool history"
      tabIndex={isOneTool ? undefined : 0}
    >
      {changes.map((change, index) => (
        <Event key={`${change.at} ${change.name} ${index}`} {...{ change, isOneTool }} />
      ))}
    </ul>
  )
}
