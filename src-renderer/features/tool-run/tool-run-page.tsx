import './tool-run.css'

import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ToolRunKind } from '../../components/tool-run/tool-run-place'
import { useServer } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { StatusBadge } from '../../ui/marks/status-badge'
import { shortText } from '../../ui/text/visible-text'
import { PromptToolRun } from './prompt-run'
import { ResourceToolRun } from './resource-run'
import { TemplateToolRun } from './template-run'
import { ToolToolRun } from './tool-run'

const SERVERS = { label: 'Servers', href: '/servers' }
const TAB = {
  tool: 'tools',
  resource: 'resources',
  template: 'resources',
  prompt: 'prompts',
} as const
const TAB_LABEL = { tools: 'Tools', resources: 'Resources', prompts: 'Prompts' } as const

type Tried = { readonly kind: ToolRunKind; readonly name: string }

function ToolRunOf({ server, kind, name }: Tried & { readonly server: ServerView }): JSX.Element {
  switch (kind) {
    case 'tool':
      return <ToolToolRun server={server} name={name} />
    case 'resource':
      return <ResourceToolRun server={server} name={name} />
    case 'template':
      return <TemplateToolRun server={server} name={name} />
    case 'prompt':
      return <PromptToolRun server={server} name={name} />
  }
}

/** The page on which one thing of a server is tried. Loaded when it is first opened. */
export function ToolRunPage({
  installationId,
  kind,
  name,
}: Tried & { readonly installationId: string }): JSX.Element {
  const server = useServer(installationId)
  if (!server)
    return (
      <Page title="Try it" crumbs={[SERVERS]}>
        <BlankState
          art="open"
          title="Server not found"
          message="This server was removed, or the address is wrong."
          action={<ButtonLink href="/servers">Show all servers</ButtonLink>}
        />
      </Page>
    )
  const place = `/servers/${installationId}`
  const tab = TAB[kind]
  const crumbs = [
    SERVERS,
    { label: server.name, href: place },
    { label: TAB_LABEL[tab], href: `${place}/${tab}` },
  ]
  return (
    <Page
      title={shortText(name)}
      crumbs={crumbs}
      meta={<StatusBadge status={server.status.kind} />}
    >
      <ToolRunOf
        key={JSON.stringify([installationId, kind, name])}
        server={server}
        kind={kind}
        name={name}
      />
    </Page>
  )
}
