import { type ReactElement, useState } from 'react'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type {
  ConfiguredServer,
  ServerChoice,
} from '../../../../src-shared/domain/installation/configuration'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { ServerChoices } from '../../../components/configuration/server-choices'
import {
  ServerLaunch,
  ServerNotes,
  TRANSPORTS,
} from '../../../components/configuration/server-launch'
import { summaryLine } from '../../../components/configuration/server-lines'
import { Button } from '../../../ui/controls/button'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { ProblemText } from '../../../ui/fields/problem-text'
import { Banner } from '../../../ui/layout/banner'
import { Tag } from '../../../ui/marks/tag'
import { entryObstacle, entryTitle } from '../entry/entry-facts'
import { useMachine } from '../entry/machine'
import { NoticeList } from '../entry/notice-list'
import { noticeSummary } from '../entry/notice-list'
import { noChoice, type Paste, type PasteStep } from './use-paste'
import { bestView } from './use-paste-flow'

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

type PastedServerProps = {
  readonly server: ConfiguredServer
  readonly choice: ServerChoice
  readonly isPicked: boolean
  /** Shows all of it from the start. */
  readonly isOpen: boolean
  readonly onPick: (isPicked: boolean) => void
  readonly onChoose: (choice: ServerChoice) => void
}

function Details(props: PastedServerProps & { readonly preview: LaunchPreview }): ReactElement {
  const { server, choice, isOpen, onChoose, preview } = props
  const [open, setOpen] = useState(isOpen)
  const id = `pasted-${server.index}`
  return (
    <>
      {open ? null : <code className="cut block soft">{summaryLine(preview)}</code>}
      <ServerNotes server={server} />
      {isOpen ? null : (
        <DisclosureButton
          label={open ? 'Less' : 'Command and secrets'}
          open={open}
          controls={id}
          onOpenChange={setOpen}
        />
      )}
      <div id={id} className="stack gap-3 slim" hidden={!open}>
        {open ? (
          <>
            <ServerLaunch preview={preview} />
            <ServerChoices
              server={server}
              choice={choice}
              onChoose={(decided) => onChoose({ ...choice, ...decided })}
            />
          </>
        ) : null}
      </div>
    </>
  )
}

/** One server of a configuration: whether it is added, what it would run, and what is decided about it. */
function PastedServer(props: PastedServerProps): ReactElement {
  const { server, isPicked, onPick } = props
  const { preview, obstacle, name } = server
  return (
    <li className="box pad-3 subtle stack gap-2 slim">
      <div className="row gap-2 slim">
        <label className="tick row gap-2 slim break">
          <input
            type="checkbox"
            className="check"
            aria-label={`Add ${name}`}
            disabled={preview === null}
            checked={isPicked}
            onChange={(event) => onPick(event.currentTarget.checked)}
          />
          <b className="cut">{name}</b>
        </label>
        {preview?.kind === 'remote' ? <Tag>{TRANSPORTS[preview.type]}</Tag> : null}
      </div>
      {obstacle === undefined ? null : <ProblemText alert={false}>{obstacle}</ProblemText>}
      {preview === null ? null : <Details {...props} preview={preview} />}
    </li>
  )
}
