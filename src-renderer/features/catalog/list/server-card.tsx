import clsx from 'clsx'
import { BadgeCheck, Check, Globe, KeyRound, Package as PackageIcon } from 'lucide-react'
import { Fragment, memo, type ReactElement } from 'react'

import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { PASTED_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import { Tag } from '../../../ui/marks/tag'
import { formatDay, formatFull } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/visible-text'
import { kindLabel } from '../filters/facet-groups'
import { cardPlace, type GridLayout } from './grid-layout'
import { listedTitle } from './listed-messages'
import { ServerIcon } from './server-icon'

const MOST_MARKS = 20

function escaped(word: string): string {
  return word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

/** Text with every occurrence of the query's words marked; plain text in, plain text out. */
export function Highlight({
  text,
  query,
}: {
  readonly text: string
  readonly query: string
}): ReactElement {
  const words = query.split(/\s+/).filter(Boolean).map(escaped)
  if (words.length === 0) return <>{text}</>
  // An odd index is a match, since the pattern is one group.
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'giu'))
  const rest = parts.splice(MOST_MARKS * 2).join('')
  return (
    <>
      {parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
      {rest}
    </>
  )
}

type Tags = { readonly key: string; readonly tag: ReactElement }[]

function kindTag({ kinds }: ListedServer): Tags {
  const [first, ...more] = kinds
  if (first === undefined) return []
  const label = more.length === 0 ? kindLabel(first) : `${kindLabel(first)} +${more.length}`
  const icon = first === 'remote' ? Globe : PackageIcon
  return [{ key: 'kind', tag: <Tag icon={icon}>{label}</Tag> }]
}

/** At most three tags: how it comes, then what matters most of the rest. */
function tagsOf(server: ListedServer, isInstalled: boolean): Tags {
  const { status, namespace, isVerified, asksForSecrets, sourceId } = server
  return [
    ...kindTag(server),
    ...(sourceId === PASTED_SOURCE ? [{ key: 'pasted', tag: <Tag>Pasted</Tag> }] : []),
    ...(status === 'deprecated'
      ? [{ key: 'deprecated', tag: <Tag tone="warn">Deprecated</Tag> }]
      : []),
    ...(isInstalled
      ? [
          {
            key: 'installed',
            tag: (
              <Tag tone="accent" icon={Check}>
                Installed
              </Tag>
            ),
          },
        ]
      : []),
    ...(isVerified && namespace === 'domain'
      ? [
          {
            key: 'verified',
            tag: (
              <Tag tone="ready" icon={BadgeCheck}>
                Verified
              </Tag>
            ),
          },
        ]
      : []),
    ...(asksForSecrets ? [{ key: 'secrets', tag: <Tag icon={KeyRound}>Secrets</Tag> }] : []),
  ].slice(0, 3)
}

type ServerCardProps = {
  readonly server: ListedServer
  /** Its place in the list, and how long that is. */
  readonly index: number
  readonly total: number
  /** Of its row, in px. */
  readonly top: number
  readonly layout: GridLayout
  readonly query: string
  readonly isSelected: boolean
  /** The Tab key leads to it: the way on to what is said of the selected one. */
  readonly isStop: boolean
  readonly isInstalled: boolean
  readonly onSelect: (server: ListedServer) => void
  readonly onOpen: (server: ListedServer) => void
}

/** One server of the list; the whole card selects it, Enter sets it up. */
export const ServerCard = memo(function ServerCard(props: ServerCardProps): ReactElement {
  const { server, index, total, top, layout, query, onSelect, onOpen } = props
  const { isSelected, isStop, isInstalled } = props
  const title = listedTitle(server)
  const at = server.updatedAt ?? server.publishedAt
  return (
    <li
      className={clsx(
        'card box pad-3 stack gap-2 rows-1 surface placed clip',
        isSelected ? 'lit is-selected' : 'lights',
      )}
      style={cardPlace(index, top, layout)}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <ServerIcon server={server} title={title} />
      <div className="cut">
        <h3>
          <button
            type="button"
            className="card-hit bare covers block whole cut ink"
            data-index={index}
            tabIndex={isStop ? 0 : -1}
            aria-current={isSelected || undefined}
            onClick={() => onSelect(server)}
            onFocus={() => onSelect(server)}
            onDoubleClick={() => onOpen(server)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              onOpen(server)
            }}
          >
            <Highlight text={title} query={query} />
          </button>
        </h3>
        <p className="id faint micro cut" title={visibleText(server.name)}>
          {visibleText(server.publisher)}
        </p>
      </div>
      <p className="about clamp break soft">
        <Highlight text={visibleText(server.description)} query={query} />
      </p>
      <div className="tags flex gap-1 clip">
        {tagsOf(server, isInstalled).map(({ key, tag }) => (
          <Fragment key={key}>{tag}</Fragment>
        ))}
        {at !== undefined && (
          <time
            className="to-end faint micro num nowrap"
            dateTime={new Date(at).toISOString()}
            title={`Updated ${formatFull(at)}`}
          >
            {formatDay(at)}
          </time>
        )}
      </div>
    </li>
  )
})
