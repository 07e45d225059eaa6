import type { ReactElement } from 'react'
import { useEffect, useEffectEvent } from 'react'

import type { OpenedLink } from '../../../../src-shared/domain/state/opened-link'
import { AddedServers } from '../../../components/configuration/added-servers'
import { call } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Dialog } from '../../../ui/overlays/dialog'
import { MainButton, ReadServers, WORDS } from './paste-steps'
import type { Paste, PasteStep } from './use-paste'
import { usePasteFlow } from './use-paste-flow'

/** A link is no registry's word: what it would run is for its user to know. */
function FromLink(): ReactElement {
  return (
    <Banner severity="warn" title="This server comes from a link, not from a registry.">
      The author of the link chose what runs. Continue only if you trust the source. You approve the
      exact command before the first start.
    </Banner>
  )
}

/** Why a link cannot be read. Its text is not shown: it may hold secrets, and nobody typed it here. */
function Unread({ step }: { readonly step: Extract<PasteStep, { kind: 'text' }> }): ReactElement {
  const { problem, broken } = step
  if (problem === null && broken.length === 0) return <Skeleton label="Reading link" rows={3} />
  return (
    <div role="alert">
      <Banner
        severity="error"
        title={problem?.message ?? 'The link is invalid: its data isn’t JSON.'}
      >
        {problem?.hint}
      </Banner>
    </div>
  )
}

function LinkBody({ paste }: { readonly paste: Paste }): ReactElement | null {
  const { step } = paste
  switch (step.kind) {
    case 'text':
      return <Unread step={step} />
    case 'entry':
      // Main refuses a link that carries a server.json.
      return null
    case 'servers':
      return (
        <>
          <FromLink />
          <ReadServers step={step} paste={paste} />
        </>
      )
    case 'added':
      return <AddedServers servers={step.servers} />
  }
}

function Opened({ link }: { readonly link: OpenedLink }): ReactElement {
  const close = (): void => {
    call('app.dropLink', { linkId: link.linkId }).catch(tellFailure)
  }
  const { paste, setUp } = usePasteFlow({ given: link.text, onClose: close })
  const begin = useEffectEvent(() => paste.read())
  useEffect(() => begin(), [])
  const { kind } = paste.step
  return (
    <Dialog
      wide
      comesUnasked
      onClose={close}
      title={kind === 'added' ? 'Servers added' : 'Add server from link'}
      description={WORDS[kind]}
      actions={
        <>
          {kind !== 'added' && (
            <Button size="form" onClick={close}>
              Close
            </Button>
          )}
          {kind !== 'text' && <MainButton paste={paste} onSetUp={setUp} onClose={close} />}
        </>
      }
    >
      <div className="stack gap-3 above-4">
        <LinkBody paste={paste} />
      </div>
    </Dialog>
  )
}

/** Shows what the link carries that the app was opened with; it is forgotten when the dialog closes. */
export function LinkDialog(): ReactElement | null {
  const link = useApp(({ app }) => app?.link)
  return link?.kind === 'link' ? <Opened key={link.linkId} link={link} /> : null
}
