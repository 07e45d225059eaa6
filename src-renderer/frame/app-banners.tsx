import type { JSX } from 'react'
import { useLocation } from 'wouter'

import { call } from '../ipc/call'
import { tellFailure } from '../ipc/tell-failure'
import { useApp } from '../stores/app-store'
import { Button } from '../ui/controls/button'
import { Banner } from '../ui/layout/banner'
import { LockedBanner } from './locked-banner'
import { type InMemory, MemoryBanner } from './memory-banner'

async function dismiss(noticeId: string): Promise<void> {
  try {
    await call('app.dismissNotice', { noticeId })
  } catch (thrown) {
    tellFailure(thrown)
  }
}

/** Signs this tab out too, so what comes next is its page without a token. */
async function signOutTabs(): Promise<void> {
  try {
    await call('app.signOutTabs', {})
  } catch (thrown) {
    tellFailure(thrown)
  }
}

/** Why secrets are in memory only, on the pages that say it; null elsewhere. */
function useInMemory(isNoted: boolean): InMemory | null {
  const [path] = useLocation()
  const secretStore = useApp((state) => state.app?.secretStore)
  const isPlace = path === '/settings' || (path === '/' && !isNoted)
  return isPlace && secretStore?.kind === 'memory' ? secretStore : null
}

/**
 * What the app has to say of itself, above the page: the lost line, notices, and on Home and in Settings
 * that secrets are in memory only; elsewhere the sidebar and each secret's field say that.
 */
export function AppBanners({
  isMemoryNoted,
  onMemoryNoted,
}: {
  /** The user has put the words on memory aside for this run; Settings keeps them. */
  readonly isMemoryNoted: boolean
  readonly onMemoryNoted: () => void
}): JSX.Element | null {
  const isHome = useLocation()[0] === '/'
  const lost = useApp((state) => state.connection === 'lost')
  const inMemory = useInMemory(isMemoryNoted)
  const notices = useApp((state) => state.app?.notices) ?? []
  const isLocked = useApp((state) => state.app?.secretStore.kind === 'locked')
  if (!lost && inMemory === null && !isLocked && notices.length === 0) return null
  return (
    <div
      className="page-banners mid pad-3 scroll stack gap-2 fixed ruled"
      role="region"
      aria-label="Notices"
    >
      {lost && (
        <Banner severity="warn" title="Connection lost.">
          Showing the last known state. Reconnecting…
        </Banner>
      )}
      {isLocked && <LockedBanner />}
      {inMemory !== null && (
        <MemoryBanner inMemory={inMemory} {...(isHome ? { onDismiss: onMemoryNoted } : {})} />
      )}
      {notices.map(({ noticeId, severity, title, message, action }) => (
        <Banner
          key={noticeId}
          severity={severity}
          title={title}
          action={
            action === 'sign-out-tabs' && (
              <Button onClick={() => void signOutTabs()}>Sign out all tabs</Button>
            )
          }
          onDismiss={() => void dismiss(noticeId)}
        >
          {message}
        </Banner>
      ))}
    </div>
  )
}
