import './removal.css'

import { Trash2 } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { RemovalList } from '../../../src-shared/domain/state/removal'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { formatBytes } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { ConfirmRemoval } from './confirm-removal'
import { type RemovalGroup, removalGroups } from './messages'

function Group({ group }: { readonly group: RemovalGroup }): JSX.Element {
  const { title, size, items } = group
  return (
    <section aria-label={title}>
      <h2 className="flex gap-2 below-1">
        {title} <span className="faint num regular">{items.length}</span>
        {size !== undefined && <span className="faint num regular">{formatBytes(size)}</span>}
      </h2>
      <ul className="divided roomy break">
        {items.map(({ itemId, label, place, size: bytes }) => (
          <li key={itemId} className="flex wrap spread gap-4 rows-0">
            <b>{visibleText(label)}</b>
            {bytes !== undefined && <span className="faint num">{formatBytes(bytes)}</span>}
            <code className="whole soft">{visibleText(place)}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stays({ stays }: Pick<RemovalList, 'stays'>): JSX.Element {
  return (
    <section aria-label="Not removed">
      <h2 className="flex gap-2 below-1">
        Not removed <span className="faint num regular">{stays.length}</span>
      </h2>
      <ul className="divided roomy break">
        {stays.map(({ label, reason }) => (
          <li key={`${label} ${reason}`} className="flex wrap spread gap-4 rows-0">
            <b>{visibleText(label)}</b>
            <p className="whole soft small">{visibleText(reason)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Shown({ list }: { readonly list: RemovalList }): JSX.Element {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      {removalGroups(list).map((group) => (
        <Group key={group.title} group={group} />
      ))}
      <Stays stays={list.stays} />
      <div className="flex wrap gap-2">
        <Button variant="danger" icon={Trash2} onClick={() => setIsAsking(true)}>
          Remove everything
        </Button>
      </div>
      {isAsking && <ConfirmRemoval list={list} onClose={() => setIsAsking(false)} />}
    </>
  )
}

/** Everything that Patchbay made on this computer, and the way to take it away. */
export function RemovalPage(): JSX.Element {
  const { loaded, retry } = useRequest('removal.read', {})
  return (
    <Page title="Remove everything" crumbs={[{ label: 'Settings', href: '/settings' }]}>
      <div className="measure col gap-6">
        <p className="soft">
          Patchbay added these items to this computer. Review the list, then confirm the removal.
        </p>
        {loaded.kind === 'loading' && <Skeleton label="Finding items to remove" />}
        {loaded.kind === 'failed' && (
          <ProblemState title="Can’t load the list" problem={loaded.problem} onRetry={retry} />
        )}
        {loaded.kind === 'ready' && <Shown list={loaded.value} />}
      </div>
    </Page>
  )
}
