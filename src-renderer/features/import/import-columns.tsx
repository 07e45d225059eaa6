import clsx from 'clsx'
import { type JSX, type KeyboardEvent, type RefObject, useCallback } from 'react'
import { Link } from 'wouter'

import type { HostServer } from '../../../src-shared/domain/agents/host'
import { ServerChoices, UNDECIDED } from '../../components/configuration/server-choices'
import {
  ServerLaunch,
  ServerNotes,
  summaryLine,
  TRANSPORTS,
} from '../../components/configuration/server-launch'
import { Select } from '../../ui/controls/choice'
import { Field, ProblemText } from '../../ui/fields/field'
import { ScrollRegion } from '../../ui/layout/page'
import { useVirtualList } from '../../ui/list/virtual-list'
import { Tag } from '../../ui/marks/tag'
import { formatList } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import {
  alreadyInstalledAs,
  differenceText,
  entryKey,
  entryLabel,
  hostNames,
  type ImportableRow,
  importedName,
  isImportable,
  rowMarks,
} from './import-rows'
import type { Import } from './use-import'

type DetailProps = {
  readonly row: ImportableRow
  readonly all: readonly ImportableRow[]
  readonly importing: Pick<Import, 'draft' | 'decide' | 'count'>
  readonly onShow: (key: string) => void
  readonly region: RefObject<HTMLElement | null>
}

function importedValues(entry: HostServer): string {
  return JSON.stringify([importedName(entry), entry.tools, entry.server.toFill.length > 0])
}

/** The choice of the entry to import, if equivalent entries have other names, tools or values. */
function EntryChoice({ row, importing }: DetailProps): JSX.Element | null {
  const { entries, entry } = row
  if (new Set(entries.map(importedValues)).size < 2) return null
  return (
    <Field id="counting" label="Name, values, and tools from">
      {(ids) => (
        <Select
          {...ids}
          value={entryKey(entry)}
          options={entries.map((one) => ({
            value: entryKey(one),
            label: visibleText(entryLabel(one)),
          }))}
          onValueChange={(key) => importing.count(row, key)}
        />
      )}
    </Field>
  )
}

function OtherVersions({ row, all, onShow }: DetailProps): JSX.Element | null {
  const others = all.filter(({ key }) => row.kin.includes(key))
  if (others.length === 0) return null
  return (
    <section className="grid min-w-0 gap-2" aria-label="Other versions found">
      <h3>Other versions found</h3>
      <ul className="grid gap-2">
        {others.map((other) => {
          const hosts = visibleText(formatList(hostNames(other)))
          return (
            <li key={other.key}>
              <button
                type="button"
                className="text-button bare underlined text-accent"
                onClick={() => onShow(other.key)}
              >
                In {hosts}
              </button>
              : {visibleText(differenceText(row, other))}
            </li>
          )
        })}
      </ul>
      <p className="text-small text-faint">Select one or more. Each gets its own name.</p>
    </section>
  )
}

