import './tool-run.css'

import { useQuery } from '@tanstack/react-query'
import { type JSX, useEffect, useId, useRef, useState } from 'react'

import type { Prompt } from '../../../src-shared/domain/agents/capability'
import type { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { NoServer } from '../../components/server/no-servers'
import { StatusBadge } from '../../components/status/status-badge'
import type { ToolRunKind } from '../../components/tool/tool-paths'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { NotRunning } from '../../components/tool-run/not-running'
import { ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { serverCrumbs } from '../../frame/loaded-page'
import { call, toErrorShape } from '../../ipc/call'
import { useServer } from '../../stores/app-store'
import { useUpdates } from '../../stores/resource-updates'
import { Button } from '../../ui/controls/button'
import { Field, ProblemText, SwitchField, TextInput } from '../../ui/fields/field'
import { BlankState, Page, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Tag } from '../../ui/marks/tag'
import { formatTime, problemText } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { escapeInvisible, shortName, shortText } from '../../ui/text/untrusted-text'
import { ArgumentFields, missingOf, type TextArgument } from './argument-fields'
import { type Texts, useTextDraft } from './drafts'
import { TryTool } from './tool-run'
import type { ReadTemplate } from './uri-template'

const TAB = {
  tool: 'tools',
  resource: 'resources',
  template: 'resources',
  prompt: 'prompts',
} as const
const TAB_LABEL = { tools: 'Tools', resources: 'Resources', prompts: 'Prompts' } as const

const TRY = {
  tool: TryTool,
  resource: TryResource,
  template: TryTemplate,
  prompt: TryPrompt,
} as const

/** The Try it page of one tool, prompt, resource or template, loaded when first opened. */
export function ToolRunPage(props: {
  readonly installationId: string
  readonly kind: ToolRunKind
  readonly name: string
}): JSX.Element {
  const { installationId, kind, name } = props
  const server = useServer(installationId)
  if (!server) return <NoServer title="Try it" />
  const tab = TAB[kind]
  const Try = TRY[kind]
  const crumbs = [
    ...serverCrumbs(installationId, server.name),
    { label: TAB_LABEL[tab], href: `/servers/${installationId}/${tab}` },
  ]
  return (
    <Page
      title={shortText(name)}
      crumbs={crumbs}
      meta={<StatusBadge status={server.status.kind} />}
    >
      <Try key={JSON.stringify([installationId, kind, name])} server={server} name={name} />
    </Page>
  )
}

function About(props: { readonly server: ServerView; readonly uri: string }): JSX.Element | null {
  const { server, uri } = props
  const { value: capabilities } = useCapabilities(server)
  const listed = capabilities?.resources.find((one) => one.uri === uri)
  if (!listed) return null
  const { name, title, description, mimeType } = listed
  return (
    <div className="grid min-w-0 gap-3">
      <p className="font-medium text-foreground">
        {shortName(title ?? name)} {mimeType !== undefined && <Tag>{shortText(mimeType)}</Tag>}
      </p>
      {description !== undefined && <PlainText text={description} />}
    </div>
  )
}

function changedText({ isOn, updates }: ReturnType<typeof useWatch>, refreshes: boolean): string {
  if (!isOn || updates === undefined) return ''
  const when = `Changed at ${formatTime(updates.lastAt)}.`
  return refreshes ? when : `${when} Read it again to see the latest version.`
}

function TryResource(props: { readonly server: ServerView; readonly name: string }): JSX.Element {
  const { server, name: uri } = props
  const watch = useWatch(server.installationId, uri)
  const [refreshes, setRefreshes] = useState(false)
  const round = refreshes ? watch.updates?.count : undefined
  const id = useId()
  const { isOn, setOn, problem } = watch
  return (
    <div className="grid max-w-page min-w-0 gap-3 *:min-w-0">
      <About server={server} uri={uri} />
      <ToolRunFrame
        server={server}
        verb="Read"
        method="resources/read"
        target={uri}
        makeRequest={() => ({ method: 'resources/read', params: { uri } })}
        round={round}
      >
        <div className="grid min-w-0 gap-3">
          <SwitchField
            id={`${id}-watch`}
            label="Watch for changes"
            hint="The server reports changes while this page is open."
            problem={problem}
            checked={isOn}
            onCheckedChange={setOn}
          />
          {isOn && (
            <SwitchField
              id={`${id}-again`}
              label="Refresh automatically"
              checked={refreshes}
              onCheckedChange={setRefreshes}
            />
          )}
          <p role="status" aria-label="Changes" className="text-muted">
            {changedText(watch, refreshes)}
          </p>
        </div>
      </ToolRunFrame>
    </div>
  )
}

function useWatch(installationId: string, uri: string) {
  const [isOn, setIsOn] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [before, setBefore] = useState(0)
  const received = useUpdates(installationId, uri)
  useEffect(() => {
    if (!isOn) return undefined
    let isUnmounted = false
    const fail = (thrown: unknown): void => {
      if (isUnmounted) return
      setProblem(problemText(toErrorShape(thrown)))
      setIsOn(false)
    }
    const watch = { installationId, uri, watcherId: crypto.randomUUID() }
    call('toolRun.watch', { ...watch, isWanted: true }).catch(fail)
    return () => {
      isUnmounted = true
      call('toolRun.watch', { ...watch, isWanted: false }).catch(() => {
        // The server is gone, and its subscription with it.
      })
    }
  }, [isOn, installationId, uri])
  const setOn = (isWanted: boolean): void => {
    setProblem(undefined)
    setBefore(received?.count ?? 0)
    setIsOn(isWanted)
  }
  const isNew = isOn && received !== undefined && received.count > before
  return {
    ...{ isOn, setOn },
    /** Why the server doesn't report changes. */
    problem,
    /** Updates since the subscription started. */
    updates: isNew ? received : undefined,
  }
}

function textsOf({ params }: ToolRunRequest): Texts {
  const { arguments: sent } = params
  if (typeof sent !== 'object' || sent === null) return {}
  const texts = Object.entries(sent).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts)
}

function argumentsOf({ arguments: listed = [] }: Prompt): TextArgument[] {
  return listed.map(({ name, description, required }) => ({
    name,
    description,
    isRequired: required ?? false,
  }))
}

function Tried(props: { readonly server: ServerView; readonly prompt: Prompt }): JSX.Element {
  const { server, prompt } = props
  const { installationId } = server
  const { name, title, description } = prompt
  const [texts, setTexts] = useTextDraft(installationId, 'prompt', name)
  /** Whether the input changed since it was last sent. */
  const isUnsent = useRef(false)
  const [isRejected, setIsRejected] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const args = argumentsOf(prompt)
  const missing = missingOf(args, texts)
  const makeRequest = (): ToolRunRequest | undefined => {
    setIsRejected(missing.length > 0)
    if (missing.length > 0) {
      const first = args.findIndex((one) => one.name === missing[0])
      fields.current?.querySelectorAll('input')[first]?.focus()
      return undefined
    }
    const filled = Object.entries(texts).filter(([, text]) => text !== '')
    return { method: 'prompts/get', params: { name, arguments: Object.fromEntries(filled) } }
  }
  const fill = (request: ToolRunRequest): (() => void) | undefined => {
    const isLost = isUnsent.current && Object.values(texts).some((text) => text !== '')
    isUnsent.current = false
    setTexts(textsOf(request))
    return isLost ? () => setTexts(texts) : undefined
  }
  return (
    <div className="grid max-w-page min-w-0 gap-3 *:min-w-0">
      {title !== undefined && title !== name && (
        <p className="font-medium text-foreground">{shortName(title)}</p>
      )}
      {description !== undefined && <PlainText text={description} />}
      <ToolRunFrame
        server={server}
        verb="Render"
        method="prompts/get"
        target={name}
        makeRequest={makeRequest}
        onSent={() => {
          isUnsent.current = false
        }}
        onOpen={fill}
      >
        <div ref={fields}>
          <ArgumentFields
            of={{ installationId, reference: { type: 'ref/prompt', name } }}
            args={args}
            values={texts}
            missing={isRejected ? missing : []}
            onChange={(argument, text) => {
              isUnsent.current = true
              setTexts({ ...texts, [argument]: text })
            }}
          />
        </div>
      </ToolRunFrame>
    </div>
  )
}

/** Try it for a prompt: its arguments with completion, and the resulting conversation. */
function TryPrompt(props: { readonly server: ServerView; readonly name: string }): JSX.Element {
  const { server, name } = props
  const { value, loaded, retry } = useCapabilities(server)
  const prompt = value?.prompts.find((one) => one.name === name)
  if (prompt) return <Tried server={server} prompt={prompt} />
  if (value === undefined && loaded.kind === 'loading')
    return <Skeleton label="Loading prompt" rows={3} />
  if (loaded.kind === 'failed')
    return <ProblemState title="Can’t load this prompt" problem={loaded.problem} onRetry={retry} />
  return (
    <>
      <NotRunning server={server} verb="Render" />
      <BlankState
        art="open"
        title="The server doesn’t list this prompt"
        message="Start the server or refresh the list."
        action={<Button onClick={retry}>Refresh</Button>}
      />
    </>
  )
}

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
  const [isRejected, setIsRejected] = useState(false)
  const isMissing = uri === undefined || uri === ''
  const makeRequest = (): ToolRunRequest | undefined => {
    setIsRejected(isMissing)
    return isMissing ? undefined : { method: 'resources/read', params: { uri } }
  }
  return (
    <ToolRunFrame server={server} verb="Read" method="resources/read" makeRequest={makeRequest}>
      {children}
      {isRejected && isMissing && (
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
          <code className="wrap-anywhere">{escapeInvisible(uri ?? '')}</code>
        </p>
        {problem !== undefined && (
          <p className="text-small text-pretty wrap-anywhere text-muted">{problem}</p>
        )}
      </>
    </Frame>
  )
}

/** A template that Patchbay can't expand: the user types the address. */
function ManualAddress({ server, name }: TemplateProps): JSX.Element {
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

/** Try it for a resource template: its variables with completion, and the resulting resource. */
function TryTemplate({ server, name }: TemplateProps): JSX.Element {
  const { value: capabilities } = useCapabilities(server)
  const listed = capabilities?.resourceTemplates.find((one) => one.uriTemplate === name)
  // Loaded on demand, because only templates need the parser.
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
        <ManualAddress server={server} name={name} />
      )}
    </div>
  )
}
