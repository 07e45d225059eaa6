import { type JSX, useRef, useState } from 'react'

import type { Prompt } from '../../../src-shared/domain/agents/capability'
import type { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { NotRunning } from '../../components/tool-run/not-running'
import { ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { Button } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { PlainText } from '../../ui/text/plain-text'
import { shortName } from '../../ui/text/visible-text'
import { ArgumentFields, missingOf, type TextArgument } from './argument-fields'
import { type Texts, useTextDraft } from './drafts'

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
  /** Whether something was typed since it was sent last. */
  const isUnsent = useRef(false)
  const [isHeldBack, setIsHeldBack] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const args = argumentsOf(prompt)
  const missing = missingOf(args, texts)
  const makeRequest = (): ToolRunRequest | undefined => {
    setIsHeldBack(missing.length > 0)
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
            missing={isHeldBack ? missing : []}
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

/** Tries a prompt of a server: its arguments with what completes them, and the conversation that it makes. */
export function TryPrompt(props: {
  readonly server: ServerView
  readonly name: string
}): JSX.Element {
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
