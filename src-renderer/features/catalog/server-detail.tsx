import { BadgeCheck, Star } from 'lucide-react'
import { memo, type ReactElement, useEffect } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import {
  listedKey,
  PASTED_SOURCE,
  STARTER_SOURCE,
} from '../../../src-shared/domain/catalog/listed-ref'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { useRequest } from '../../ipc/use-request'
import { useCatalog } from '../../stores/app-store'
import { IconButton } from '../../ui/controls/button'
import { Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { showToast } from '../../ui/overlays/toast'
import { problemText } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { entryTitle } from './entry/entry-facts'
import { EntryDetail } from './entry-detail'
import { setCatalogView, useCatalogView } from './filters/catalog-view-store'
import { ServerIcon } from './list/server-icon'

/** Delay before details load, in ms, so that scrolling through the list loads none. */
const DELAY_MS = 80
/** Viewing time after which a server counts as viewed, in ms. */
const VIEWED_MS = 1_000

function mark(ref: ListedServer, change: { isFavorite?: boolean; isViewed?: true }): void {
  const { sourceId, name } = ref
  call('catalog.mark', { sourceId, name, ...change }).catch(showFailure)
}

function FavoriteButton({ listed }: { readonly listed: ListedServer }): ReactElement | null {
  const favorites = useCatalog()?.favorites ?? []
  if (listed.sourceId === PASTED_SOURCE) return null
  const isFavorite = favorites.some((one) => listedKey(one) === listedKey(listed))
  return (
    <IconButton
      icon={Star}
      label={isFavorite ? 'Remove from favorites' : 'Add to favorites'}
      aria-pressed={isFavorite}
      className={isFavorite ? 'is-favorite' : undefined}
      onClick={() => mark(listed, { isFavorite: !isFavorite })}
    />
  )
}

function Header({ listed }: { readonly listed: ListedServer }): ReactElement {
  const { sourceId, publisher, namespace, isVerified, name } = listed
  const title = entryTitle(listed)
  const isOfRegistry = sourceId !== STARTER_SOURCE && sourceId !== PASTED_SOURCE
  const who = namespace === 'github' ? `${publisher} on GitHub` : publisher
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ServerIcon server={listed} title={title} size="large" />
      <div className="min-w-0 flex-1">
        <h2 className="line-clamp-2 text-page wrap-anywhere" title={title}>
          {title}
        </h2>
        <p className="flex min-w-0 items-center gap-1 text-faint" title={visibleText(name)}>
          {isVerified && namespace === 'domain' ? (
            <BadgeCheck className="icon icon-s" aria-hidden />
          ) : null}
          <span className="truncate">
            {visibleText(who)}
            {isOfRegistry && !isVerified ? ', not verified' : null}
          </span>
        </p>
      </div>
      <FavoriteButton listed={listed} />
    </div>
  )
}

function useIsSelected(listed: ListedServer): boolean {
  const selected = useCatalogView('selected')
  return selected !== null && listedKey(selected) === listedKey(listed)
}

/** Reports that a selected server is no longer listed, and selects the first one of the list. */
function useDropMissing(listed: ListedServer, problem: AppErrorShape | undefined): void {
  const missing = useIsSelected(listed) && problem?.code === 'NOT_FOUND' ? problem : undefined
  useEffect(() => {
    if (!missing) return
    showToast({ message: problemText(missing), tone: 'error' })
    setCatalogView({ selected: null })
  }, [missing])
}

/** Marks a selected server as viewed. The list of viewed servers marks none, because its order would change. */
function useRecordViewed(listed: ListedServer): void {
  const choices = useCatalogView('choices')
  const isRecorded =
    useIsSelected(listed) && choices.mine !== 'viewed' && listed.sourceId !== PASTED_SOURCE
  useEffect(() => {
    if (!isRecorded) return undefined
    const timer = setTimeout(() => mark(listed, { isViewed: true }), VIEWED_MS)
    return () => clearTimeout(timer)
  }, [isRecorded, listed])
}

/** One server in full, next to the list. */
export const ServerDetail = memo(function ServerDetail(props: {
  readonly listed: ListedServer
  readonly installedId: string | undefined
}): ReactElement {
  const { listed, installedId } = props
  const { sourceId, name } = listed
  const edition = useCatalog()?.edition
  // The cached detail appears when the user returns from another screen.
  const { value, problem, retry } = useRequest(
    'catalog.detail',
    { sourceId, name },
    { state: [edition], debounceMs: DELAY_MS, isCached: true },
  )
  useRecordViewed(listed)
  useDropMissing(listed, problem)
  const head = <Header listed={listed} />
  return (
    <aside className="detail aside flex flex-col bg-subtle" aria-label={entryTitle(listed)}>
      {value && !problem ? (
        <EntryDetail detail={value} installedId={installedId} head={head} />
      ) : (
        <div className="detail-body scroll flex min-h-0 flex-1 flex-col gap-5 p-5">
          {problem ? (
            <ProblemState title="Can’t load this server" problem={problem} onRetry={retry} />
          ) : (
            <>
              {head}
              <p className="text-lead text-pretty wrap-anywhere">
                {visibleText(listed.description)}
              </p>
              <Skeleton label="Loading details" rows={3} />
            </>
          )}
        </div>
      )}
    </aside>
  )
})
