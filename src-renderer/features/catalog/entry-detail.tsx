import clsx from 'clsx'
import { type KeyboardEvent, type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'

import type { CatalogDetail } from '../../../src-shared/domain/catalog/catalog-detail'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { PASTED_SOURCE, STARTER_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import { type OfferRef, stepsOf } from '../../../src-shared/domain/server-json/offer'
import { indentedText } from '../../components/json/json-nodes'
import { LongText, MAX_TEXT_LENGTH } from '../../components/json/long-text'
import { PublisherSteps } from '../../components/server/publisher-steps'
import { useRequest } from '../../ipc/use-request'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Select } from '../../ui/controls/choice'
import { Field } from '../../ui/fields/field'
import { Banner, ScrollRegion } from '../../ui/layout/page'
import { type FactList, Facts, SectionHeader } from '../../ui/layout/section'
import { KeyCap } from '../../ui/marks/key-cap'
import { Tag } from '../../ui/marks/tag'
import { ExternalLink } from '../../ui/overlays/external-link'
import { copyText } from '../../ui/saving/copy-text'
import { formatCount, formatDay } from '../../ui/text/format'
import { safeLink } from '../../ui/text/safe-link'
import { visibleText } from '../../ui/text/untrusted-text'
import {
  entryObstacle,
  namesOf,
  type OfferView,
  type RequiredInput,
  requiredInput,
  setupPath,
  statusTitle,
  transportLabel,
  useMachine,
  viewsOf,
  viewToSetUp,
} from './entry/entry-facts'
import { EntryReach } from './entry/entry-reach'
import { EntryTrust } from './entry/entry-trust'
import { EntryVersions } from './entry/entry-versions'
import { NoticeList, noticeSummary } from './entry/notice-list'
import { chooseOffer, chosenOffer, useCatalogView } from './filters/catalog-view-store'

/** Larger choices become a select list. */
const MAX_RADIOS = 6
const MAX_OPTION_LENGTH = 90

function optionText({ label, place: location, version = '', isRecommended }: OfferView): string {
  const fullText = `${label}: ${location} ${version}`.trim()
  const text =
    fullText.length > MAX_OPTION_LENGTH ? `${fullText.slice(0, MAX_OPTION_LENGTH)}…` : fullText
  return isRecommended ? `${text} (recommended)` : text
}

function OfferChooser(props: {
  readonly views: readonly OfferView[]
  readonly value: OfferView
  readonly onChange: (ref: OfferRef) => void
  readonly onOpen: () => void
}): ReactElement | null {
  const { views, value, onChange, onOpen } = props
  if (views.length < 2) return null
  if (views.length > MAX_RADIOS)
    return (
      <Field
        id="offer-choice"
        label={`Ways to run (${formatCount(views.length)})`}
        hint={value.note}
      >
        {(ids) => (
          <Select
            {...ids}
            value={value.id}
            onValueChange={(next) => {
              const view = views.find(({ id }) => id === next)
              if (view) onChange(view.ref)
            }}
            options={views.map((view) => ({ value: view.id, label: optionText(view) }))}
          />
        )}
      </Field>
    )
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onOpen()
  }
  return (
    <section aria-labelledby="offers">
      <SectionHeader id="offers" level={3} title="Ways to run" count={views.length} />
      <div className="offers grid gap-2" role="radiogroup" aria-labelledby="offers">
        {views.map(({ id, ref, label, place: location, version, note, isRecommended }) => {
          const isChosen = id === value.id
          return (
            <label
              key={id}
              className={clsx(
                'offer flex items-start gap-2 rounded-lg border border-line px-3 py-2',
                isChosen ? 'is-selected bg-accent-soft' : 'bg-surface',
              )}
            >
              <input
                type="radio"
                className="check"
                name="offer"
                value={id}
                checked={isChosen}
                aria-labelledby={`${id}-name`}
                aria-describedby={`${id}-note`}
                onChange={() => onChange(ref)}
                onKeyDown={press}
              />
              <span className="grid min-w-0 flex-1">
                <span className="grid min-w-0" id={`${id}-name`}>
                  <span className="flex min-w-0 items-center justify-between gap-2">
                    <b className="truncate" title={label}>
                      {label}
                    </b>{' '}
                    {isRecommended ? <Tag tone="accent">Recommended</Tag> : null}
                  </span>
                  <span className="line-clamp-2 wrap-anywhere" title={location}>
                    <code>{location}</code>{' '}
                    {version === undefined ? null : (
                      <span className="text-small text-muted tabular-nums">{version}</span>
                    )}
                  </span>
                </span>
                <span className="text-small wrap-anywhere text-muted" id={`${id}-note`}>
                  {note}
                </span>
              </span>
            </label>
          )
        })}
      </div>
    </section>
  )
}

function Notices({ detail }: { readonly detail: CatalogDetail }): ReactElement | null {
  const { entry, listed } = detail
  if (entry.status === 'active' && entry.notices.length === 0) return null
  const message = listed.statusMessage
  return (
    <div className="grid flex-none gap-2">
      {entry.status === 'active' ? null : (
        <Banner severity="warn" title={statusTitle(entry)}>
          {entry.status === 'deleted'
            ? 'The registry removed this entry.'
            : 'The publisher no longer maintains this entry.'}
          {message === undefined ? null : ` Message: “${visibleText(message)}”`}
        </Banner>
      )}
      {entry.notices.length > 0 ? (
        <details>
          <summary className="text-muted">{noticeSummary(entry.notices)}</summary>
          <NoticeList notices={entry.notices} />
        </details>
      ) : null}
    </div>
  )
}

