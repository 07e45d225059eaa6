import clsx from 'clsx'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactElement } from 'react'
import { useMemo } from 'react'

import type {
  CatalogDetail,
  VersionList,
} from '../../../../src-shared/domain/catalog/catalog-detail'
import { useNow } from '../../../stores/now'
import { PartHead } from '../../../ui/layout/part-head'
import { trustFacts } from './trust-facts'

const ICONS = { for: CircleCheck, against: CircleAlert, plain: Info } as const
const TONES = { for: 'tone is-ready', against: 'tone is-degraded', plain: 'faint' } as const
const HOUR_MS = 3_600_000

/** What is known of who publishes a server, and what the registry has and has not checked. */
export function EntryTrust({
  detail,
  versions,
}: {
  readonly detail: CatalogDetail
  readonly versions: VersionList['versions'] | undefined
}): ReactElement {
  const { listed, entry } = detail
  const now = useNow(HOUR_MS)
  const facts = useMemo(
    () => trustFacts(listed, entry.server, versions, now),
    [listed, entry, versions, now],
  )
  return (
    <section aria-labelledby="trust">
      <PartHead id="trust" level={3} title="Publisher" />
      <ul className="stack gap-2 break">
        {facts.map(({ key, weight, text }) => {
          const Icon = ICONS[weight]
          return (
            <li key={key} className="flex at-top gap-2 soft pretty">
              <Icon className={clsx('icon', TONES[weight])} aria-hidden />
              <span>{text}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
