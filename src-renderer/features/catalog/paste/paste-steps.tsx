import { type ReactElement, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type {
  ConfiguredServer,
  ServerChoice,
  TextProblem,
} from '../../../../src-shared/domain/installation/configuration'
import { ServerChoices } from '../../../components/configuration/server-choices'
import {
  ServerLaunch,
  ServerNotes,
  summaryLine,
  TRANSPORTS,
} from '../../../components/configuration/server-launch'
import { Button } from '../../../ui/controls/button'
import { Checkbox } from '../../../ui/controls/choice'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { CodeArea, Field, ProblemText } from '../../../ui/fields/field'
import { Banner, ProblemBanner } from '../../../ui/layout/page'
import { Tag } from '../../../ui/marks/tag'
import { counted } from '../../../ui/text/format'
import { entryTitle, setUpOf, useMachine } from '../entry/entry-facts'
import { NoticeList, noticeSummary } from '../entry/notice-list'
import { noChoice, type Paste, type ServersStep } from './use-paste'

/** Larger numbers of servers show one line each. */
const FEW = 2

/** The parsed server.json. */
export function ReadEntry({ entry }: { readonly entry: CatalogEntry }): ReactElement {
  const { obstacle } = setUpOf(entry, useMachine())
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

/** The parsed servers to choose from. */
export function ReadServers(props: {
  readonly step: ServersStep
  readonly paste: Paste
}): ReactElement {
  const { step, paste } = props
  const { servers, picked, choices, added } = step
  return (
    <>
      <ul
        className="bounded scroll grid gap-3"
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
      {added.length > 0 && (
        <Banner
          role="status"
          severity="ready"
          title={`Added: ${added.map(({ name }) => name).join(', ')}.`}
        >
          Select more servers, or close.
        </Banner>
      )}
      <ProblemBanner role="alert" problem={step.problem} />
    </>
  )
}

/** Description of the dialog at each step. */
export const TEXTS = {
  text: 'Reading a configuration runs nothing.',
  entry: 'Reading a configuration runs nothing.',
  servers: 'Select servers to add. You approve each command before it runs.',
  added: 'Approved servers start now. The others need your review.',
} as const

/** The button to the next step. */
export function MainButton(props: {
  readonly paste: Paste
  readonly onClose: () => void
}): ReactElement {
  const { paste, onClose } = props
  const { step, busy } = paste
  const machine = useMachine()
  const main = (): readonly [label: string, act: (() => void) | undefined] => {
    switch (step.kind) {
      case 'text':
        return ['Continue', paste.read]
      case 'entry':
        return setUpOf(step.entry, machine).obstacle === undefined
          ? ['Set up', () => paste.setUp(step.entry)]
          : ['Continue', paste.read]
      case 'servers': {
        const { size } = step.picked
        const add = (): void => paste.add({ approves: false })
        return [`Add ${counted(size, 'server')}`, size === 0 ? undefined : add]
      }
      case 'added':
        return ['Done', onClose]
    }
  }
  const [label, act] = main()
  return (
    <Button
      size="form"
      variant="primary"
      busy={busy}
      aria-disabled={act === undefined || undefined}
      onClick={act}
    >
      {label}
    </Button>
  )
}

function PastedServer(props: {
  readonly server: ConfiguredServer
  readonly choice: ServerChoice
  readonly isPicked: boolean
  /** Whether the details are open at first. */
  readonly isOpen: boolean
  readonly onPick: (isPicked: boolean) => void
  readonly onChoose: (choice: ServerChoice) => void
}): ReactElement {
  const { server, choice, isPicked, isOpen, onPick, onChoose } = props
  const { preview, obstacle, name } = server
  const [open, setOpen] = useState(isOpen)
  const id = `pasted-${server.index}`
  return (
    <li className="grid min-w-0 gap-2 rounded-lg border border-line bg-subtle p-3">
      <div className="flex min-w-0 items-center gap-2">
        <Checkbox
          aria-label={`Add ${name}`}
          disabled={preview === null}
          checked={isPicked}
          onCheckedChange={onPick}
        >
          <b className="truncate">{name}</b>
        </Checkbox>
        {preview?.kind === 'remote' ? <Tag>{TRANSPORTS[preview.type]}</Tag> : null}
      </div>
      {obstacle === undefined ? null : <ProblemText alert={false}>{obstacle}</ProblemText>}
      {preview === null ? null : (
        <>
          {open ? null : <code className="block truncate text-muted">{summaryLine(preview)}</code>}
          <ServerNotes server={server} />
          {isOpen ? null : (
            <DisclosureButton
              label={open ? 'Less' : 'Command and secrets'}
              open={open}
              controls={id}
              onOpenChange={setOpen}
            />
          )}
          <div id={id} className="grid min-w-0 gap-3" hidden={!open}>
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
      )}
    </li>
  )
}

/** Returns the offset of a line and column, both counted from 1. */
function offsetOf(text: string, { line, column }: TextProblem): number {
  const lines = text.split('\n').slice(0, line - 1)
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}

/** The pasted text with its problems; a click on a problem moves the cursor to it. */
export function PasteText(props: {
  readonly text: string
  readonly broken: readonly TextProblem[]
  readonly problem: AppErrorShape | null
  readonly change: (text: string) => void
}): ReactElement {
  const { text, broken, problem, change } = props
  const area = useRef<HTMLTextAreaElement>(null)
  function goTo(fault: TextProblem): void {
    const at = offsetOf(text, fault)
    area.current?.focus()
    area.current?.setSelectionRange(at, Math.min(text.length, at + 1))
  }
  const isBroken = broken.length > 0
  return (
    <>
      <Field
        id="configuration"
        label="Configuration"
        hint="Paste a configuration, a server.json, an install link of any app, a command, or an address."
        problem={problem?.message}
      >
        {(ids) => (
          <CodeArea
            {...ids}
            ref={area}
            aria-invalid={isBroken || problem !== null || undefined}
            autoFocus
            rows={12}
            placeholder={
              '{\n  "mcpServers": {\n    "notes": { "command": "npx", "args": ["-y", "notes-mcp"] }\n  }\n}'
            }
            value={text}
            onValueChange={change}
          />
        )}
      </Field>
      {problem?.hint === undefined ? null : <p>{problem.hint}</p>}
      {isBroken ? (
        <div>
          <ProblemText alert={false}>Invalid JSON.</ProblemText>
          <ul
            className="mt-1 grid gap-1 text-small text-muted"
            role="alert"
            aria-label="Errors in the text"
          >
            {broken.map((place, index) => (
              <li key={index}>
                <button
                  type="button"
                  className="text-button bare underlined text-accent"
                  onClick={() => goTo(place)}
                >
                  Line {place.line}, column {place.column}
                </button>
                : {place.message}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
