import type { ReactElement } from 'react'
import { useState } from 'react'

import type { ConfiguredServer, ServerChoice } from '../../../../src-shared/domain/configuration'
import type { LaunchPreview } from '../../../../src-shared/domain/launch-plan'
import { ArgvList } from '../../../ui/argv-list'
import { DisclosureButton } from '../../../ui/disclosure'
import { ProblemText } from '../../../ui/problem-text'
import { Tag } from '../../../ui/tag'
import { ServerChoices } from './server-choices'
import { launchLines, pairLines, summaryLine } from './server-lines'

const TRANSPORTS = { 'streamable-http': 'HTTP', sse: 'SSE' } as const

function Launch({ preview }: { readonly preview: LaunchPreview }): ReactElement {
  const pairs = pairLines(preview)
  const isRemote = preview.kind === 'remote'
  return (
    <>
      <ArgvList
        label={isRemote ? 'Address' : 'Command'}
        numbered={!isRemote}
        lines={launchLines(preview)}
      />
      {pairs.length === 0 ? null : (
        <ArgvList label={isRemote ? 'Headers' : 'Environment'} numbered={false} lines={pairs} />
      )}
      {isRemote || preview.cwd === undefined ? null : (
        <p className="faint">
          Runs in <code>{preview.cwd}</code>.
        </p>
      )}
    </>
  )
}

function Notices({ server }: { readonly server: ConfiguredServer }): ReactElement | null {
  const { notices, toFill, takenName } = server
  const lines = [
    ...(takenName === undefined
      ? []
      : [`The name “${takenName}” is taken, so it is called “${server.name}”.`]),
    ...(toFill.length === 0 ? [] : [`To be filled in before it can start: ${toFill.join(', ')}.`]),
  ]
  if (lines.length + notices.length === 0) return null
  return (
    <ul className="paste-notices" aria-label={`Notes on ${server.name}`}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {notices.map(({ path, message }, index) => (
        <li key={index}>
          <code>{path}</code>: {message}
        </li>
      ))}
    </ul>
  )
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
      {open ? null : <code className="cut paste-summary">{summaryLine(preview)}</code>}
      <Notices server={server} />
      {isOpen ? null : (
        <DisclosureButton
          label={open ? 'Less' : 'What it runs and where its secrets go'}
          open={open}
          controls={id}
          onOpenChange={setOpen}
        />
      )}
      <div id={id} className="paste-details" hidden={!open}>
        {open ? (
          <>
            <Launch preview={preview} />
            <ServerChoices server={server} choice={choice} onChoose={onChoose} />
          </>
        ) : null}
      </div>
    </>
  )
}

/** One server of a configuration: whether it is added, what it would run, and what is decided about it. */
export function PastedServer(props: PastedServerProps): ReactElement {
  const { server, isPicked, onPick } = props
  const { preview, obstacle, name } = server
  return (
    <li className="pasted-server">
      <div className="pasted-head">
        <label className="tick">
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
