import './without-eval'
import './styles/index.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app'
import { navigate, parseHash } from './frame/hash-route'
import { openBridge } from './ipc/bridge'
import { setLine } from './ipc/call'
import { newQueries } from './ipc/queries'
import { lateScreenAt } from './routes'
import { whenStateKnown } from './stores/app-store'
import { followMain } from './stores/follow-main'

const NO_NONCE = '__CSP_NONCE__'
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
if (nonce !== undefined && nonce !== NO_NONCE) setNonce(nonce)

const link = openBridge()
setLine(link.bridge)
const queries = newQueries()
followMain(link, queries)
link.bridge.events['place.opened'](({ place }) => navigate(place))

function draw(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no element with the id "root".')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** How long to wait for code and state before the first render, in ms: an earlier window would render twice. */
const ON_ITS_WAY_MS = 400
// On failure the screen shows the error when it renders, and retries.
const screen = lateScreenAt(parseHash(window.location.hash).path)
  ?.load()
  .catch(() => undefined)
const late = new Promise((resolve) => setTimeout(resolve, ON_ITS_WAY_MS))
void Promise.race([Promise.all([screen, whenStateKnown()]), late]).then(draw)
