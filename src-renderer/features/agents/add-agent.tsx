import type { JSX } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import { AgentProfile } from '../../../src-shared/domain/agents/agent'
import { refusalWords } from '../../host-parts/ask'
import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'
import { Field } from '../../ui/fields/field'
import { TextInput } from '../../ui/fields/text-input'
import { WarnText } from '../../ui/fields/warn-text'
import { FormDialog, type Problems } from '../../ui/overlays/form-dialog'
import { AGENT_APPS, appOf } from './endpoint/agent-apps'
import { limitWords } from './endpoint/agent-words'
import { KeyDialog } from './key-dialog'
import { appLimitProblem, typedTools } from './profile/profile-draft'

type Typed = {
  readonly name: string
  /** Undefined while the limit is that of the app that the name tells. */
  readonly limit: string | undefined
}
type Added = { readonly agentId: string; readonly name: string; readonly agentKey: string }

function limitText({ name, limit }: Typed): string {
  return limit ?? appOf(name).limit?.toString() ?? ''
}

function problemsIn(typed: Typed): Problems {
  const limit = appLimitProblem(limitText(typed))
  return {
    ...(typed.name.trim() === '' && { name: 'Give the agent a name.' }),
    ...(limit !== undefined && { limit }),
  }
}

function refusalOf(thrown: unknown): Problems {
  const words = refusalWords(thrown)
  return toErrorShape(thrown).code === 'NAME_TAKEN' ? { name: words } : { other: words }
}

function Suggestions({
  name,
  onChoose,
}: {
  readonly name: string
  readonly onChoose: (name: string) => void
}): JSX.Element {
  return (
    <ul className="flex wrap gap-1 above-1" aria-label="Known apps">
      {AGENT_APPS.map((app) => (
        <li key={app.name}>
          <button
            type="button"
            className="chip"
            aria-pressed={app.name === name}
            onClick={() => onChoose(app.name)}
          >
            {app.name}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Fields({
  id,
  problems,
  typed,
  type,
}: {
  readonly id: string
  readonly problems: Problems
  readonly typed: Typed
  readonly type: (change: Partial<Typed>) => void
}): JSX.Element {
  const exposed = useApp(({ app }) => app?.tools.exposed ?? 0)
  return (
    <>
      <Field
        id={`${id}-name`}
        label="Name"
        problem={problems.name}
        below={<Suggestions name={typed.name} onChoose={(name) => type({ name })} />}
      >
        {(ids) => (
          <TextInput
            {...ids}
            aria-required
            maxLength={60}
            placeholder="Cursor"
            value={typed.name}
            onValueChange={(name) => type({ name })}
          />
        )}
      </Field>
      <Field
        id={`${id}-limit`}
        label="Tools that the app takes"
        problem={problems.limit}
        hint="Patchbay warns when it is shown more. Leave it empty where no limit is known."
        below={<WarnText>{limitWords('It', typedTools(limitText(typed)), exposed)}</WarnText>}
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="num brief"
            inputMode="numeric"
            placeholder="No known limit"
            value={limitText(typed)}
            onValueChange={(limit) => type({ limit })}
          />
        )}
      </Field>
    </>
  )
}

/** Adds an agent: what it is called, then its key, once. */
export function AddAgent({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState<Typed>({ name: '', limit: undefined })
  const [added, setAdded] = useState<Added | null>(null)
  const toolCap = useApp(({ app }) => app?.settings.toolCap)
  const type = (change: Partial<Typed>): void => setTyped((before) => ({ ...before, ...change }))
  const add = async (): Promise<Problems> => {
    const found = problemsIn(typed)
    if (Object.keys(found).length > 0) return found
    const name = typed.name.trim()
    try {
      const profile = AgentProfile.parse({ toolCap, appLimit: typedTools(limitText(typed)) })
      const { agentId, key } = await call('agent.add', { name, profile })
      setAdded({ agentId, name, agentKey: key })
      return {}
    } catch (thrown) {
      return refusalOf(thrown)
    }
  }
  if (added)
    return (
      <KeyDialog
        {...added}
        title={`${added.name} is added`}
        onStored={() => {
          onClose()
          navigate(`/agents/${added.agentId}`)
        }}
      />
    )
  return (
    <FormDialog
      title="Add agent"
      description="An app that shall use your servers. It gets a key of its own, and you choose which tools it is shown."
      submitLabel="Add agent"
      onSubmit={add}
      onClose={onClose}
    >
      {(form) => <Fields {...form} typed={typed} type={type} />}
    </FormDialog>
  )
}
