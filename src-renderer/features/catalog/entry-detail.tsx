import { FolderOpen, Globe, KeyRound, SquareTerminal, TextCursorInput } from 'lucide-react'
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
import type { Asks } from './entry-facts'
import {
  asksOf,
  entryObstacle,
  entryTitle,
  kindLabel,
  preferredPackage,
  runnerOf,
  safeLink,
  unsupportedReason,
} from './entry-facts'

function names(fields: readonly { readonly label: string }[]): string {
  const shown = fields.slice(0, 4).map(({ label }) => label)
  const rest = fields.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function secretSentence({ secrets }: Asks): string {
  if (secrets.length === 0) return 'Needs no secrets.'
  const needed = secrets.some(({ required }) => required)
  return `${needed ? 'Needs' : 'Can use'} ${names(secrets)}. Patchbay keeps secrets in the system’s keychain.`
}

/** What a person should know before this runs. */
function Reach({ pack }: { readonly pack: Package }): ReactElement {
  const asks = asksOf(pack)
  const plain = asks.fields.filter(({ secret, control }) => !secret && control !== 'path')
  const runner = runnerOf(pack)
  return (
    <section aria-labelledby="reach">
      <div className="section-head">
        <h3 id="reach">Before you install</h3>
      </div>
      <ul className="reach">
        <li>
          <SquareTerminal className="icon" aria-hidden />
          <span>
            {runner === undefined ? (
              `A ${kindLabel(pack.registryType)} package.`
            ) : (
              <>
                Runs on this computer through <b className="strong">{runner}</b>, with your
                account&apos;s rights.
              </>
            )}
          </span>
        </li>
        {asks.paths.length > 0 ? (
          <li>
            <FolderOpen className="icon" aria-hidden />
            <span>
              Asks for paths: {names(asks.paths)}. Whether it stays inside them is up to the server.
            </span>
          </li>
        ) : null}
        {plain.length > 0 ? (
          <li>
            <TextCursorInput className="icon" aria-hidden />
            <span>Asks for {names(plain)}.</span>
          </li>
        ) : null}
        <li>
          <KeyRound className="icon" aria-hidden />
          <span>{secretSentence(asks)}</span>
        </li>
        <li>
          <Globe className="icon" aria-hidden />
          <span>Network: not declared. The registry does not check this.</span>
        </li>
      </ul>
    </section>
  )
}

function inputsText({ fields, required }: Asks): string {
  if (fields.length === 0) return 'None'
  if (required.length === 0) return `${fields.length} optional`
  return `${required.length} required: ${names(required)}`
}

function publishedText(published: string | undefined): string | undefined {
  if (published === undefined || Number.isNaN(Date.parse(published))) return undefined
  return new Date(published).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
}

function Facts({
  entry,
  pack,
}: {
  readonly entry: CatalogEntry
  readonly pack: Package | undefined
}): ReactElement {
  const { server } = entry
  const source = safeLink(server.repository?.url) ?? safeLink(server.websiteUrl)
  const published = publishedText(entry.publishedAt)
  return (
    <section aria-labelledby="facts">
      <div className="section-head">
        <h3 id="facts">Package</h3>
      </div>
      <dl className="facts">
        {pack ? (
          <>
            <dt>{kindLabel(pack.registryType)}</dt>
            <dd>
              <code>{pack.identifier}</code>
            </dd>
          </>
        ) : null}
        <dt>Version</dt>
        <dd className="num">{pack?.version ?? server.version}</dd>
        {pack ? (
          <>
            <dt>Inputs</dt>
            <dd>{inputsText(asksOf(pack))}</dd>
          </>
        ) : null}
        {published === undefined ? null : (
          <>
            <dt>Published</dt>
            <dd className="num">{published}</dd>
          </>
        )}
        {source ? (
          <>
            <dt>Source</dt>
            <dd>
              <a className="inline-link" href={source.href} target="_blank" rel="noreferrer">
                {source.hostname + source.pathname.replace(/\/$/, '')}
              </a>
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}

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
          <ul className="notices">
            {entry.notices.slice(0, 50).map(({ path, message }, index) => (
              <li key={index}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
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
  const [picked, setPicked] = useState(() => preferredPackage(server))
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
        {pack ? <Reach pack={pack} /> : null}
        <Facts entry={entry} pack={pack} />
      </div>
      <div className="detail-foot">
        {obstacle === undefined ? (
          <Button
            size="form"
            variant="primary"
            className="grow"
            onClick={() => navigate(setupPath(entryId, picked))}
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

/** Where an entry is set up. */
export function setupPath(entryId: string, packageIndex: number): string {
  return `/setup/${encodeURIComponent(entryId)}/${packageIndex}`
}
