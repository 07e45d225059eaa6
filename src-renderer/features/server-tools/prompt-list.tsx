import type { JSX } from 'react'

import type { Prompt } from '../../../src-shared/domain/agents/capability'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ArgumentList } from '../../components/tool/argument-list'
import { toolRunPlace } from '../../components/tool/tool-places'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/visible-text'
import { CapabilityPanel } from './capability-panel'

function Prompts({
  installationId,
  prompts,
}: Pick<ServerView, 'installationId'> & { readonly prompts: readonly Prompt[] }): JSX.Element {
  if (prompts.length === 0) {
    return <BlankState art="open" title="No prompts" message="This server doesn’t offer prompts." />
  }
  return (
    <ul aria-label="Prompts" className="divided roomy">
      {prompts.map(({ name, title, description, arguments: args = [] }, index) => (
        <li key={`${index}:${name}`} className="stack gap-1">
          <h2 className="flex wrap at-base gap-2 rows-0 break medium">
            <code className="same-size slim">{visibleText(name)}</code>
            {title !== undefined && title !== name && (
              <span className="soft regular">{visibleText(title)}</span>
            )}
            <ButtonLink
              size="small"
              className="to-end"
              href={toolRunPlace(installationId, 'prompt', name)}
              aria-label={`Render ${visibleText(name)}`}
            >
              Render
            </ButtonLink>
          </h2>
          {description !== undefined && <PlainText text={description} />}
          <ArgumentList args={args.map((arg) => ({ ...arg, required: arg.required ?? false }))} />
        </li>
      ))}
    </ul>
  )
}

/** The prompts of a server with their arguments. */
export function PromptList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Prompts" noun="prompts">
      {({ prompts }) => <Prompts installationId={server.installationId} prompts={prompts} />}
    </CapabilityPanel>
  )
}
