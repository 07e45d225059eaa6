import type { JSX } from 'react'

import type { Resource, ResourceTemplate } from '../../../src-shared/domain/agents/capability'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { toolRunPlace } from '../../components/tool/tool-places'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { PartHead } from '../../ui/layout/section'
import { Tag } from '../../ui/marks/tag'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/visible-text'
import { CapabilityPanel } from './capability-panel'

type Row = Pick<Resource, 'name' | 'title' | 'description' | 'mimeType'> & {
  readonly address: string
}

const TRY = { resource: 'Read', template: 'Try it' } as const

function Rows({
  installationId,
  kind,
  label,
  rows,
}: Pick<ServerView, 'installationId'> & {
  readonly kind: 'resource' | 'template'
  readonly label: string
  readonly rows: readonly Row[]
}): JSX.Element {
  return (
    <div>
      <PartHead title={label} count={rows.length} />
      <ul className="divided roomy" aria-label={label}>
        {rows.map(({ address, name, title, description, mimeType }, index) => (
          <li key={`${index}:${address}`} className="stack gap-1">
            <h3 className="flex wrap at-base gap-2 rows-0 break medium">
              <span>{visibleText(title ?? name)}</span>
              {mimeType !== undefined && <Tag>{visibleText(mimeType)}</Tag>}
              <ButtonLink
                size="small"
                className="to-end"
                href={toolRunPlace(installationId, kind, address)}
                aria-label={`${TRY[kind]} ${visibleText(title ?? name)}`}
              >
                {TRY[kind]}
              </ButtonLink>
            </h3>
            <code className="soft break">{visibleText(address)}</code>
            {description !== undefined && <PlainText text={description} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Resources({
  installationId,
  resources,
  templates,
}: Pick<ServerView, 'installationId'> & {
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
}): JSX.Element {
  if (resources.length + templates.length === 0) {
    return (
      <BlankState art="open" title="No resources" message="This server doesn’t offer resources." />
    )
  }
  return (
    <div className="stack gap-6">
      {resources.length > 0 && (
        <Rows
          installationId={installationId}
          kind="resource"
          label="Resources"
          rows={resources.map(({ uri, ...rest }) => ({ ...rest, address: uri }))}
        />
      )}
      {templates.length > 0 && (
        <Rows
          installationId={installationId}
          kind="template"
          label="Templates"
          rows={templates.map(({ uriTemplate, ...rest }) => ({ ...rest, address: uriTemplate }))}
        />
      )}
    </div>
  )
}

/** The resources of a server and the templates of their addresses. */
export function ResourceList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Resources" noun="resources">
      {({ resources, resourceTemplates }) => (
        <Resources
          installationId={server.installationId}
          resources={resources}
          templates={resourceTemplates}
        />
      )}
    </CapabilityPanel>
  )
}
