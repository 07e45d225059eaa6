import { Copy, RotateCw } from 'lucide-react'
import { Component, type ReactNode, useEffect } from 'react'

import { hasPendingRequest, toErrorShape } from '../ipc/call'
import { Button } from '../ui/controls/button'
import type { LazyComponent } from '../ui/layout/lazy-screen'
import { BlankState, keepFocus, Page } from '../ui/layout/page'
import { copyText } from '../ui/saving/copy-text'
import { visibleText } from '../ui/text/untrusted-text'

type Props = {
  /** Current location: the page renders again at another one. */
  readonly place: string
  readonly children: ReactNode
}
type State = { readonly failure: { readonly thrown: unknown } | undefined }

const LONGEST = 300

function detailsOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** Replaces a page that throws while rendering by the error; everything around it continues. An outermost one surrounds the app. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { failure: undefined }

  static getDerivedStateFromError(thrown: unknown): State {
    return { failure: { thrown } }
  }

  override componentDidUpdate(before: Props, { failure }: State): void {
    // The focused element was removed with the page, or with the error.
    if (failure !== this.state.failure) keepFocus()
    if (before.place !== this.props.place && this.state.failure) this.#drawAgain()
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    const { thrown } = failure
    const reason = visibleText(toErrorShape(thrown).message.slice(0, LONGEST))
    return (
      <Page title="Page error">
        <div role="alert">
          <BlankState
            art="cut"
            title="Can’t show this page"
            message={<>{reason && <code>{reason}</code>} Your servers and agents keep running.</>}
            action={
              <div className="flex min-w-0 items-center gap-2">
                <Button variant="primary" icon={RotateCw} onClick={() => this.#drawAgain()}>
                  Try again
                </Button>
                <Button icon={Copy} onClick={() => copyText(detailsOf(thrown), 'Details copied.')}>
                  Copy details
                </Button>
              </div>
            }
          />
        </div>
      </Page>
    )
  }

  #drawAgain(): void {
    this.setState({ failure: undefined })
  }
}

/** Maximum wait for an idle page or pending requests before the next one is fetched anyway, in ms. */
const MAX_WAIT_MS = 2_000

type Late = Pick<LazyComponent, 'load'>

/** Resolves when the page is idle, or soon if the browser cannot tell. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari before version 18 has no requestIdleCallback.
    if (typeof requestIdleCallback !== 'function') setTimeout(resolve, 200)
    else requestIdleCallback(() => resolve(), { timeout: MAX_WAIT_MS })
  })
}

/** Loads one after the other while the page is idle and no request is pending. */
async function loadInTurn(screens: readonly Late[], signal: AbortSignal): Promise<void> {
  for (const screen of screens) {
    const since = performance.now()
    do await whenIdle()
    while (hasPendingRequest() && performance.now() - since < MAX_WAIT_MS)
    if (signal.aborted) return
    await screen.load()
  }
}

/** Prefetches the code of screens that are not open, one after the other while the page is idle, so that the open one renders first. */
export function useLateScreens(screens: readonly Late[]): void {
  useEffect(() => {
    const abort = new AbortController()
    // On failure the screen shows the error when it is opened, and retries.
    loadInTurn(screens, abort.signal).catch(() => abort.abort())
    return () => abort.abort()
  }, [screens])
}
