import type { ReactElement } from 'react'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { entryObstacle, entryTitle } from '../entry/entry-facts'
import { useMachine } from '../entry/machine'
import { NoticeList } from '../entry/notice-list'
import { noticeSummary } from '../entry/notice-messages'
import { bestView } from './best-view'
import { PastedServer } from './pasted-server'
import type { Paste, PasteStep } from './use-paste'
import { noChoice } from './use-paste'

/** More than that are shown by a line each. */
const FEW = 2

/** The server.json that was read. */
export function ReadEntry({ entry }: { readonly entry: CatalogEntry }): ReactElement {
  const obstacle = entryObstacle(bestView(entry, useMachine()))
  return (
    <div role="status">
      <Banner
        severity={obstacle === undefined ? 'warn' : 'error'}
        title={obstacle ?? `${entryTitle(entry.server)} read.`}
      >
        {entry.notices.length === 0 ? null : `${noticeSummary(entry.notices)}.`}
      </Banner>
      <NoticeList notices={entry.notices} />
    </div>
  )
}

/** The servers that were read, to choose from. */
export function ReadServers(props: {
  readonly step: Extract<PasteStep, { kind: 'servers' }>
  readonly paste: Paste
}): ReactElement {
  const { step, paste } = props
  const { servers, picked, choices, added } = step
  return (
    <>
      <ul
        className="bounded scroll stack gap-3"
        aria-label="Servers in the configuration"
        tabIndex={0}
      >
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
            Select more servers, or close.
          </Banner>
        </div>
      )}
      <PasteProblem step={step} />
    </>
  )
}

/** Why the last try to add servers failed. */
export function PasteProblem({
  step: { problem },
}: {
  readonly step: Extract<PasteStep, { kind: 'servers' }>
}): ReactElement | null {
  if (problem === null) return null
  return (
    <div role="alert">
      <Banner severity="error" title={problem.message}>
        {problem.hint}
      </Banner>
    </div>
  )
}

/** What the dialog says of itself at each step. */
export const WORDS = {
  text: 'Reading a configuration runs nothing.',
  entry: 'Reading a configuration runs nothing.',
  servers: 'Select servers to add. You approve each command before it runs.',
  added: 'Approved servers start now. The others need your review.',
} as const

/** The button that leads on. */
export function MainButton(props: {
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
          Continue
        </Button>
      )
    case 'entry': {
      const isUsable = entryObstacle(bestView(step.entry, machine)) === undefined
      return (
        <Button {...shared} onClick={() => (isUsable ? onSetUp(step.entry) : paste.read())}>
          {isUsable ? 'Set up' : 'Continue'}
        </Button>
      )
    }
    case 'servers': {
      const count = step.picked.size
      return (
        <Button
          {...shared}
          aria-disabled={count === 0 || undefined}
          onClick={count === 0 ? undefined : () => paste.add({ approves: false })}
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
