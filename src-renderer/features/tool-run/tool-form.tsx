import type { JSX } from 'react'
import { useId } from 'react'

import { SchemaForm } from '../../components/schema-form/schema-form'
import { Tabs } from '../../ui/controls/tabs'
import { CodeArea } from '../../ui/fields/code-area'
import { Field } from '../../ui/fields/field'
import { Banner } from '../../ui/layout/banner'
import { ArgumentProblems } from './argument-problems'
import { FormBoundary } from './form-boundary'
import type { ToolArguments } from './use-tool-arguments'

const TABS = [
  { id: 'form', label: 'Form' },
  { id: 'json', label: 'JSON' },
] as const

function JsonArguments({ args }: { readonly args: ToolArguments }): JSX.Element {
  const id = useId()
  const { text, fault, changeText } = args
  return (
    <Field id={id} label="Arguments as JSON" problem={fault}>
      {(ids) => <CodeArea {...ids} rows={10} value={text} onValueChange={changeText} />}
    </Field>
  )
}

function FieldArguments({ args }: { readonly args: ToolArguments }): JSX.Element {
  const { model, start, edition, problems, changeForm, changeTab } = args
  if (model.kind === 'none') return <p className="soft">This tool has no arguments.</p>
  if (model.kind === 'raw') return <p className="soft">{model.why}</p>
  return (
    <FormBoundary key={edition} onJson={() => changeTab('json')}>
      <SchemaForm schema={model.schema} start={start} problems={problems} onChange={changeForm} />
    </FormBoundary>
  )
}

/** The arguments of a tool: by fields, or as JSON; both say the same. */
export function ToolForm({ args }: { readonly args: ToolArguments }): JSX.Element {
  const { model, tab, problems, isChecked, fault, changeTab } = args
  return (
    <div className="tool-form slim-parts stack gap-3 slim">
      {model.kind === 'raw' && <Banner severity="info">{model.why}</Banner>}
      <Tabs
        label="Argument input mode"
        value={tab}
        tabs={model.kind === 'raw' ? TABS.slice(1) : TABS}
        onChange={changeTab}
      >
        {tab === 'json' ? <JsonArguments args={args} /> : <FieldArguments args={args} />}
      </Tabs>
      <ArgumentProblems problems={problems} isHeldBack={tab === 'form'} />
      {!isChecked && fault === undefined && (
        <p className="small soft" role="status">
          The server checks the rest of the schema.
        </p>
      )}
    </div>
  )
}
