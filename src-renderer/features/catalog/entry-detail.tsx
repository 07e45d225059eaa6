import type { ReactElement, ReactNode } from 'react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'

import type { CatalogDetail } from '../../../src-shared/domain/catalog/catalog-detail'
import { PASTED_SOURCE, STARTER_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import { stepsOf } from '../../../src-shared/domain/server-json/offer'
import { PublisherSteps } from '../../components/server/publisher-steps'
import { useRequest } from '../../ipc/use-request'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { KeyCap } from '../../ui/marks/key-cap'
import { visibleText } from '../../ui/text/visible-text'
import { entryObstacle, setupPath, statusTitle } from './entry/entry-facts'
import { EntryReach } from './entry/entry-reach'
import { EntryTrust } from './entry/entry-trust'
import { EntryVersions } from './entry/entry-versions'
import { useMachine } from './entry/machine'
import { NoticeList } from './entry/notice-list'
import { noticeSummary } from './entry/notice-messages'
import { OfferChooser } from './entry/offer-chooser'
import { OfferFacts } from './entry/offer-facts'
import { viewsOf, viewToSetUp } from './entry/offer-messages'
import { RawDocument } from './entry/raw-document'
import { chooseOffer, chosenOffer, useCatalogView } from './filters/catalog-view-store'

function Notices({ detail }: { readonly detail: CatalogDetail }): ReactElement | null {
  const { entry, listed } = detail
  if (entry.status === 'active' && entry.notices.length === 0) return null
  const words = listed.statusMessage
  return (
    <div className="stack gap-2 fixed">
      {entry.status === 'active' ? null : (
        <Banner severity="warn" title={statusTitle(entry)}>
          {entry.status === 'deleted'
            ? 'The registry removed this entry.'
            : 'The publisher no longer maintains this entry.'}
          {words === undefined ? null : ` Message: “${visibleText(words)}”`}
        </Banner>
      )}
      {entry.notices.length > 0 ? (
        <details>
          <summary className="soft">{noticeSummary(entry.notices)}</summary>
          <NoticeList notices={entry.notices} />
        </details>
      ) : null}
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
    <div className="detail-foot pad-bar row gap-2 ruled-above break">
      {obstacle === undefined ? (
        <Button size="form" variant="primary" className="grow" onClick={onSetUp}>
          {installedId === undefined ? 'Set up' : 'Set up another copy'}
          <span aria-hidden className="row gap-2 slim">
            <KeyCap keys={['↵']} />
          </span>
        </Button>
      ) : (
        <p className="soft grow">{obstacle}</p>
      )}
      {installedId === undefined ? null : (
        <ButtonLink size="form" href={`/servers/${installedId}`}>
          Open installed
        </ButtonLink>
      )}
    </div>
  )
}

/** One entry in full: what it offers and asks for, who publishes it, its versions, and the way to set it up. */
export function EntryDetail({
  detail,
  installedId,
  head,
}: {
  readonly detail: CatalogDetail
  /** The newest installation of this entry. */
  readonly installedId: string | undefined
  readonly head: ReactNode
}): ReactElement {
  const { entry, listed, raw } = detail
  const { server, entryId } = entry
  const { sourceId, name } = listed
  const machine = useMachine()
  const chosen = useCatalogView('chosen')
  const [, navigate] = useLocation()
  const views = useMemo(() => viewsOf(server, machine), [server, machine])
  const view = viewToSetUp(views, chosenOffer(chosen, entryId))
  const obstacle = entryObstacle(view)
  const steps = view && stepsOf(view.offer)
  const hasVersions = sourceId !== PASTED_SOURCE && sourceId !== STARTER_SOURCE
  const { loaded } = useRequest('catalog.versions', { sourceId, name }, { state: [listed.version] })
  // What is known without an answer of the registry tells neither its age nor how many there are.
  const versions =
    loaded.kind === 'ready' && !loaded.value.fault ? loaded.value.versions : undefined
  function setUp(): void {
    if (view && obstacle === undefined) navigate(setupPath(entryId, view.ref))
  }
  return (
    <>
      <div
        className="detail-body pad-5 fill scroll col gap-5"
        tabIndex={0}
        role="region"
        aria-label={`About ${visibleText(listed.title ?? name)}`}
      >
        {head}
        <p className="lead break pretty">{visibleText(server.description)}</p>
        <Notices detail={detail} />
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
        {steps && <PublisherSteps steps={steps} />}
        <OfferFacts entry={entry} view={view} />
        <EntryTrust detail={detail} versions={versions} />
        {hasVersions && <EntryVersions listed={listed} loaded={loaded} />}
        <RawDocument raw={raw} />
      </div>
      <Foot obstacle={obstacle} installedId={installedId} onSetUp={setUp} />
    </>
  )
}
