import { CheckCircle2 } from 'lucide-react'
import type { JSX } from 'react'
import { useId, useState } from 'react'

import { ChangeView } from '../../../components/app/change-view'
import { DoublesChoice, doublesWords } from '../../../components/app/doubles-choice'
import { fileProblem } from '../../../components/app/file-messages'
import { type HostRow, hostRows } from '../../../components/app/host-rows'
import { useAgent } from '../../../components/app/use-agents'
import { useConnecting } from '../../../components/app/use-connecting'
import { useApp, useServers } from '../../../stores/app-store'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { ProblemText } from '../../../ui/fields/problem-text'
import { Skeleton } from '../../../ui/layout/skeleton'
import { counted } from '../../../ui/text/format'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText } from '../../../ui/text/visible-text'
import { SetupStep, type StepState } from './setup-step'

/** More apps are on their own page. */
const MOST_APPS = 6

/** A connected app, with how many tools it gets. */
function ConnectedRow({
  row,
  agentId,
}: {
  readonly row: HostRow
  readonly agentId: string
}): JSX.Element {
  const agent = useAgent(agentId)
  return (
    <li className="row gap-3 pad-row">
      <div className="grow slim">
        <p className="medium ink">{row.host.name}</p>
        <p className="soft">{row.host.reload}</p>
      </div>
      <p className="row gap-1 tone is-ready nowrap" role="status">
        <CheckCircle2 className="icon" aria-hidden />
        {agent ? `Sees ${counted(agent.exposed, 'tool')}` : 'Connected'}
      </p>
    </li>
  )
}

/** An app that one click connects, with what that changes in its file. */
function AvailableRow({
  row,
  isFirst,
}: {
  readonly row: HostRow
  readonly isFirst: boolean
}): JSX.Element {
  const id = useId()
  const [isOpen, setIsOpen] = useState(isFirst)
  const { changing, refusal, nameProblem, doubles, turnDoublesOff } = useConnecting(
    row,
    () => undefined,
  )
  const { preview, canWrite, isBusy, write } = changing
  return (
    <li className="stack gap-2 pad-row">
      <div className="row gap-3">
        <div className="grow slim">
          <p className="medium ink">{row.host.name}</p>
          <p className="soft cut">
            Adds 1 entry to <code>{visibleText(row.file.path)}</code>
            {doubles?.isIncluded === true && ` and ${doublesWords(doubles)}`}
          </p>
        </div>
        <DisclosureButton label="Change" open={isOpen} controls={id} onOpenChange={setIsOpen} />
        <Button
          variant={isFirst ? 'primary' : 'default'}
          busy={isBusy}
          aria-disabled={!canWrite || undefined}
          aria-label={`Connect ${row.host.name}`}
          onClick={write}
        >
          Connect
        </Button>
      </div>
      {nameProblem !== undefined && <ProblemText>{nameProblem}</ProblemText>}
      {refusal && <ProblemText topic={refusal.code}>{problemWords(refusal)}</ProblemText>}
      <div id={id} hidden={!isOpen}>
        {isOpen &&
          (preview ? <ChangeView preview={preview} /> : <Skeleton label="Reading the file" />)}
      </div>
      {doubles && (
        <DoublesChoice doubles={doubles} appName={row.host.name} onChoose={turnDoublesOff} />
      )}
    </li>
  )
}

/** Apps of this computer with a file of the user's own that Patchbay can write, connected ones first. */
function useAppRows(): { readonly rows: readonly HostRow[]; readonly isRead: boolean } {
  const hosts = useApp(({ app }) => app?.hosts)
  if (!hosts?.isRead) return { rows: [], isRead: false }
  const own = hostRows(hosts).rows.filter(
    ({ file, connection }) =>
      file.scope !== 'folder' && (connection !== undefined || fileProblem(file) === undefined),
  )
  const connected = own.filter(({ connection }) => connection?.state === 'asWritten')
  const available = own.filter(({ connection }) => connection === undefined)
  return { rows: [...connected, ...available].slice(0, MOST_APPS), isRead: true }
}

function Apps({ isCurrent }: { readonly isCurrent: boolean }): JSX.Element {
  const { rows, isRead } = useAppRows()
  if (!isRead) return <Skeleton label="Looking for apps" rows={3} />
  if (rows.length === 0)
    return (
      <p className="box surface setup-box pad-row row gap-3 soft">
        <span className="grow pretty">
          Any MCP client can connect with an address or a command.
        </span>
        <ButtonLink variant="primary" href="/apps?add">
          Connect an app
        </ButtonLink>
      </p>
    )
  const first = rows.find(({ connection }) => !connection)?.rowId
  const isAnyConnected = rows.some(({ connection }) => connection)
  return (
    <ul className="box surface divided setup-box" aria-label="Apps on this computer">
      {rows.map((row) =>
        row.connection?.agentId === undefined ? (
          <AvailableRow
            key={row.rowId}
            row={row}
            isFirst={isCurrent && !isAnyConnected && row.rowId === first}
          />
        ) : (
          <ConnectedRow key={row.rowId} row={row} agentId={row.connection.agentId} />
        ),
      )}
    </ul>
  )
}

/** The third step: the apps that Patchbay found, each with one button. */
export function ConnectStep(): JSX.Element {
  const hasServers = useServers().length > 0
  const hasAgents = useApp(({ app }) => (app?.agents.agents.length ?? 0) > 0)
  const unconnected = hasServers ? 'current' : 'later'
  const state: StepState = hasAgents ? 'done' : unconnected
  return (
    <SetupStep
      number={3}
      title="Connect an app"
      state={state}
      text="Patchbay shows the change to the config file before it saves it."
      link={
        state !== 'later' && (
          <ButtonLink size="small" variant="quiet" href="/apps">
            All apps
          </ButtonLink>
        )
      }
    >
      {state !== 'later' && <Apps isCurrent={state === 'current'} />}
    </SetupStep>
  )
}
