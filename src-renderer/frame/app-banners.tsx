import { type JSX, type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'

import type { SecretStoreState } from '../../src-shared/domain/state/app-state'
import { PassphraseButton } from '../components/secret/passphrase-button'
import { askUnlock } from '../components/secret/unlock-dialog'
import { call } from '../ipc/call'
import { attempt, showFailure } from '../ipc/show-failure'
import { useApp } from '../stores/app-store'
import { Button } from '../ui/controls/button'
import { Disclosure } from '../ui/controls/disclosure'
import { Banner } from '../ui/layout/banner'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog'
import { showToast } from '../ui/overlays/toast'
import { visibleText } from '../ui/text/visible-text'

/** Signs this tab out too, so what comes next is its page without a token. */
function signOutTabs(): void {
  call('app.signOutTabs', {}).catch(showFailure)
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
export function AppBanners(props: {
  /** The user has put the words on memory aside for this run; Settings keeps them. */
  readonly isMemoryNoted: boolean
  readonly onMemoryNoted: () => void
}): JSX.Element | null {
  const { isMemoryNoted, onMemoryNoted } = props
  const isHome = useLocation()[0] === '/'
  const lost = useApp((state) => state.connection === 'lost')
  const inMemory = useInMemory(isMemoryNoted)
  const notices = useApp((state) => state.app?.notices) ?? []
  const isLocked = useApp((state) => state.app?.secretStore.kind === 'locked')
  if (!lost && inMemory === null && !isLocked && notices.length === 0) return null
  return (
    <div
      className="page-banners scroll grid max-h-52 flex-none gap-2 border-b border-line p-3"
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
            action === 'sign-out-tabs' && <Button onClick={signOutTabs}>Sign out all tabs</Button>
          }
          onDismiss={() => void call('app.dismissNotice', { noticeId }).catch(showFailure)}
        >
          {message}
        </Banner>
      ))}
    </div>
  )
}

type InMemory = Extract<SecretStoreState, { readonly kind: 'memory' }>

/** Says once that secrets do not last; the cause, what fixes it and the words of the system are behind Details. */
export function MemoryBanner(props: {
  readonly inMemory: InMemory
  readonly onDismiss?: () => void
  readonly opened?: boolean
}): JSX.Element {
  const { inMemory, onDismiss, opened = false } = props
  const { reason, fix, said } = inMemory
  return (
    <Banner
      severity="warn"
      title="Keychain unavailable. Secrets are kept in memory until you quit."
      action={<PassphraseButton secretStore={inMemory} />}
      {...(onDismiss && { onDismiss })}
    >
      <Disclosure label="Details" opened={opened} className="mt-1 grid max-w-text gap-1">
        <p>
          {reason} {fix}
        </p>
        {said !== undefined && (
          <p>
            System error: <code>{visibleText(said)}</code>
          </p>
        )}
      </Disclosure>
    </Banner>
  )
}

async function deleteFile(): Promise<'done' | 'failed'> {
  const outcome = await attempt(call('secret.deleteFile', {}))
  if (outcome === 'done') showToast({ message: 'Encrypted secrets deleted.' })
  return outcome
}

function LockedBanner(): ReactElement {
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Banner
      severity="warn"
      title="Your secrets are locked."
      action={
        <>
          <Button size="small" variant="quiet" onClick={() => setIsDeleting(true)}>
            Forgot passphrase?
          </Button>
          <Button size="small" onClick={askUnlock}>
            Unlock secrets
          </Button>
        </>
      }
    >
      Servers that need a secret can’t start.
      {isDeleting && (
        <ConfirmDialog
          title="Delete the encrypted secrets?"
          description="Without the passphrase nobody can read them. Your servers and apps stay, and ask for their keys and sign-ins again."
          confirmLabel="Delete secrets"
          onConfirm={deleteFile}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Banner>
  )
}
