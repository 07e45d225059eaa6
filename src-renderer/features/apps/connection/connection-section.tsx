import { Plug } from 'lucide-react'
import { type JSX, type ReactNode, useId, useState } from 'react'
import { useLocation } from 'wouter'

import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { fileProblem, fileWarning, shortPath } from '../../../components/app/file-messages'
import {
  connectionMessage,
  type HostRow,
  isBrokenConnection,
} from '../../../components/app/host-rows'
import { useGatewayUrl } from '../../../components/app/use-connecting'
import { SecretDialog } from '../../../components/secret/secret-dialogs'
import { call } from '../../../ipc/call'
import { useApp, useNow } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/page'
import { Facts } from '../../../ui/layout/section'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { Tile } from '../../../ui/marks/tile'
import { Dialog } from '../../../ui/overlays/dialog'
import { formatList, formatMoment } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { type ConnectedApp, ENTRY_LABEL, namedApp } from '../app-groups'
import { ConnectionCheck } from './connect-check'
import { ConnectDialog, EntryMenu } from './connect-dialog'
import { KeyDialog, SnippetView } from './snippet-view'

function Entry({ row }: { readonly row: HostRow }): JSX.Element | null {
  const now = useNow(60_000)
  const home = useApp(({ app }) => app?.info.homeDir)
  const [isRepairing, setIsRepairing] = useState(false)
  const { host, file, connection } = row
  if (!connection) return null
  const { state, writtenAt } = connection
  const isDrifted = isBrokenConnection(state)
  const isWritten = state === 'asWritten'
  const status = isWritten ? 'ready' : 'degraded'
  const written = writtenAt === undefined ? '' : `, written ${formatMoment(writtenAt, now)}`
  const problem = fileProblem(file)
  const warning = fileWarning(file)
  return (
    <>
      <Facts
        facts={{
          File: (
            <span className="flex items-center gap-2">
              <code className="min-w-0 flex-1 wrap-anywhere">{shortPath(file.path, home)}</code>
              <EntryMenu row={row} />
            </span>
          ),
          Entry: (
            <span className={`flex items-center gap-2 is-${status}`}>
              <StatusGlyph status={status} />
              {isWritten ? `In use${written}` : isDrifted ? 'Needs repair' : ENTRY_LABEL[state]}
            </span>
          ),
        }}
      />
      {!isWritten && (
        <Banner
          severity="warn"
          action={
            isDrifted &&
            problem === undefined && (
              <Button size="small" onClick={() => setIsRepairing(true)}>
                Repair
              </Button>
            )
          }
        >
          {connectionMessage(connection, host.name, undefined)}
          {problem !== undefined && ` ${visibleText(problem)}`}
        </Banner>
      )}
      {warning !== undefined && <Banner severity="warn">{visibleText(warning)}</Banner>}
      {file.sharedWith.length > 0 && (
        <p className="text-small text-faint">{`${formatList(file.sharedWith)} ${file.sharedWith.length === 1 ? 'reads' : 'read'} the same file.`}</p>
      )}
      {isRepairing && <ConnectDialog row={row} onClose={() => setIsRepairing(false)} />}
    </>
  )
}

function Test(props: { readonly app: ConnectedApp; readonly onClose: () => void }): JSX.Element {
  const {
    app: {
      agent: { agentId, name },
      entries,
    },
    onClose,
  } = props
  const [since] = useState(() => Date.now())
  const host = entries[0]?.host ?? { name, reload: `Restart ${name}.` }
  return (
    <Dialog onClose={onClose} title={`Test connection of ${name}`} leave="Close">
      <div className="mt-3 grid gap-3">
        <ConnectionCheck agentId={agentId} host={host} since={since} />
      </div>
    </Dialog>
  )
}

