import { type JSX, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import { useQuestions } from '../components/question/question-store'
import { UnlockDialog } from '../components/secret/unlock-dialog'
import { SignInDialog } from '../components/server/sign-in-dialog'
import { QuestionDialog, QuestionLine } from '../features/questions/question-dialog'
import { useApp } from '../stores/app-store'
import { usePalette } from '../stores/palette-store'
import { TooltipProvider } from '../ui/controls/tooltip'
import { BlankState } from '../ui/layout/blank-state'
import { lazyPart } from '../ui/layout/lazy-screen'
import { keepFocus, PageBanners, WaitingCount } from '../ui/layout/page'
import { ErrorHelp } from '../ui/overlays/error-help'
import { Toaster } from '../ui/overlays/toast'
import { Announcer } from './announcer'
import { AppBanners } from './app-banners'
import { useAppearance } from './appearance'
import { FindBar } from './find-bar'
import { useShortcuts } from './shortcuts'
import { Sidebar } from './sidebar'
import { useDroppedBundle, useOpenedBundle } from './use-dropped-bundle'

function skipToContent(): void {
  document.querySelector<HTMLElement>('#main')?.focus()
}

/** What stands before the first snapshot: no data, only why there is none. */
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

/** Their code comes when they are first asked for; once here they stay, so that they close as dialogs do. */
const LazyPalette = lazyPart(
  async () => (await import('../features/palette/command-palette')).CommandPalette,
)
const LazySheet = lazyPart(async () => (await import('../features/palette/cheat-sheet')).CheatSheet)

const LazyLink = lazyPart(
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

/** Sidebar and page, with what every page shares; without a connection it shows why. */
export function AppShell({ children }: { readonly children: ReactNode }): JSX.Element {
  const isKnown = useApp((state) => state.app !== null && state.connection !== 'refused')
  useAppearance()
  useShortcuts()
  useDroppedBundle()
  useOpenedBundle()
  useFocusAfterMove()
  const [isMemoryNoted, setIsMemoryNoted] = useState(false)
  const waiting = useQuestions().length
  const banners = (
    <>
      <QuestionLine />
      <AppBanners isMemoryNoted={isMemoryNoted} onMemoryNoted={() => setIsMemoryNoted(true)} />
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
      <QuestionDialog />
      <Overlays />
      <ErrorHelp />
      <Toaster />
    </TooltipProvider>
  )
}
