import type { JSX, ReactNode } from 'react'
import { useId } from 'react'

import type { AgentProfile, AgentTool, AgentView } from '../../../../src-shared/domain/agents/agent'
import { EditorColumn } from '../../../frame/editor-frame'
import { useTools } from '../../../stores/tools-store'
import { Segmented } from '../../../ui/controls/segmented'
import { Switch } from '../../../ui/controls/switch'
import { Field, GroupField, InlineField } from '../../../ui/fields/field'
import { TextInput } from '../../../ui/fields/text-input'
import { CONFIRM_SENTENCE, namingSentence } from '../endpoint/agent-words'
import { AllowedLine } from './allowed-line'
import { ServerChoice } from './server-choice'
import type { Editing } from './use-profile-draft'

const NAMINGS = [
  { value: 'prefixed', label: 'With the server’s name' },
  { value: 'plain', label: 'Own names' },
] as const satisfies readonly { value: AgentProfile['naming']; label: string }[]
const CONFIRMS = [
  { value: 'never', label: 'Never' },
  { value: 'destructive', label: 'Destructive calls' },
  { value: 'always', label: 'Every call' },
] as const satisfies readonly { value: AgentProfile['confirm']; label: string }[]

function Group({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}): JSX.Element {
  return (
    <section className="group col gap-5" aria-label={title}>
      <h3 className="small medium faint">{title}</h3>
      {children}
    </section>
  )
}

/** The first tool that it is shown, by both of its names. */
function useExample(
  shown: readonly AgentTool[],
): { readonly prefixed: string; readonly own: string } | undefined {
  const { tools } = useTools()
  const [first] = shown
  const view = tools?.find(
    ({ installationId, name }) => installationId === first?.installationId && name === first.tool,
  )
  return view?.exposedName === undefined
    ? undefined
    : { prefixed: view.exposedName, own: view.name }
}

function NumberField({
  id,
  label,
  hint,
  placeholder,
  value,
  problem,
  onChange,
}: {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly placeholder?: string
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}): JSX.Element {
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      {(ids) => (
        <TextInput
          {...ids}
          className="num brief"
          inputMode="numeric"
          placeholder={placeholder}
          value={value}
          onValueChange={onChange}
        />
      )}
    </Field>
  )
}

type PartProps = { readonly id: string; readonly editing: Editing }

function ToolsGroup({
  id,
  editing: { draft, problems, change },
  shown,
}: PartProps & { readonly shown: readonly AgentTool[] }): JSX.Element {
  const example = useExample(shown)
  return (
    <Group title="What it is shown">
      <GroupField id={`${id}-servers`} label="Servers and tools">
        <ServerChoice value={draft.servers} onChange={(servers) => change({ servers })} />
      </GroupField>
      <NumberField
        id={`${id}-cap`}
        label="Most tools"
        hint="What is beyond is left out, in the order of servers and of their lists."
        value={draft.toolCap}
        problem={problems.toolCap}
        onChange={(toolCap) => change({ toolCap })}
      />
      <NumberField
        id={`${id}-limit`}
        label="Tools that the app takes"
        hint="Patchbay warns when it is shown more. Leave it empty where no limit is known."
        placeholder="No known limit"
        value={draft.appLimit}
        problem={problems.appLimit}
        onChange={(appLimit) => change({ appLimit })}
      />
      <InlineField
        id={`${id}-search`}
        label="Let it search"
        hint="It is shown two tools, one that finds tools and one that calls them. That leaves its context free where there are many."
      >
        {(ids) => (
          <Switch
            {...ids}
            checked={draft.searchMode}
            onCheckedChange={(searchMode) => change({ searchMode })}
          />
        )}
      </InlineField>
      <GroupField
        id={`${id}-naming`}
        label="Names of tools"
        hint={namingSentence(draft.naming, example)}
      >
        <div>
          <Segmented
            label="Names of tools"
            value={draft.naming}
            options={NAMINGS}
            onValueChange={(naming) => change({ naming })}
          />
        </div>
      </GroupField>
    </Group>
  )
}

function CallsGroup({
  id,
  agent,
  editing: { draft, change },
}: PartProps & { readonly agent: AgentView }): JSX.Element {
  return (
    <Group title="Its calls">
      <GroupField
        id={`${id}-confirm`}
        label="Wait for your yes"
        hint={CONFIRM_SENTENCE[draft.confirm]}
        below={<AllowedLine agent={agent} />}
      >
        <div>
          <Segmented
            label="Wait for your yes"
            value={draft.confirm}
            options={CONFIRMS}
            onValueChange={(confirm) => change({ confirm })}
          />
        </div>
      </GroupField>
      <InlineField
        id={`${id}-arguments`}
        label="Keep arguments in the activity"
        hint="Known secrets in them are masked; anything else in them is kept as it is."
      >
        {(ids) => (
          <Switch
            {...ids}
            checked={draft.keepsArguments}
            onCheckedChange={(keepsArguments) => change({ keepsArguments })}
          />
        )}
      </InlineField>
    </Group>
  )
}

/** The form of an agent: its name, what it is shown, and what its calls wait for. */
export function ProfileForm({
  agent,
  editing,
  shown,
}: {
  readonly agent: AgentView
  readonly editing: Editing
  /** With the profile as it stands in the form. */
  readonly shown: readonly AgentTool[]
}): JSX.Element {
  const id = useId()
  const { draft, problems, change } = editing
  return (
    <EditorColumn label={`Profile of ${agent.name}`} onSubmit={editing.save}>
      <h2 className="sr">Profile</h2>
      <section className="group col gap-5" aria-label="Name">
        <Field id={`${id}-name`} label="Name" problem={problems.name}>
          {(ids) => (
            <TextInput
              {...ids}
              aria-required
              maxLength={60}
              value={draft.name}
              onValueChange={(name) => change({ name })}
            />
          )}
        </Field>
      </section>
      <ToolsGroup id={id} editing={editing} shown={shown} />
      <CallsGroup id={id} editing={editing} agent={agent} />
    </EditorColumn>
  )
}