/** How an app connects: its entries in files or the address, its key, and a test. */
export function ConnectionSection({ app }: { readonly app: ConnectedApp }): JSX.Element {
  const { agent, entries } = app
  const id = useId()
  const now = useNow(60_000)
  const url = useGatewayUrl()
  const [dialog, setDialog] = useState<'test' | 'copy' | null>(null)
  const close = (): void => setDialog(null)
  return (
    <section className="app-part grid min-w-0 gap-3" aria-labelledby={`${id}-head`}>
      <h3 id={`${id}-head`}>Connection</h3>
      {entries.map((row) => (
        <Entry key={row.rowId} row={row} />
      ))}
      <Facts
        facts={{
          Address: entries.length === 0 && <code>{url}</code>,
          Key: <code>{`pb_••••${agent.keyTail}`}</code>,
          ID: <code>{agent.agentId}</code>,
          Added: formatMoment(agent.createdAt, now),
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setDialog('test')}>
          Test connection
        </Button>
        <Button size="small" variant="quiet" onClick={() => setDialog('copy')}>
          Copy config
        </Button>
      </div>
      {dialog === 'test' && <Test app={app} onClose={close} />}
      {dialog === 'copy' && (
        <Dialog
          wide
          onClose={close}
          title={`Copy config of ${agent.name}`}
          description={`For HTTP, replace KEY with the key that ends in ${agent.keyTail}. Lost the key? Replace it.`}
          leave="Close"
        >
          <SnippetView agentId={agent.agentId} agentKey="KEY" />
        </Dialog>
      )}
    </section>
  )
}

/** Input attributes for the name of an app. */
export const APP_NAME = { maxLength: 60, placeholder: 'Cursor' } as const

type Added = { readonly name: string; readonly agentId: string; readonly agentKey: string }

/** Returns the settings of a new app, with the tool limit of the known app of the same name. */
function useNewProfile(): (name: string) => AgentProfile {
  const toolCap = useApp(({ app }) => app?.settings.toolCap)
  const hosts = useApp(({ app }) => app?.hosts.hosts)
  return (name) => {
    const { toolLimit: limit, nameLimit } = namedApp(name, hosts ?? []) ?? {}
    const profile = AgentProfile.parse({ toolCap, appLimit: limit, nameLimit })
    return limit === undefined ? profile : { ...profile, toolCap: Math.min(profile.toolCap, limit) }
  }
}

/** Connects any MCP client: its name, then its key and the entry for its configuration. */
export function AddClient(props: {
  readonly name?: string | undefined
  readonly onClose: () => void
}): JSX.Element {
  const { name: known = '', onClose } = props
  const [, navigate] = useLocation()
  const [added, setAdded] = useState<Added | null>(null)
  const profileOf = useNewProfile()
  if (added)
    return (
      <KeyDialog
        agentId={added.agentId}
        agentKey={added.agentKey}
        title={`Connect ${added.name}`}
        onStored={() => {
          onClose()
          navigate(`/apps/${added.agentId}`)
        }}
      />
    )
  return (
    <SecretDialog
      title="Connect MCP client"
      description="Works with any MCP client. The app gets its own key and all tools until you choose."
      confirmLabel="Connect"
      name={known}
      nameInput={APP_NAME}
      onConfirm={async ({ name }) => {
        const { agentId, key } = await call('agent.add', { name, profile: profileOf(name) })
        setAdded({ name, agentId, agentKey: key })
        return 'stays'
      }}
      onClose={onClose}
    />
  )
}

function Choice(props: {
  readonly mark: ReactNode
  readonly name: string
  readonly about: ReactNode
  readonly isDisabled?: boolean
  readonly onChoose: () => void
}): JSX.Element {
  const { mark, name, about, isDisabled = false, onChoose } = props
  return (
    <li>
      <button
        type="button"
        className="pick bare flex w-full items-center gap-3 hover:bg-hover"
        disabled={isDisabled}
        onClick={onChoose}
      >
        {mark}
        <span className="font-medium whitespace-nowrap text-foreground">{name}</span>
        <span className="truncate flex-1 text-right text-small text-faint">{about}</span>
      </button>
    </li>
  )
}

/** The apps to connect: those on this computer first, then the other known ones, then any MCP client. */
export function ChooseApp(props: {
  readonly found: readonly HostRow[]
  readonly away: readonly string[]
  readonly onConnect: (row: HostRow) => void
  /** Connects an app without a configuration file on this computer; `name` is set for a known app. */
  readonly onOther: (name?: string) => void
  readonly onClose: () => void
}): JSX.Element {
  const { found: rows, away, onConnect, onOther, onClose } = props
  const home = useApp(({ app }) => app?.info.homeDir)
  return (
    <Dialog title="Connect app" leave="Cancel" onClose={onClose}>
      <ul
        className="choose-app scroll -mx-2 max-h-[min(26rem,55vh)]"
        aria-label="Apps to connect"
        tabIndex={-1}
      >
        {rows.map((row) => {
          const problem = fileProblem(row.file)
          return (
            <Choice
              key={row.rowId}
              mark={<Tile name={row.host.name} />}
              name={row.host.name}
              about={problem === undefined ? shortPath(row.file.path, home) : visibleText(problem)}
              isDisabled={problem !== undefined}
              onChoose={() => onConnect(row)}
            />
          )
        })}
        <Choice
          mark={
            <span className="tile grid flex-none place-items-center">
              <Plug className="icon icon-s" aria-hidden />
            </span>
          }
          name="Any MCP client"
          about="HTTP or command"
          onChoose={() => onOther()}
        />
        {away.map((name) => (
          <Choice
            key={name}
            mark={<Tile name={name} />}
            name={name}
            about="Not found on this computer"
            onChoose={() => onOther(name)}
          />
        ))}
      </ul>
    </Dialog>
  )
}
