import './paste/paste.css'

import type { ReactElement } from 'react'
import { useLocation } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { AddedServer } from '../../../src-shared/domain/configuration'
import type { Machine } from '../../../src-shared/domain/preferred-offer'
import { Banner } from '../../ui/banner'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { entryObstacle, entryTitle, setupPath } from './entry-facts'
import { useMachine } from './machine'
import { NoticeList } from './notice-list'
import { noticeSummary } from './notice-words'
import type { OfferView } from './offer-words'
import { viewsOf, viewToSetUp } from './offer-words'
import { PasteText } from './paste/paste-text'
import { PastedServer } from './paste/pasted-server'
import type { Paste, PasteStep } from './paste/use-paste'
import { noChoice, usePaste } from './paste/use-paste'

/** More than that are shown by a line each. */
const FEW = 2

function bestOf({ server }: CatalogEntry, machine: Machine): OfferView | undefined {
  return viewToSetUp(viewsOf(server, machine), undefined)
}

function ReadEntry({ entry }: { readonly entry: CatalogEntry }): ReactElement {
  const obstacle = entryObstacle(bestOf(entry, useMachine()))
  return (
    <div role="status">
      <Banner
        severity={obstacle === undefined ? 'warn' : 'error'}
        title={obstacle ?? `${entryTitle(entry.server)} is read.`}
      >
        {entry.notices.length === 0 ? null : `${noticeSummary(entry.notices)}.`}
      </Banner>
      <NoticeList notices={entry.notices} />
    </div>
  )
}

function ReadServers(props: {
  readonly step: Extract<PasteStep, { kind: 'servers' }>
  readonly paste: Paste
}): ReactElement {
  const { step, paste } = props
  const { servers, picked, choices, added, problem } = step
  return (
    <>
      <ul className="pasted-servers" aria-label="Servers of the configuration" tabIndex={0}>
        {servers.map((server) => (
          <PastedServer
            key={server.index}
            server={server}
            choice={choices.get(server.index) ?? noChoice(server.index)}
            isPicked={picked.has(server.index)}
            isOpen={servers.length <= FEW}
            onPick={(isPicked) => paste.pick(server.index, isPicked)}
            onChoose={paste.choose}
          />
        ))}
      </ul>
      {added.length === 0 ? null : (
        <div role="status">
          <Banner severity="ready" title={`Added: ${added.map(({ name }) => name).join(', ')}.`}>
            They are not picked any more.
          </Banner>
        </div>
      )}
      {problem === null ? null : (
        <div role="alert">
          <Banner severity="error" title={problem.message}>
            {problem.hint}
          </Banner>
        </div>
      )}
    </>
  )
}

function AddedServers({ servers }: { readonly servers: readonly AddedServer[] }): ReactElement {
  return (
    <ul className="added-servers" aria-label="Added servers">
      {servers.map(({ installationId, name }) => (
        <li key={installationId}>
          <span className="grow cut">{name}</span>
          <ButtonLink
            size="small"
            href={`/servers/${installationId}/configure`}
            aria-label={`Review ${name}`}
          >
            Review
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}

function PasteBody({ paste }: { readonly paste: Paste }): ReactElement {
  const { step } = paste
  switch (step.kind) {
    case 'text':
      return <PasteText {...step} text={paste.text} onTextChange={paste.change} />
    case 'entry':
      return (
        <>
          <PasteText text={paste.text} broken={[]} problem={null} onTextChange={paste.change} />
          <ReadEntry entry={step.entry} />
        </>
      )
    case 'servers':
      return <ReadServers step={step} paste={paste} />
    case 'added':
      return <AddedServers servers={step.servers} />
  }
}

const WORDS = {
  text: 'Nothing is run by pasting it.',
  entry: 'Nothing is run by pasting it.',
  servers: 'Choose what to add. Nothing starts: each server waits for your review.',
  added: 'Each runs once you have reviewed and approved its command.',
} as const

function MainButton(props: {
  readonly paste: Paste
  readonly onSetUp: (entry: CatalogEntry) => void
  readonly onClose: () => void
}): ReactElement {
  const { paste, onSetUp, onClose } = props
  const { step, busy } = paste
  const machine = useMachine()
  const shared = { size: 'form', variant: 'primary', busy } as const
  switch (step.kind) {
    case 'text':
      return (
        <Button {...shared} onClick={paste.read}>
          Read it
        </Button>
      )
    case 'entry': {
      const isUsable = entryObstacle(bestOf(step.entry, machine)) === undefined
      return (
        <Button {...shared} onClick={() => (isUsable ? onSetUp(step.entry) : paste.read())}>
          {isUsable ? 'Set up' : 'Read it'}
        </Button>
      )
    }
    case 'servers': {
      const count = step.picked.size
      return (
        <Button
          {...shared}
          aria-disabled={count === 0 || undefined}
          onClick={count === 0 ? undefined : paste.add}
        >
          {count === 1 ? 'Add 1 server' : `Add ${count} servers`}
        </Button>
      )
    }
    case 'added':
      return (
        <Button {...shared} onClick={onClose}>
          Done
        </Button>
      )
  }
}

/** The buttons that lead back or away. */
function OtherButtons(props: {
  readonly paste: Paste
  readonly onClose: () => void
}): ReactElement | null {
  const { paste, onClose } = props
  const { step } = paste
  if (step.kind === 'added') return null
  return (
    <>
      {step.kind === 'servers' ? (
        <Button size="form" onClick={paste.back}>
          Back to the text
        </Button>
      ) : null}
      <Button size="form" onClick={onClose}>
        {step.kind === 'text' ? 'Cancel' : 'Close'}
      </Button>
    </>
  )
}

/** Takes a configuration or a server.json as text, shows what it becomes, and adds what the person chooses. */
export function PasteDialog(props: {
  readonly onClose: () => void
  /** Called with every server.json that was read. */
  readonly onRead: (entry: CatalogEntry) => void
}): ReactElement {
  const { onClose, onRead } = props
  const [, navigate] = useLocation()
  const machine = useMachine()
  function setUp(entry: CatalogEntry): void {
    const view = bestOf(entry, machine)
    if (view) navigate(setupPath(entry.entryId, view.ref))
  }
  const paste = usePaste({
    onEntry: (entry) => {
      onRead(entry)
      const isPlain = entry.notices.length === 0
      if (isPlain && entryObstacle(bestOf(entry, machine)) === undefined) setUp(entry)
    },
    onAdded: ([first, ...more]) => {
      // One has nothing to be chosen from any more.
      if (first && more.length === 0) navigate(`/servers/${first.installationId}/configure`)
    },
  })
  const { step } = paste
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={step.kind === 'added' ? 'Servers added' : 'Paste configuration'}
      description={WORDS[step.kind]}
      actions={
        <>
          <OtherButtons paste={paste} onClose={onClose} />
          <MainButton paste={paste} onSetUp={setUp} onClose={onClose} />
        </>
      }
    >
      <div className="dialog-stack">
        <PasteBody paste={paste} />
      </div>
    </Dialog>
  )
}
