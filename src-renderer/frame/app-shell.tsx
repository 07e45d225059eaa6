import {
  type JSX,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'

import type { UserRequest } from '../../src-shared/domain/agents/user-request'
import { isFailed, STATUS_WORD } from '../../src-shared/domain/running/run-status'
import type { SecretStoreState, ServerView } from '../../src-shared/domain/state/app-state'
import type { Settings } from '../../src-shared/domain/state/settings'
import { PassphraseButton, promptUnlock, UnlockDialog } from '../components/secret/secret-dialogs'
import { SignInDialog } from '../components/server/sign-in-dialog'
import { statusText } from '../components/status/status-messages'
import {
  requestTitle,
  serverNameOf,
  useUserRequests,
} from '../components/user-request/user-request-store'
import { RequestDialog, RequestNotice } from '../features/user-requests/request-dialog'
import { call } from '../ipc/call'
import { attempt, showFailure } from '../ipc/show-failure'
import { appStore, useApp } from '../stores/app-store'
import { usePalette } from '../stores/palette-store'
import { Button } from '../ui/controls/button'
import { Disclosure } from '../ui/controls/disclosure'
import { TooltipProvider } from '../ui/controls/tooltip'
import { lazyComponent } from '../ui/layout/lazy-screen'
import { Banner, BlankState, keepFocus, PageBanners, WaitingCount } from '../ui/layout/page'
import { useMediaQuery } from '../ui/layout/use-media-query'
import { ConfirmDialog } from '../ui/overlays/dialog'
import { ErrorHelp } from '../ui/overlays/error-help'
import { showToast, Toaster } from '../ui/overlays/toast'
import { visibleText } from '../ui/text/untrusted-text'
import { FindBar } from './find-bar'
import { useShortcuts } from './shortcuts'
import { Sidebar } from './sidebar'
import { useDroppedBundle, useOpenedBundle } from './use-dropped-bundle'

function skipToContent(): void {
  document.querySelector<HTMLElement>('#main')?.focus()
}

/** Shown before the first snapshot: no data, only the reason. */
function Outside(): JSX.Element {
  const connection = useApp((state) => state.connection)
  const problem = useApp((state) => state.problem)
  if (connection === 'refused')
    return (
      <BlankState
        art="cut"
        title="Open Patchbay from its link"
        message="This tab isn’t signed in. Paste the link from your terminal into the address bar. Each link works once, within a minute: start Patchbay again for a new one."
      />
    )
  if (connection === 'lost') {
    const message = 'Start Patchbay. This page reconnects automatically.'
    return <BlankState art="open" title="Can’t connect to Patchbay" message={message} />
  }
  if (!problem) return <BlankState art="waiting" title="Connecting" message="Loading Patchbay." />
  const message = `${problem.message} Retrying automatically.`
  return <BlankState art="cut" title="Can’t load Patchbay" message={message} />
}

function useFocusAfterMove(): void {
  const [path] = useLocation()
  const drawn = useRef(path)
  useEffect(() => {
    if (drawn.current !== path) keepFocus()
    drawn.current = path
  }, [path])
}

/** Loaded on first use and then kept mounted, so that they close like dialogs. */
const LazyPalette = lazyComponent(
  async () => (await import('../features/palette/command-palette')).CommandPalette,
)
const LazySheet = lazyComponent(
  async () => (await import('../features/palette/cheat-sheet')).CheatSheet,
)

const LazyLink = lazyComponent(
  async () => (await import('../features/catalog/paste/paste-dialog')).LinkDialog,
)

function Overlays(): JSX.Element {
  const { overlay } = usePalette()
  const hasLink = useApp(({ app }) => app?.link != null)
  const [wanted, setWanted] = useState({ palette: false, shortcuts: false, link: false })
  if (hasLink && !wanted.link) setWanted({ ...wanted, link: true })
  if (overlay !== 'none' && !wanted[overlay]) setWanted({ ...wanted, [overlay]: true })
  return (
    <>
      {wanted.palette && <LazyPalette />}
      {wanted.shortcuts && <LazySheet />}
      {wanted.link && <LazyLink />}
    </>
  )
}

/** Sidebar, page and everything that all pages share; without a connection, the reason. */
export function AppShell({ children }: { readonly children: ReactNode }): JSX.Element {
  const isKnown = useApp((state) => state.app !== null && state.connection !== 'refused')
  useAppearance()
  useShortcuts()
  useDroppedBundle()
  useOpenedBundle()
  useFocusAfterMove()
  const [isMemoryDismissed, setIsMemoryDismissed] = useState(false)
  const waiting = useUserRequests().length
  const banners = (
    <>
      <RequestNotice />
      <AppBanners
        isMemoryNoted={isMemoryDismissed}
        onMemoryNoted={() => setIsMemoryDismissed(true)}
      />
    </>
  )
  if (!isKnown) {
    return (
      <main id="main" className="grid h-screen place-items-center">
        <Outside />
      </main>
    )
  }
  return (
    <TooltipProvider delayDuration={500}>
      <button
        type="button"
        className="skip float px-3 py-2 not-focus:sr-only"
        onClick={skipToContent}
      >
        Skip to content
      </button>
      <div className="app">
        <Sidebar />
        <WaitingCount value={waiting}>
          <PageBanners value={banners}>{children}</PageBanners>
        </WaitingCount>
      </div>
      <Announcer />
      {window.bridge !== undefined && <FindBar />}
      <SignInDialog />
      <UnlockDialog />
      <RequestDialog />
      <Overlays />
      <ErrorHelp />
      <Toaster />
    </TooltipProvider>
  )
}

function messageOf(server: ServerView): string {
  const { name, status } = server
  const word = STATUS_WORD[status.kind].toLowerCase()
  if (status.kind === 'signInNeeded' || status.kind === 'awaitingSignIn')
    return `${name} needs you to sign in.`
  if (!isFailed(status)) return `${name} is ${word}.`
  const head = status.kind === 'error' ? 'has an error' : `is ${word}`
  return `${name} ${head}. ${statusText(server, Date.now()).message}`
}

/** The process of a failed reconnect is unchanged: its reason is the newest warning, which is last. */
function failedReconnect({ name, status }: ServerView): string {
  const reason = status.kind === 'degraded' ? status.warnings.at(-1) : undefined
  if (reason === undefined) return `Reconnecting ${name} failed.`
  return `${name} is ${STATUS_WORD[status.kind].toLowerCase()}. ${reason}`
}

function changeOf(server: ServerView, old: ServerView): string | null {
  const { name, status, upSince, reconnecting } = server
  const isOther = old.status.kind !== status.kind
  if (upSince === undefined || old.upSince === undefined) return isOther ? messageOf(server) : null
  if (upSince !== old.upSince)
    return `${name} has a new connection.${isOther ? ` ${messageOf(server)}` : ''}`
  if (old.reconnecting !== undefined && reconnecting === undefined) return failedReconnect(server)
  if (isOther) return messageOf(server)
  return old.reconnecting === undefined && reconnecting !== undefined
    ? `${name} is reconnecting.`
    : null
}

/** Returns the changes between two lists of servers as sentences; a new server has none. */
export function statusChanges(
  before: readonly ServerView[],
  after: readonly ServerView[],
): readonly string[] {
  const known = new Map(before.map((server) => [server.installationId, server]))
  return after.flatMap((server) => {
    const old = known.get(server.installationId)
    return (old && changeOf(server, old)) ?? []
  })
}

/** Returns a sentence for each new request. */
export function newRequests(
  before: readonly UserRequest[],
  after: readonly UserRequest[],
): readonly string[] {
  const known = new Set(before.map(({ requestId }) => requestId))
  return after
    .filter(({ requestId }) => !known.has(requestId))
    .map((request) => `${requestTitle(request, serverNameOf(request))}.`)
}

/** The only polite live region: announces every change of a server's status and every request once, as a sentence. */
function Announcer(): JSX.Element {
  const [{ text, turn }, setAnnouncement] = useState({ text: '', turn: 0 })
  /** Sentences that are not rendered yet: several changes between two renders are all announced. */
  const waiting = useRef<readonly string[]>([])
  useLayoutEffect(() => {
    waiting.current = []
  }, [turn])
  useEffect(
    () =>
      appStore.subscribe(({ app }, old) => {
        if (!app || !old.app) return
        const messages = [
          ...statusChanges(old.app.servers, app.servers),
          ...newRequests(old.app.userRequests, app.userRequests),
        ]
        if (messages.length === 0) return
        waiting.current = [...waiting.current, ...messages]
        const text = waiting.current.join(' ')
        setAnnouncement((last) => ({ text, turn: last.turn + 1 }))
      }),
    [],
  )
  return (
    <p className="sr-only" role="status" aria-live="polite" aria-label="Status changes">
      {/* A new node each time, because the same words twice are two announcements. */}
      <span key={turn}>{text}</span>
    </p>
  )
}

/** Returns the theme for tokens.css; undefined follows the system. */
export function shownTheme(
  theme: Settings['theme'],
  system: { readonly wantsContrast: boolean; readonly isDark: boolean },
): Exclude<Settings['theme'], 'system'> | undefined {
  if (theme !== 'system') return theme
  if (!system.wantsContrast) return undefined
  return system.isDark ? 'contrast' : 'contrast-light'
}

/** Sets the theme and density of the settings on the root element, for tokens.css; follows the system. */
function useAppearance(): void {
  const theme = useApp((state) => state.app?.settings.theme ?? 'system')
  const density = useApp((state) => state.app?.settings.density ?? 'comfortable')
  const wantsContrast = useMediaQuery('(prefers-contrast: more)')
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  const shown = shownTheme(theme, { wantsContrast, isDark })
  useEffect(() => {
    const { dataset } = document.documentElement
    if (shown === undefined) delete dataset.theme
    else dataset.theme = shown
    dataset.density = density
  }, [shown, density])
}

/** Also signs this tab out, which then shows its page without a token. */
function signOutTabs(): void {
  call('app.signOutTabs', {}).catch(showFailure)
}

/** Returns why secrets are in memory only, on the pages that show it; null elsewhere. */
function useInMemory(isDismissed: boolean): InMemory | null {
  const [path] = useLocation()
  const secretStore = useApp((state) => state.app?.secretStore)
  const isPlace = path === '/settings' || (path === '/' && !isDismissed)
  return isPlace && secretStore?.kind === 'memory' ? secretStore : null
}

/**
 * Notices of the app itself above the page: the lost connection, notices, and on Home and in Settings that secrets are in memory only;
 * elsewhere the sidebar and each secret's field show that.
 */
function AppBanners(props: {
  /** The user dismissed the notice on memory until the app ends; Settings still shows it. */
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

/** Says once that secrets are not saved; the cause, the fix and the system's message are behind Details. */
export function MemoryBanner(props: {
  readonly inMemory: InMemory
  readonly onDismiss?: () => void
  readonly opened?: boolean
}): JSX.Element {
  const { inMemory, onDismiss, opened = false } = props
  const { reason, fix, systemMessage } = inMemory
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
        {systemMessage !== undefined && (
          <p>
            System error: <code>{visibleText(systemMessage)}</code>
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
          <Button size="small" onClick={promptUnlock}>
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
