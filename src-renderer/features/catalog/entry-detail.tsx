import type { ReactElement } from 'react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { Banner } from '../../ui/banner'
import { Button, ButtonLink } from '../../ui/button'
import { KeyCap } from '../../ui/key-cap'
import { Tile } from '../../ui/tile'
import { chooseOffer, chosenOffer, useCatalogView } from './catalog-view-store'
import { entryObstacle, entryTitle, setupPath } from './entry-facts'
import { EntryReach } from './entry-reach'
import { useMachine } from './machine'
import { NoticeList } from './notice-list'
import { noticeSummary } from './notice-words'
import { OfferChooser } from './offer-chooser'
import { OfferFacts } from './offer-facts'
import { viewsOf, viewToSetUp } from './offer-words'

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
          <summary>{noticeSummary(entry.notices)}</summary>
          <NoticeList notices={entry.notices} />
        </details>
      ) : null}
    </div>
  )
}

function Head({ server }: Pick<CatalogEntry, 'server'>): ReactElement {
  const title = entryTitle(server)
  return (
    <div className="line-up detail-head">
      <Tile name={title} size="large" />
      <div className="grow">
        <h2 className="clamp-2" title={title}>
          {title}
        </h2>
        <p className="faint cut" title={server.name}>
          {server.name}
        </p>
      </div>
    </div>
  )
}

function Foot(props: {
  /** Why it cannot be set up. */
  readonly obstacle: string | undefined
  readonly installedId: string | undefined
  readonly onSetUp: () => void
}): ReactElement {
  const { obstacle, installedId, onSetUp } = props
  return (
    <div className="detail-foot">
      {obstacle === undefined ? (
        <Button size="form" variant="primary" className="grow" onClick={onSetUp}>
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
  )
}

/** One entry in full: what it offers and asks for, its facts, and the way to set it up. */
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
  const machine = useMachine()
  const catalogView = useCatalogView()
  const [, navigate] = useLocation()
  const views = useMemo(() => viewsOf(server, machine), [server, machine])
  const view = viewToSetUp(views, chosenOffer(catalogView, entryId))
  const obstacle = entryObstacle(view)
  function setUp(): void {
    if (view && obstacle === undefined) navigate(setupPath(entryId, view.ref))
  }
  return (
    <aside className="detail" aria-label={title}>
      <div className="detail-body" tabIndex={0} role="region" aria-label={`About ${title}`}>
        <Head server={server} />
        <p className="detail-about">{server.description}</p>
        <Notices entry={entry} />
        {view ? (
          <>
            <OfferChooser
              views={views}
              value={view}
              onChange={(ref) => chooseOffer(entryId, ref)}
              onOpen={setUp}
            />
            <EntryReach view={view} />
          </>
        ) : null}
        <OfferFacts entry={entry} view={view} />
      </div>
      <Foot obstacle={obstacle} installedId={installedId} onSetUp={setUp} />
    </aside>
  )
}
