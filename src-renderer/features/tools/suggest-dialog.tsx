import type { JSX } from 'react'
import { useState } from 'react'

import type { OffSuggestion } from '../../../src-shared/domain/agents/tools'
import { type AppLimit, limitsBelow, useAppLimits } from '../../components/tool/app-limits'
import type { ListedTool } from '../../components/tool/list/list-groups'
import { switchShown } from '../../components/tool/list/switch-shown'
import { toolsWords } from '../../components/tool/tool-messages'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { Dialog } from '../../ui/overlays/dialog'
import { visibleText } from '../../ui/text/visible-text'

/** A limit to come down to. */
type Goal = { readonly limit: number; readonly label: string }

/** One goal for each number of tools, named by the apps that list no more. */
function goalsOf(limits: readonly AppLimit[]): readonly Goal[] {
  const byLimit = Map.groupBy(limitsBelow(limits), ({ limit }) => limit)
  return [...byLimit].map(([limit, apps]) => ({
    limit,
    label: `${toolsWords(limit)}: ${apps.map(({ name }) => name).join(', ')}`,
  }))
}

function keyOf({ installationId, name }: { installationId: string; name: string }): string {
  return `${installationId}\n${name}`
}

function Suggestions({
  offers,
  nameOf,
  kept,
  onKeep,
}: {
  readonly offers: readonly OffSuggestion[]
  readonly nameOf: (installationId: string) => string
  readonly kept: ReadonlySet<string>
  readonly onKeep: (key: string, isKept: boolean) => void
}): JSX.Element {
  if (offers.length === 0)
    return (
      <BlankState
        art="waiting"
        title="Within the limit"
        message="Choose a lower limit to see suggestions."
      />
    )
  return (
    <ul className="suggestions bounded box scroll divided" tabIndex={0} aria-label="Suggestions">
      {offers.map((offer) => {
        const key = keyOf(offer)
        return (
          <li key={key}>
            <label className="pad-row row gap-3">
              <input
                type="checkbox"
                className="check"
                checked={!kept.has(key)}
                onChange={({ target }) => onKeep(key, !target.checked)}
              />
              <span className="stack slim">
                <span className="row gap-2 slim">
                  <code className="cut">{visibleText(offer.name)}</code>
                  <span className="faint cut">{nameOf(offer.installationId)}</span>
                </span>
                <span className="soft small">{visibleText(offer.because)}</span>
              </span>
            </label>
          </li>
        )
      })}
    </ul>
  )
}

/** Suggests which tools to switch off to come within a limit; what is ticked is switched off in one go. */
export function SuggestDialog({
  all,
  onClose,
}: {
  readonly all: readonly ListedTool[]
  readonly onClose: () => void
}): JSX.Element {
  const limits = useAppLimits()
  const [goals] = useState(() => goalsOf(limits))
  const [limit, setLimit] = useState(() => goals.at(-1)?.limit ?? 1)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const { loaded, retry } = useRequest('tools.suggest', { limit })
  const offers = loaded.kind === 'ready' ? loaded.value : []
  const wanted = new Set(offers.map(keyOf).filter((key) => !kept.has(key)))
  const names = new Map(all.map(({ server }) => [server.numbers.installationId, server.name]))
  const apply = (): void => {
    onClose()
    const these = all.filter(({ tool }) => wanted.has(keyOf(tool)))
    switchShown(all, these, false)
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Turn off tools"
      description="Least used first. Clear the tools you want to keep."
      leave="Cancel"
      actions={
        <Button
          size="form"
          variant="primary"
          aria-disabled={wanted.size === 0 || undefined}
          onClick={() => wanted.size > 0 && apply()}
        >
          {`Turn off ${toolsWords(wanted.size)}`}
        </Button>
      }
    >
      <div className="field stack gap-1 above-4 below-3">
        <label className="medium" htmlFor="suggest-limit">
          Reduce to
        </label>
        <Select
          id="suggest-limit"
          value={String(limit)}
          onValueChange={(value) => setLimit(Number(value))}
          options={goals.map((goal) => ({ value: String(goal.limit), label: goal.label }))}
        />
      </div>
      {loaded.kind === 'loading' && <Skeleton label="Loading suggestions" rows={4} />}
      {loaded.kind === 'failed' && (
        <ProblemState title="Can’t load suggestions" problem={loaded.problem} onRetry={retry} />
      )}
      {loaded.kind === 'ready' && (
        <Suggestions
          offers={offers}
          kept={kept}
          onKeep={(key, isKept) => {
            const others = [...kept].filter((one) => one !== key)
            setKept(new Set(isKept ? [...others, key] : others))
          }}
          nameOf={(installationId) => names.get(installationId) ?? ''}
        />
      )}
    </Dialog>
  )
}