function Footer(props: {
  readonly entryId: string
  readonly view: OfferView | undefined
  readonly installedId: string | undefined
  readonly setUp: () => void
}): ReactElement {
  const { entryId, view, installedId, setUp } = props
  const [, navigate] = useLocation()
  const obstacle = entryObstacle(view)
  // The fields of a bundle are known after its download.
  const isBundle = view?.offer.kind === 'package' && view.offer.pkg.registryType === 'mcpb'
  return (
    <div className="detail-foot flex flex-wrap items-center gap-2 border-t border-line px-5 py-3 wrap-anywhere">
      {obstacle === undefined ? (
        <Button size="form" variant="primary" className="min-w-0 flex-1" onClick={setUp}>
          {installedId === undefined ? 'Set up' : 'Set up another copy'}
          <span aria-hidden className="flex min-w-0 items-center gap-2">
            <KeyCap keys={['↵']} />
          </span>
        </Button>
      ) : (
        <p className="min-w-0 flex-1 text-muted">{obstacle}</p>
      )}
      {view && obstacle === undefined && !isBundle && (
        <Button size="form" onClick={() => navigate(`${setupPath(entryId, view.ref)}?check`)}>
          Check this server
        </Button>
      )}
      {installedId !== undefined && (
        <ButtonLink size="form" href={`/servers/${installedId}`}>
          Open installed
        </ButtonLink>
      )}
    </div>
  )
}

/** One entry in full: offers, required fields, publisher, versions, and the setup button. */
export function EntryDetail(props: {
  readonly detail: CatalogDetail
  /** The newest installation of this entry. */
  readonly installedId: string | undefined
  readonly head: ReactNode
}): ReactElement {
  const { detail, installedId, head } = props
  const { entry, listed, raw } = detail
  const { server, entryId } = entry
  const { sourceId, name } = listed
  const machine = useMachine()
  const chosen = useCatalogView('chosen')
  const [, navigate] = useLocation()
  const views = useMemo(() => viewsOf(server, machine), [server, machine])
  const view = viewToSetUp(views, chosenOffer(chosen, entryId))
  const steps = view && stepsOf(view.offer)
  const hasVersions = sourceId !== PASTED_SOURCE && sourceId !== STARTER_SOURCE
  const { loaded } = useRequest('catalog.versions', { sourceId, name }, { state: [listed.version] })
  // A list without the registry's response has neither the age nor the number of versions.
  const versions =
    loaded.kind === 'ready' && !loaded.value.fault ? loaded.value.versions : undefined
  function setUp(): void {
    if (view && view.obstacle === undefined) navigate(setupPath(entryId, view.ref))
  }
  return (
    <>
      <ScrollRegion
        className="detail-body flex min-h-0 flex-1 flex-col gap-5 p-5"
        label={`About ${visibleText(listed.title ?? name)}`}
      >
        {head}
        <p className="text-lead text-pretty wrap-anywhere">{visibleText(server.description)}</p>
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
      </ScrollRegion>
      <Footer {...{ entryId, view, installedId, setUp }} />
    </>
  )
}

function Document({ raw }: { readonly raw: string }): ReactElement {
  const text = useMemo(() => indentedText(raw), [raw])
  return (
    <div className="mt-2 grid justify-items-start gap-2">
      <LongText text={text.slice(0, MAX_TEXT_LENGTH)} label="Registry entry as JSON" />
      <Button size="small" onClick={() => copyText(text, 'Entry copied.')}>
        Copy
      </Button>
    </div>
  )
}

function RawDocument({ raw }: { readonly raw: string }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="text-muted">Registry entry as JSON</summary>
      {isOpen ? <Document raw={raw} /> : null}
    </details>
  )
}

function inputsText({ fields, required }: RequiredInput): string {
  if (fields.length === 0) return 'None'
  if (required.length === 0) return `${fields.length} optional`
  return `${required.length} required: ${namesOf(required.map(({ label }) => label))}`
}

function factsOfOffer({ offer, label }: OfferView, entryVersion: string): FactList {
  const Settings = inputsText(requiredInput(offer))
  if (offer.kind === 'remote') {
    const { url, type } = offer.remote
    return {
      Address: <code>{visibleText(url)}</code>,
      Transport: transportLabel(type),
      ...{ Version: visibleText(entryVersion), Settings },
    }
  }
  const { identifier, version = entryVersion, transport } = offer.pkg
  return {
    [label]: <code>{visibleText(identifier)}</code>,
    Version: visibleText(version),
    Transport: transport.type !== 'stdio' && transportLabel(transport.type),
    Settings,
  }
}

function factsOfEntry({ server, publishedAt = '' }: CatalogEntry): FactList {
  const at = Date.parse(publishedAt)
  const link = (address: string | undefined): ReactNode => {
    const url = safeLink(address)
    return url && <ExternalLink url={url} />
  }
  return {
    Published: !Number.isNaN(at) && formatDay(at),
    Source: link(server.repository?.url),
    Website: link(server.websiteUrl),
  }
}

/** The registry's facts about an offer and its entry, line by line. */
export function OfferFacts(props: {
  readonly entry: CatalogEntry
  readonly view: OfferView | undefined
}): ReactElement {
  const { entry, view } = props
  const { version } = entry.server
  const offerFacts = view ? factsOfOffer(view, version) : { Version: visibleText(version) }
  return (
    <section aria-labelledby="facts">
      <SectionHeader
        id="facts"
        level={3}
        title={view?.ref.kind === 'remote' ? 'Remote' : 'Package'}
      />
      <Facts facts={{ ...offerFacts, ...factsOfEntry(entry) }} />
    </section>
  )
}
