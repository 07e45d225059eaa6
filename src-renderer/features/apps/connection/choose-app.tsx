import { Plug } from 'lucide-react'
import { type JSX, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'

import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { fileProblem, shortPath } from '../../../components/app/file-messages'
import type { HostRow } from '../../../components/app/host-rows'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { call } from '../../../ipc/call'
import { useApp } from '../../../stores/app-store'
import { Tile } from '../../../ui/marks/tile'
import { Dialog } from '../../../ui/overlays/dialog'
import { visibleText } from '../../../ui/text/format'
import { namedApp } from '../app-groups'
import { KeyDialog } from './snippet-view'

/** How the name of an app is typed. */
export const APP_NAME = { maxLength: 60, placeholder: 'Cursor' } as const

type Added = { readonly name: string; readonly agentId: string; readonly agentKey: string }

/** The settings of a new app; its limits are those of the known app of its name. */
function useNewProfile(): (name: string) => AgentProfile {
  const toolCap = useApp(({ app }) => app?.settings.toolCap)
  const hosts = useApp(({ app }) => app?.hosts.hosts)
  return (name) => {
    const { toolLimit: limit, nameLimit } = namedApp(name, hosts ?? []) ?? {}
    const profile = AgentProfile.parse({ toolCap, appLimit: limit, nameLimit })
    return limit === undefined ? profile : { ...profile, toolCap: Math.min(profile.toolCap, limit) }
  }
}

/** Connects any MCP client: its name, then its key and the entry for its config. */
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
  /** An app without a config file here; with the name of a known one. */
  readonly onOther: (name?: string) => void
  readonly onClose: () => void
}): JSX.Element {
  const { found, away, onConnect, onOther, onClose } = props
  const home = useApp(({ app }) => app?.info.homeDir)
  return (
    <Dialog title="Connect app" leave="Cancel" onClose={onClose}>
      <ul
        className="choose-app scroll -mx-2 max-h-[min(26rem,55vh)]"
        aria-label="Apps to connect"
        tabIndex={-1}
      >
        {found.map((row) => {
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
