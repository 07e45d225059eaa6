import { Check, Globe, KeyRound, Package as PackageIcon } from 'lucide-react'
import type { ReactElement } from 'react'
import { useMemo } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { findOffer } from '../../../src-shared/domain/offer'
import { preferredOffer } from '../../../src-shared/domain/preferred-offer'
import { Tag } from '../../ui/tag'
import { Tile } from '../../ui/tile'
import { asksOf, entryTitle, secretTag } from './entry-facts'
import { Highlight } from './highlight'
import { useMachine } from './machine'
import { labelOf } from './offer-words'

type EntryCardProps = {
  readonly entry: CatalogEntry
  readonly query: string
  readonly selected: boolean
  readonly installed: boolean
  readonly onSelect: () => void
  readonly onOpen: () => void
}

/** At most three tags: the kind, that it is installed, and the secrets or that it is deprecated. */
function Tags({
  entry,
  installed,
}: {
  readonly entry: CatalogEntry
  readonly installed: boolean
}): ReactElement {
  const { server, status } = entry
  const machine = useMachine()
  const offer = useMemo(() => {
    const best = preferredOffer(server, machine)
    return best && findOffer(server, best)
  }, [server, machine])
  const secrets = useMemo(() => (offer ? secretTag(asksOf(offer)) : undefined), [offer])
  return (
    <div className="tags">
      {offer && <Tag icon={offer.kind === 'remote' ? Globe : PackageIcon}>{labelOf(offer)}</Tag>}
      {installed ? (
        <Tag tone="accent" icon={Check}>
          Installed
        </Tag>
      ) : null}
      {status === 'active' ? (
        secrets !== undefined && <Tag icon={KeyRound}>{secrets}</Tag>
      ) : (
        <Tag tone="warn">{status === 'deleted' ? 'Deleted' : 'Deprecated'}</Tag>
      )}
    </div>
  )
}

/** One entry of the catalog; the whole card selects it, Enter sets it up. */
export function EntryCard(props: EntryCardProps): ReactElement {
  const { entry, query, selected, installed, onSelect, onOpen } = props
  const { server, entryId } = entry
  const title = entryTitle(server)
  return (
    <li className={selected ? 'card is-selected' : 'card'}>
      <Tile name={title} />
      <div className="cut">
        <h3>
          <button
            type="button"
            className="card-hit cut"
            data-entry-id={entryId}
            // One stop of the Tab key: from the selected card it leads on to what is said of it.
            tabIndex={selected ? 0 : -1}
            aria-current={selected || undefined}
            onClick={onSelect}
            onFocus={onSelect}
            onDoubleClick={onOpen}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              onOpen()
            }}
          >
            <Highlight text={title} query={query} />
          </button>
        </h3>
        <p className="id cut" title={server.name}>
          {server.name}
        </p>
      </div>
      <p className="about">
        <Highlight text={server.description} query={query} />
      </p>
      <Tags entry={entry} installed={installed} />
    </li>
  )
}
