import type { JSX, ReactNode } from 'react'
import { useRef, useState } from 'react'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { Segmented } from '../../ui/controls/segmented'
import { lazyPart } from '../../ui/layout/lazy-screen'
import { Skeleton } from '../../ui/layout/skeleton'

type Tab = 'result' | 'view'

const TABS: { value: Tab; label: string }[] = [
  { value: 'result', label: 'Result' },
  { value: 'view', label: 'View' },
]

const LazyView = lazyPart(async () => {
  const { ToolView } = await import('./view/tool-view')
  return ToolView
})

/** The result of a run, and the view of its tool where that has one. An open view stays while the result is read. */
export function OutcomeTabs({
  toolRun,
  hasView,
  children,
}: {
  readonly toolRun: ToolRun
  readonly hasView: boolean
  /** The result. */
  readonly children: ReactNode
}): JSX.Element {
  const [tab, setTab] = useState<Tab>('result')
  const [isOpen, setIsOpen] = useState(false)
  const tabs = useRef<HTMLDivElement>(null)
  if (!hasView || toolRun.outcome?.kind !== 'result') return <>{children}</>
  const choose = (next: Tab): void => {
    setTab(next)
    if (next === 'view') setIsOpen(true)
  }
  const close = (): void => {
    setTab('result')
    setIsOpen(false)
    // The button that had the focus is gone.
    tabs.current?.querySelector<HTMLElement>('[role="radio"]')?.focus()
  }
  return (
    <>
      <div ref={tabs}>
        <Segmented label="Outcome" value={tab} onValueChange={choose} options={TABS} />
      </div>
      <div hidden={tab !== 'result'}>{children}</div>
      {isOpen && (
        <div className="slim-parts stack slim gap-3" hidden={tab !== 'view'}>
          <LazyView
            toolRun={toolRun}
            onClose={close}
            fallback={<Skeleton label="Loading view" rows={2} />}
          />
        </div>
      )}
    </>
  )
}
