import type { JSX } from 'react'

import type { ToolChange } from '../../../src-shared/domain/agents/tools'
import { ToolDefinition, ToolDifference } from '../../components/tool/review-texts'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { Tag } from '../../ui/marks/tag'
import { Dialog } from '../../ui/overlays/dialog'
import { formatMoment } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'

const KIND_WORD: Readonly<Record<ToolChange['kind'], string>> = {
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

function Line({ change }: { readonly change: ToolChange }): JSX.Element {
  const { at, name, kind, packageVersion } = change
  const now = useNow(60_000)
  return (
    <>
      <code className="slim">{visibleText(name)}</code>
      <Tag tone={kind === 'changed' ? 'warn' : 'plain'}>{KIND_WORD[kind]}</Tag>
      {packageVersion !== undefined && (
        <span className="faint small">version {visibleText(packageVersion)}</span>
      )}
      <span className="to-end faint small num">{formatMoment(at, now)}</span>
    </>
  )
}

function Event({ change }: { readonly change: ToolChange }): JSX.Element {
  if (!change.before && !change.after)
    return (
      <li className="review-event">
        <div className="review-line flex wrap at-base gap-2 rows-0">
          <Line change={change} />
        </div>
      </li>
    )
  return (
    <li className="review-event">
      <details>
        <summary className="flex wrap at-base gap-2 rows-0">
          <Line change={change} />
        </summary>
        <What change={change} />
      </details>
    </li>
  )
}

function Contents({ installationId }: { readonly installationId: string }): JSX.Element {
  const generation = useApp(({ app }) => app?.tools.generation)
  const { loaded, retry } = useRequest('tools.history', { installationId }, { state: [generation] })
  switch (loaded.kind) {
    case 'loading':
      return <Skeleton label="Loading history" rows={4} />
    case 'failed':
      return (
        <ProblemState title="Can’t load the history" problem={loaded.problem} onRetry={retry} />
      )
    case 'ready':
      return loaded.value.length === 0 ? (
        <BlankState
          art="open"
          title="No changes yet"
          message="Added, changed, and removed tools will appear here."
        />
      ) : (
        <ul className="bounded divided roomy above-3 scroll" aria-label="Tool history" tabIndex={0}>
          {loaded.value.map((change, index) => (
            <Event key={`${change.at} ${change.name} ${index}`} change={change} />
          ))}
        </ul>
      )
  }
}

/** What happened to the tools of a server, newest first, with what was before and after. */
export function ToolHistory({
  installationId,
  onClose,
}: {
  readonly installationId: string
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Tool history"
      description="Changes by the server and your decisions."
      leave="Close"
    >
      <Contents installationId={installationId} />
    </Dialog>
  )
}
