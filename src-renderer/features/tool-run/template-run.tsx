import { useQuery } from '@tanstack/react-query'
import { type JSX, useId, useState } from 'react'

import type { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { Field } from '../../ui/fields/field'
import { ProblemText } from '../../ui/fields/problem-text'
import { TextInput } from '../../ui/fields/text-input'
import { Skeleton } from '../../ui/layout/skeleton'
import { PlainText } from '../../ui/text/plain-text'
import { shortName, writtenOut } from '../../ui/text/visible-text'
import { ArgumentFields } from './argument-fields'
import { type Texts, useTextDraft } from './drafts'
import type { ReadTemplate } from './uri-template'

type TemplateProps = { readonly server: ServerView; readonly name: string }

function expand({ expand: make }: ReadTemplate, values: Texts): { uri?: string; problem?: string } {
  try {
    const uri = make(values)
    return uri === '' ? {} : { uri }
  } catch (error) {
    if (error instanceof Error) return { problem: error.message }
    throw error
  }
}

function Frame(props: {
  readonly server: ServerView
  readonly uri: string | undefined
  readonly children: JSX.Element
}): JSX.Element {
  const { server, uri, children } = props
  const [isHeldBack, setIsHeldBack] = useState(false)
  const isMissing = uri === undefined || uri === ''
  const makeRequest = (): ToolRunRequest | undefined => {
    setIsHeldBack(isMissing)
    return isMissing ? undefined : { method: 'resources/read', params: { uri } }
  }
  return (
    <ToolRunFrame server={server} verb="Read" method="resources/read" makeRequest={makeRequest}>
      {children}
      {isHeldBack && isMissing && (
        <ProblemText>Not sent. Fill in the template to get a valid URI.</ProblemText>
      )}
    </ToolRunFrame>
  )
}

function Filled(props: TemplateProps & { readonly template: ReadTemplate }): JSX.Element {
  const { server, name, template } = props
  const [values, setValues] = useTextDraft(server.installationId, 'template', name)
  const { uri, problem } = expand(template, values)
  return (
    <Frame server={server} uri={uri}>
      <>
        <ArgumentFields
          of={{
            installationId: server.installationId,
            reference: { type: 'ref/resource', uri: name },
          }}
          args={template.names.map((one) => ({ name: one, isRequired: false }))}
          values={values}
          missing={[]}
          onChange={(argument, value) => setValues({ ...values, [argument]: value })}
        />
        <p>
          <span className="text-muted">Address</span>{' '}
          <code className="wrap-anywhere">{writtenOut(uri ?? '')}</code>
        </p>
        {problem !== undefined && (
          <p className="text-small text-pretty wrap-anywhere text-muted">{problem}</p>
        )}
      </>
    </Frame>
  )
}

/** A template that cannot be filled in here: its address is written manually. */
function CustomServerEntry({ server, name }: TemplateProps): JSX.Element {
  const id = useId()
  const [{ uri = name }, setTexts] = useTextDraft(server.installationId, 'template', name)
  return (
    <Frame server={server} uri={uri}>
      <Field
        id={id}
        label="Address"
        hint="Patchbay can’t fill in this template. Enter the full URI."
      >
        {(ids) => (
          <TextInput {...ids} mono value={uri} onValueChange={(text) => setTexts({ uri: text })} />
        )}
      </Field>
    </Frame>
  )
}

/** Tries a template of addresses: its variables with what completes them, and the resource that they name. */
export function TryTemplate({ server, name }: TemplateProps): JSX.Element {
  const { value: capabilities } = useCapabilities(server)
  const listed = capabilities?.resourceTemplates.find((one) => one.uriTemplate === name)
  // Read when it is needed first: nothing else of the page needs what reads it.
  const { data: read, isPending } = useQuery({
    queryKey: ['template', name],
    queryFn: async () => (await import('./uri-template')).readTemplate(name) ?? null,
  })
  if (isPending) return <Skeleton label="Loading template" rows={3} />
  const template = read ?? undefined
  return (
    <div className="grid max-w-page min-w-0 gap-3 *:min-w-0">
      {listed && (
        <p className="font-medium text-foreground">{shortName(listed.title ?? listed.name)}</p>
      )}
      {listed?.description !== undefined && <PlainText text={listed.description} />}
      {template ? (
        <Filled server={server} name={name} template={template} />
      ) : (
        <CustomServerEntry server={server} name={name} />
      )}
    </div>
  )
}
