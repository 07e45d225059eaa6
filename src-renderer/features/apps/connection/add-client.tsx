import type { JSX } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { refusalWords } from '../../../host-parts/ask'
import { call, toErrorShape } from '../../../ipc/call'
import { useApp } from '../../../stores/app-store'
import { Field } from '../../../ui/fields/field'
import { TextInput } from '../../../ui/fields/text-input'
import { FormDialog, type Problems } from '../../../ui/overlays/form-dialog'
import { namedApp } from '../app-groups'
import { KeyDialog } from './snippet-view'

type Added = { readonly agentId: string; readonly agentKey: string }

/** The settings of a new app; its tool limit is that of the known app of its name. */
function useNewProfile(name: string): AgentProfile {
  const toolCap = useApp(({ app }) => app?.settings.toolCap)
  const hosts = useApp(({ app }) => app?.hosts.hosts)
  const limit = namedApp(name, hosts ?? [])?.toolLimit
  const profile = AgentProfile.parse({ toolCap, appLimit: limit })
  return limit === undefined ? profile : { ...profile, toolCap: Math.min(profile.toolCap, limit) }
}

/** Connects any MCP client: its name, then its key and the entry for its config. */
export function AddClient({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [added, setAdded] = useState<Added | null>(null)
  const profile = useNewProfile(name)
  const add = async (): Promise<Problems> => {
    if (name.trim() === '') return { name: 'Enter a name.' }
    try {
      const { agentId, key } = await call('agent.add', { name: name.trim(), profile })
      setAdded({ agentId, agentKey: key })
      return {}
    } catch (thrown) {
      const isTaken = toErrorShape(thrown).code === 'NAME_TAKEN'
      return { [isTaken ? 'name' : 'other']: refusalWords(thrown) }
    }
  }
  if (added)
    return (
      <KeyDialog
        {...added}
        title={`Connect ${name.trim()}`}
        onStored={() => {
          onClose()
          navigate(`/apps/${added.agentId}`)
        }}
      />
    )
  return (
    <FormDialog
      title="Connect app"
      description="Works with any MCP client. The app gets its own key and all tools until you choose."
      submitLabel="Connect app"
      onSubmit={add}
      onClose={onClose}
    >
      {({ id, problems }) => (
        <Field id={`${id}-name`} label="Name" problem={problems.name}>
          {(ids) => (
            <TextInput
              {...ids}
              aria-required
              maxLength={60}
              placeholder="Cursor"
              value={name}
              onValueChange={setName}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
