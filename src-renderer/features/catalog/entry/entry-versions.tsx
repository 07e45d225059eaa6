import { type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'

import type { VersionList } from '../../../../src-shared/domain/catalog/catalog-detail'
import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import { call } from '../../../ipc/call'
import { showFailure } from '../../../ipc/show-failure'
import { type Loaded, useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { Select } from '../../../ui/controls/choice'
import { ChangedLines } from '../../../ui/diff/changed-lines'
import { ProblemText } from '../../../ui/fields/field'
import { SectionHeader } from '../../../ui/layout/section'
import { showToast } from '../../../ui/overlays/toast'
import { formatCount, formatMoment } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { setUpOf, useMachine } from './entry-facts'

const FEW = 6

type Version = VersionList['versions'][number]

function dayText(publishedAt: number | undefined): string {
  return publishedAt === undefined ? '' : formatMoment(publishedAt, Date.now())
}

function VersionRow(props: {
  readonly version: Version
  readonly isListed: boolean
  readonly onSetUp: (version: string) => void
}): ReactElement {
  const { version, isListed, onSetUp } = props
  const { status, statusMessage } = version
  return (
    <li>
      <div className="flex min-h-7 items-center gap-2">
        <span className="truncate tabular-nums" title={visibleText(version.version)}>
          {visibleText(version.version)}
        </span>
        <span className="text-small whitespace-nowrap text-faint tabular-nums">
          {dayText(version.publishedAt)}
        </span>
        {status === 'active' ? null : (
          <span className="is-degraded text-small text-status">
            {status === 'deleted' ? 'Deleted' : 'Deprecated'}
          </span>
        )}
        <span className="min-w-0 flex-1" />
        {isListed ? (
          <span className="text-small whitespace-nowrap text-faint">Latest</span>
        ) : status === 'deleted' ? null : (
          <Button
            size="small"
            variant="quiet"
            aria-label={`Set up version ${visibleText(version.version)}`}
            onClick={() => onSetUp(version.version)}
          >
            Set up
          </Button>
        )}
      </div>
      {statusMessage === undefined ? null : (
        <p className="mb-1 text-small wrap-anywhere text-faint">{visibleText(statusMessage)}</p>
      )}
    </li>
  )
}

function Differences(
  props: ListedRef & { readonly from: string; readonly to: string },
): ReactElement {
  const { loaded } = useRequest('catalog.compareVersions', props)
  if (loaded.kind === 'loading') return <p className="text-faint">Comparing versions.</p>
  if (loaded.kind === 'failed')
    return <ProblemText topic={loaded.problem.code}>{loaded.problem.message}</ProblemText>
  if (loaded.value.length === 0) return <p className="text-faint">These versions are identical.</p>
  return <ChangedLines label="Changes between versions" lines={loaded.value} />
}

function Comparison(props: ListedRef & { readonly versions: readonly Version[] }): ReactElement {
  const { sourceId, name, versions } = props
  const [pair, setPair] = useState({
    from: versions[1]?.version ?? '',
    to: versions[0]?.version ?? '',
  })
  const options = versions.map(({ version }) => ({ value: version, label: visibleText(version) }))
  return (
    <>
      <div className="mt-2 mb-2 flex items-center gap-2">
        <Select
          aria-label="Older version"
          value={pair.from}
          options={options}
          onValueChange={(from) => setPair({ ...pair, from })}
        />
        <span aria-hidden>→</span>
        <Select
          aria-label="Newer version"
          value={pair.to}
          options={options}
          onValueChange={(to) => setPair({ ...pair, to })}
        />
      </div>
      <Differences {...{ sourceId, name }} {...pair} />
    </>
  )
}

function Versions(props: {
  readonly listed: ListedServer
  readonly list: VersionList
}): ReactElement {
  const { listed, list } = props
  const { sourceId, name } = listed
  const [isExpanded, setIsExpanded] = useState(false)
  const [isComparing, setIsComparing] = useState(false)
  const machine = useMachine()
  const [, navigate] = useLocation()
  const setUp = (version: string): void => {
    call('catalog.readVersion', { sourceId, name, version }).then((entry) => {
      const { path, obstacle } = setUpOf(entry, machine)
      if (obstacle === undefined) navigate(path)
      else showToast({ message: obstacle, tone: 'error' })
    }, showFailure)
  }
  const { versions, fault } = list
  const shown = isExpanded ? versions : versions.slice(0, FEW)
  return (
    <>
      {fault === undefined ? null : (
        <p className="mb-1 text-small wrap-anywhere text-faint">
          Versions known so far. {visibleText(fault.message)}
        </p>
      )}
      <ul className="divide-y divide-line" aria-label="Versions">
        {shown.map((version, index) => (
          <VersionRow
            // A registry may list a version twice.
            key={`${index} ${version.version}`}
            version={version}
            isListed={version.version === listed.version}
            onSetUp={setUp}
          />
        ))}
      </ul>
      {versions.length > shown.length ? (
        <button
          type="button"
          className="text-button bare text-accent"
          onClick={() => setIsExpanded(true)}
        >
          Show all {formatCount(versions.length)}
        </button>
      ) : null}
      {versions.length > 1 ? (
        <details onToggle={(event) => setIsComparing(event.currentTarget.open)}>
          <summary className="text-muted">Compare versions</summary>
          {isComparing ? <Comparison {...{ sourceId, name, versions }} /> : null}
        </details>
      ) : null}
    </>
  )
}

/** The versions of a server with dates, the changes between two, and older ones to set up. */
export function EntryVersions(props: {
  readonly listed: ListedServer
  readonly loaded: Loaded<VersionList>
}): ReactElement {
  const { listed, loaded } = props
  return (
    <section aria-labelledby="versions">
      <SectionHeader
        id="versions"
        level={3}
        title="Versions"
        count={loaded.kind === 'ready' ? loaded.value.versions.length : undefined}
      />
      {loaded.kind === 'loading' && <p className="text-faint">Loading versions.</p>}
      {loaded.kind === 'failed' && (
        <ProblemText topic={loaded.problem.code}>{loaded.problem.message}</ProblemText>
      )}
      {loaded.kind === 'ready' && <Versions listed={listed} list={loaded.value} />}
    </section>
  )
}
