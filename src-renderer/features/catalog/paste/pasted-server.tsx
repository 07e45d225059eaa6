import type { ReactElement } from 'react'
import { useState } from 'react'

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
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { ProblemText } from '../../../ui/fields/problem-text'
import { Tag } from '../../../ui/marks/tag'

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
export function PastedServer(props: PastedServerProps): ReactElement {
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
