import './first-screen'
import './without-eval'
import './styles/index.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app'
import { parseHash } from './frame/hash-route'
import { openBridge } from './ipc/bridge'
import { setLine } from './ipc/call'
import { newQueries } from './ipc/queries'
import { lateScreenAt } from './screens'
import { followMain } from './stores/follow-main'

const NO_NONCE = '__CSP_NONCE__'
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
if (nonce !== undefined && nonce !== NO_NONCE) setNonce(nonce)

const link = openBridge()
setLine(link.bridge)
// So that it is drawn at once where its code is here.
lateScreenAt(parseHash(window.location.hash).path)
  ?.load()
  .catch(() => undefined)
const queries = newQueries()
followMain(link, queries)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