/** One found server: its locations, its imported form, and the decisions about it. */
export function ImportDetail(props: DetailProps): JSX.Element {
  const { row, importing, region } = props
  const { server, tools } = row.entry
  const name = visibleText(server.name)
  const here = alreadyInstalledAs(row)
  return (
    <section
      ref={region}
      className="found-detail detail-body scroll flex min-h-0 flex-1 flex-col gap-4 p-5 wrap-anywhere"
      tabIndex={0}
      role="region"
      aria-label={`Details of ${name}`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-title">{name}</h2>
        {server.preview?.kind === 'remote' && <Tag>{TRANSPORTS[server.preview.type]}</Tag>}
      </div>
      {server.obstacle !== undefined && (
        <ProblemText alert={false}>{visibleText(server.obstacle)}</ProblemText>
      )}
      {here && (
        <p>
          Already added as <Link href={`/servers/${here.installationId}`}>{here.name}</Link>
          {server.secrets.length > 0 && '. Secrets aren’t compared'}.
        </p>
      )}
      <ServerNotes server={server} />
      {server.preview && (
        <section className="grid min-w-0 gap-2" aria-label="Import preview">
          <h3>Import preview</h3>
          <div className="grid min-w-0 gap-3">
            <ServerLaunch preview={server.preview} />
            {tools !== undefined && <p>{visibleText(tools)}</p>}
            <ServerChoices
              server={server}
              choice={importing.draft.decided.get(entryKey(row.entry)) ?? UNDECIDED}
              onChoose={(decided) => importing.decide(row, decided)}
            />
          </div>
        </section>
      )}
      <section className="grid min-w-0 gap-2" aria-label="Found in">
        <h3>Found in</h3>
        <ul className="grid gap-2">
          {row.entries.map((entry) => (
            <li key={entryKey(entry)}>
              <span className="flex min-w-0 items-center gap-2">
                <b>{visibleText(entry.hostName)}</b>
                {importedName(entry) !== importedName(row.entry) && (
                  <span className="text-faint">
                    as <code>{visibleText(importedName(entry))}</code>
                  </span>
                )}
                {!entry.isOn && <Tag>Off</Tag>}
                {entry.offIn && <Tag>Off in {visibleText(entry.offIn.join(', '))}</Tag>}
              </span>
              <code className="text-faint">{visibleText(entry.hostPath)}</code>
            </li>
          ))}
        </ul>
        <EntryChoice {...props} />
      </section>
      <OtherVersions {...props} />
    </section>
  )
}

const MAX_MARKS = 2
/** Height of a row, in rem. */
const ROW = 3.25

type ImportRowProps = {
  readonly row: ImportableRow
  readonly index: number
  readonly total: number
  readonly isTicked: boolean
  readonly isCurrent: boolean
  readonly isStop: boolean
  /** In px from the top of the list. */
  readonly top: number
  readonly onTick: (row: ImportableRow, isTicked: boolean) => void
  readonly onShow: (index: number) => void
}

/** One found server in two lines: Space selects it, Enter opens its detail. */
function ImportRow(props: ImportRowProps): JSX.Element {
  const { row, index, total, isTicked, isCurrent, isStop, top, onTick, onShow } = props
  const { name, preview } = row.entry.server
  const id = `found-${index}`
  return (
    <li
      className={clsx(
        'absolute inset-x-0 top-0 flex h-13 items-center gap-3 border-b border-line ps-5 pe-3',
        isCurrent ? 'is-selected bg-press' : 'hover:bg-hover',
      )}
      aria-posinset={index + 1}
      aria-setsize={total}
      style={{ top }}
    >
      <input
        type="checkbox"
        className="check"
        data-index={index}
        tabIndex={isStop ? 0 : -1}
        aria-label={`Import ${visibleText(name)}`}
        aria-describedby={`${id}-hosts ${id}-marks`}
        aria-disabled={!isImportable(row) || undefined}
        checked={isTicked}
        onChange={(event) => onTick(row, event.currentTarget.checked)}
      />
      <button
        type="button"
        className="bare grid h-full min-w-0 flex-1 content-center"
        tabIndex={-1}
        aria-current={isCurrent || undefined}
        onClick={() => onShow(index)}
      >
        <b className="truncate">{visibleText(name)}</b>
        <span id={`${id}-hosts`} className="truncate text-small text-faint">
          {visibleText(hostNames(row).join(', '))}
          {preview !== null && (
            <>
              {' · '}
              <code className="[font-size:inherit]">{summaryLine(preview)}</code>
            </>
          )}
        </span>
      </button>
      <span id={`${id}-marks`} className="grid flex-none gap-1">
        {rowMarks(row)
          .slice(0, MAX_MARKS)
          .map(({ text, isWarning }) => (
            <Tag key={text} tone={isWarning ? 'warn' : 'plain'}>
              {text}
            </Tag>
          ))}
      </span>
    </li>
  )
}

/** The virtualized list of found servers. Arrows, Home, End and page keys move between rows. */
export function ImportList(props: {
  readonly rows: readonly ImportableRow[]
  readonly ticked: ReadonlySet<string>
  readonly current: string
  readonly onShow: (key: string) => void
  readonly onTick: (row: ImportableRow, isTicked: boolean) => void
  readonly onEnter: () => void
}): JSX.Element {
  const { rows, ticked, current, onShow, onTick, onEnter } = props
  const at = rows.findIndex(({ key }) => key === current)
  const { items, holder, goTo } = useVirtualList({
    count: rows.length,
    keyOf: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    sizeOf: () => ROW,
    current: at === -1 ? undefined : at,
    onFocus: (index) => {
      const row = rows[index]
      if (row) onShow(row.key)
    },
  })
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const isRow = event.target instanceof HTMLElement && event.target.dataset.index !== undefined
    if (isRow && event.key === 'Enter') {
      event.preventDefault()
      onEnter()
    } else holder.onKeyDown(event)
  }
  return (
    <ScrollRegion label="Servers in your apps">
      <ul {...holder} className="relative" aria-label="Found servers" onKeyDown={press}>
        {items.map(({ key, index, top, isStop }) => {
          const row = rows[index]
          return (
            row && (
              <ImportRow
                key={key}
                {...{ row, index, top, isStop, onTick }}
                total={rows.length}
                isTicked={ticked.has(row.key)}
                isCurrent={row.key === current}
                onShow={goTo}
              />
            )
          )
        })}
      </ul>
    </ScrollRegion>
  )
}
