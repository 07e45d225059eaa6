import type { JSX, SyntheticEvent } from 'react'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'

import { AgentProfile } from '../../../src-shared/domain/agents/agent'
import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Field } from '../../ui/fields/field'
import { ProblemText } from '../../ui/fields/problem-text'
import { TextInput } from '../../ui/fields/text-input'
import { WarnText } from '../../ui/fields/warn-text'
import { useWayBack } from '../../ui/focus/use-way-back'
import { Dialog } from '../../ui/overlays/dialog'
import { AGENT_APPS, appOf } from './endpoint/agent-apps'
import { limitWords } from './endpoint/agent-words'
import { refusalWords } from './endpoint/ask'
import { KeyDialog } from './key-dialog'
import { appLimitProblem, typedTools } from './profile/profile-draft'

type Typed = {
  readonly name: string
  /** Undefined while the limit is that of the app that the name tells. */
  readonly limit: string | undefined
}
type Problems = { readonly name?: string; readonly limit?: string; readonly other?: string }
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

type Adding = {
  readonly typed: Typed
  readonly problems: Problems
  readonly isBusy: boolean
  readonly type: (change: Partial<Typed>) => void
  readonly add: () => void
}

function useAdding(id: string, onAdded: (added: Added) => void): Adding {
  const [typed, setTyped] = useState<Typed>({ name: '', limit: undefined })
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setIsBusy] = useState(false)
  const toolCap = useApp(({ app }) => app?.settings.toolCap)
  const show = (found: Problems): void => {
    setProblems(found)
    const at = found.name === undefined ? 'limit' : 'name'
    if (found[at] !== undefined) document.getElementById(`${id}-${at}`)?.focus()
  }
  const add = async (): Promise<void> => {
    const found = problemsIn(typed)
    show(found)
    if (Object.keys(found).length > 0) return
    const name = typed.name.trim()
    const appLimit = typedTools(limitText(typed))
    setIsBusy(true)
    try {
      const profile = AgentProfile.parse({ toolCap, appLimit })
      const { agentId, key } = await call('agent.add', { name, profile })
      onAdded({ agentId, name, agentKey: key })
    } catch (thrown) {
      setIsBusy(false)
      show(refusalOf(thrown))
    }
  }
  return {
    typed,
    problems,
    isBusy,
    type: (change) => setTyped((before) => ({ ...before, ...change })),
    add: () => void (isBusy || add()),
  }
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

function AddForm({ id, adding }: { readonly id: string; readonly adding: Adding }): JSX.Element {
  const { typed, problems, type, add } = adding
  const exposed = useApp(({ app }) => app?.tools.exposed ?? 0)
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    add()
  }
  return (
    <form id={id} className="stack gap-4 above-4" noValidate onSubmit={submit}>
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
      {problems.other !== undefined && <ProblemText>{problems.other}</ProblemText>}
    </form>
  )
}

/** Adds an agent: what it is called, then its key, once. */
export function AddAgent({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const id = useId()
  const wayBack = useWayBack()
  const [, navigate] = useLocation()
  const [added, setAdded] = useState<Added | null>(null)
  const adding = useAdding(id, setAdded)
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
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={wayBack}
      title="Add agent"
      description="An app that shall use your servers. It gets a key of its own, and you choose which tools it is shown."
      actions={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={id} busy={adding.isBusy}>
            Add agent
          </Button>
        </>
      }
    >
      <AddForm id={id} adding={adding} />
    </Dialog>
  )
}
