import type { JSX } from 'react'

import { call, toErrorShape } from '../ipc/call'
import { useApp } from '../stores/app-store'
import { Banner } from '../ui/banner'
import { showToast } from '../ui/toast'

async function dismiss(noticeId: string): Promise<void> {
  try {
    await call('app.dismissNotice', { noticeId })
  } catch (thrown) {
    showToast({ message: toErrorShape(thrown).message, tone: 'error' })
  }
}

/** What the app has to say of itself, above every page: the lost line, memory-only secrets, notices. */
export function AppBanners(): JSX.Element | null {
  const lost = useApp((state) => state.connection === 'lost')
  const secretStore = useApp((state) => state.app?.secretStore)
  const notices = useApp((state) => state.app?.notices) ?? []
  const inMemory = secretStore?.kind === 'memory' ? secretStore : null
  if (!lost && !inMemory && notices.length === 0) return null
  return (
    <div className="page-banners" role="region" aria-label="Notices">
      {lost && (
        <Banner severity="warn" title="Patchbay does not answer.">
          What stands here is from before. The page connects again by itself.
        </Banner>
      )}
      {inMemory && (
        <Banner severity="warn" title="Secrets are kept in memory for this run.">
          {inMemory.reason}
        </Banner>
      )}
      {notices.map(({ noticeId, severity, title, message }) => (
        <Banner
          key={noticeId}
          severity={severity}
          title={title}
          onDismiss={() => void dismiss(noticeId)}
        >
          {message}
        </Banner>
      ))}
    </div>
  )
}
