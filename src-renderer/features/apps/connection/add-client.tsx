import type { JSX } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { call } from '../../../ipc/call'
import { useApp } from '../../../stores/app-store'
import { namedApp } from '../app-groups'
import { NameDialog } from '../name-dialog'
import { KeyDialog } from './snippet-view'

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
export function AddClient({
  name: known,
  onClose,
}: {
  /** Of a known app. */
  readonly name?: string | undefined
  readonly onClose: () => void
}): JSX.Element {
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
    <NameDialog
      title="Connect MCP client"
      description="Works with any MCP client. The app gets its own key and all tools until you choose."
      submitLabel="Connect"
      name={known}
      save={async (name) => {
        const { agentId, key } = await call('agent.add', { name, profile: profileOf(name) })
        setAdded({ name, agentId, agentKey: key })
      }}
      onClose={onClose}
    />
  )
}
