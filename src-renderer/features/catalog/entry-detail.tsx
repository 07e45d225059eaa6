import type { ReactElement } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { Package } from '../../../src-shared/domain/server-json'
import { Banner } from '../../ui/banner'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { KeyCap } from '../../ui/key-cap'
import { Select } from '../../ui/select'
import { Tile } from '../../ui/tile'
import {
  entryObstacle,
  entryTitle,
  kindLabel,
  preferredPackage,
  setupPath,
  unsupportedReason,
} from './entry-facts'
import { EntryReach } from './entry-reach'
import { NoticeList } from './notice-list'
import { PackageFacts } from './package-facts'

function PackagePicker(props: {
  readonly packages: readonly Package[]
  readonly value: number
  readonly onChange: (index: number) => void
}): ReactElement | null {
  const { packages, value, onChange } = props
  if (packages.length < 2) return null
  return (
    <Field id="package-choice" label="Package">
      {(ids) => (
        <Select
          {...ids}
          value={String(value)}
          onValueChange={(next) => onChange(Number(next))}
          options={packages.map((pack, index) => ({
            value: String(index),
            label: `${kindLabel(pack.registryType)}: ${pack.identifier}`,
          }))}
        />
      )}
    </Field>
  )
}

function Notices({ entry }: { readonly entry: CatalogEntry }): ReactElement | null {
  if (entry.status === 'active' && entry.notices.length === 0) return null
  return (
    <div className="detail-notices">
      {entry.status === 'active' ? null : (
        <Banner severity="warn" title={entry.status === 'deleted' ? 'Deleted.' : 'Deprecated.'}>
          {entry.status === 'deleted'
            ? 'The registry took this entry down.'
            : 'Its publisher no longer maintains this entry.'}
        </Banner>
      )}
      {entry.notices.length > 0 ? (
        <details>
          <summary>
            {entry.notices.length === 1
              ? '1 thing in its metadata was set aside'
              : `${entry.notices.length} things in its metadata were set aside`}
          </summary>
          <NoticeList notices={entry.notices} />
        </details>
      ) : null}
    </div>
  )
}

/** One entry in full: what it runs and asks for, its facts, and the way to set it up. */
export function EntryDetail({
  entry,
  installedId,
}: {
  readonly entry: CatalogEntry
  /** The newest installation of this entry. */
  readonly installedId: string | undefined
}): ReactElement {
  const { server, entryId } = entry
  const title = entryTitle(server)
  const [picked, setPicked] = useState(() => preferredPackage(server).index)
  const [, navigate] = useLocation()
  const pack = server.packages[picked]
  const obstacle = entryObstacle(server) ?? (pack && unsupportedReason(pack))
  return (
    <aside className="detail" aria-label={title}>
      <div className="detail-body" tabIndex={0} role="region" aria-label={`About ${title}`}>
        <div className="line-up detail-head">
          <Tile name={title} size="large" />
          <div className="grow">
            <h2 className="clamp-2">{title}</h2>
            <p className="faint cut" title={server.name}>
              {server.name}
            </p>
          </div>
        </div>
        <p className="detail-about">{server.description}</p>
        <Notices entry={entry} />
        <PackagePicker packages={server.packages} value={picked} onChange={setPicked} />
        {pack ? <EntryReach pack={pack} /> : null}
        <PackageFacts entry={entry} pack={pack} />
      </div>
      <div className="detail-foot">
        {obstacle === undefined ? (
          <Button
            size="form"
            variant="primary"
            className="grow"
            onClick={() => navigate(setupPath(entryId, { kind: 'package', index: picked }))}
          >
            {installedId === undefined ? 'Set up' : 'Set up another'}
            <span aria-hidden className="line-up">
              <KeyCap keys={['↵']} />
            </span>
          </Button>
        ) : (
          <p className="soft grow">{obstacle}</p>
        )}
        {installedId === undefined ? null : (
          <ButtonLink size="form" href={`/servers/${installedId}`}>
            Open yours
          </ButtonLink>
        )}
      </div>
    </aside>
  )
}
