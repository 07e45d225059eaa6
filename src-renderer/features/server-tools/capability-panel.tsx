import type { JSX, ReactNode } from 'react'

import type { Capabilities, Resource } from '../../../src-shared/domain/agents/capability'
import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ArgumentList } from '../../components/tool/argument-list'
import { toolRunPath } from '../../components/tool/tool-paths'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { useNow } from '../../stores/app-store'
import { useServerTools } from '../../stores/tools-store'
import { ButtonLink } from '../../ui/controls/button'
import { Banner, BlankState, ScrollRegion, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { SectionHeader } from '../../ui/layout/section'
import { Tag } from '../../ui/marks/tag'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/untrusted-text'
import { listedText, unlistedText } from './messages'

/** A note that a list is the last known one, with its age; nothing during a session. */
function ListedLine({ installationId }: Pick<ServerView, 'installationId'>): JSX.Element | null {
  const listed = useServerTools(installationId)
  const now = useNow(20_000)
  const text = listed === undefined ? '' : listedText(listed, now)
  return text === '' ? null : <p className="mb-3 text-small text-faint tabular-nums">{text}</p>
}

type PanelProps = {
  readonly server: ServerView
  /** Plural: "Tools". */
  readonly label: string
  /** Content below the rest, at full panel width. */
  readonly list?: ReactNode
  readonly children: (capabilities: Capabilities) => ReactNode
}

function Contents({ server, label, list, children }: PanelProps): JSX.Element {
  const noun = label.toLowerCase()
  const { installationId, status } = server
  const { value, loaded, retry } = useCapabilities(server)
  const listed = useServerTools(installationId)
  const inner = (content: ReactNode): JSX.Element => (
    <div className="tab-inner max-w-page">{content}</div>
  )
  if (!isWorking(status) && listed?.listedAt === undefined) {
    const message = unlistedText(server, listed?.starts ?? 'withApp', noun)
    return inner(<BlankState art="waiting" title={`No ${noun} yet`} message={message} />)
  }
  if (loaded.kind === 'failed') {
    const title = `Can’t load ${noun}`
    return inner(<ProblemState title={title} problem={loaded.problem} onRetry={retry} />)
  }
  if (!value) return inner(<Skeleton label={`Loading ${noun}`} rows={5} />)
  return (
    <>
      {inner(
        <>
          <ListedLine installationId={installationId} />
          {value.notices.length > 0 && (
            <div className="mb-3 grid gap-2">
              {value.notices.map((notice) => (
                <Banner key={notice} severity="warn">
                  {notice}
                </Banner>
              ))}
            </div>
          )}
          {children(value)}
        </>,
      )}
      {list}
    </>
  )
}

/** The scroll region of a capability tab: waiting, loading, failed, or the content of `children`. */
export function CapabilityPanel(props: PanelProps): JSX.Element {
  return (
    <ScrollRegion className="tab-body min-h-0 flex-1" label={props.label}>
      <Contents {...props} />
    </ScrollRegion>
  )
}

/** The prompts of a server with their arguments. */
export function PromptList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Prompts">
      {({ prompts }) =>
        prompts.length === 0 ? (
          <BlankState art="open" title="No prompts" message="This server doesn’t offer prompts." />
        ) : (
          <ul aria-label="Prompts" className="divide-y divide-line *:py-2">
            {prompts.map(({ name, title, description, arguments: args = [] }, index) => (
              <li key={`${index}:${name}`} className="grid gap-1">
                <h2 className="flex flex-wrap items-baseline gap-2 gap-y-0 font-medium wrap-anywhere">
                  <code className="min-w-0 [font-size:inherit]">{visibleText(name)}</code>
                  {title !== undefined && title !== name && (
                    <span className="font-normal text-muted">{visibleText(title)}</span>
                  )}
                  <ButtonLink
                    size="small"
                    className="ms-auto"
                    href={toolRunPath(server.installationId, 'prompt', name)}
                    aria-label={`Render ${visibleText(name)}`}
                  >
                    Render
                  </ButtonLink>
                </h2>
                {description !== undefined && <PlainText text={description} />}
                <ArgumentList
                  args={args.map((arg) => ({ ...arg, required: arg.required ?? false }))}
                />
              </li>
            ))}
          </ul>
        )
      }
    </CapabilityPanel>
  )
}

type Row = Pick<Resource, 'name' | 'title' | 'description' | 'mimeType'> & {
  readonly address: string
}

const TRY = { resource: 'Read', template: 'Try it' } as const

function Rows(props: {
  readonly server: ServerView
  readonly kind: 'resource' | 'template'
  readonly label: string
  readonly rows: readonly Row[]
}): JSX.Element | null {
  const { server, kind, label, rows } = props
  if (rows.length === 0) return null
  return (
    <div>
      <SectionHeader title={label} count={rows.length} />
      <ul className="divide-y divide-line *:py-2" aria-label={label}>
        {rows.map(({ address, name, title, description, mimeType }, index) => (
          <li key={`${index}:${address}`} className="grid gap-1">
            <h3 className="flex flex-wrap items-baseline gap-2 gap-y-0 font-medium wrap-anywhere">
              <span>{visibleText(title ?? name)}</span>
              {mimeType !== undefined && <Tag>{visibleText(mimeType)}</Tag>}
              <ButtonLink
                size="small"
                className="ms-auto"
                href={toolRunPath(server.installationId, kind, address)}
                aria-label={`${TRY[kind]} ${visibleText(title ?? name)}`}
              >
                {TRY[kind]}
              </ButtonLink>
            </h3>
            <code className="wrap-anywhere text-muted">{visibleText(address)}</code>
            {description !== undefined && <PlainText text={description} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The resources of a server and its resource templates. */
export function ResourceList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Resources">
      {({ resources, resourceTemplates }) =>
        resources.length + resourceTemplates.length === 0 ? (
          <BlankState
            art="open"
            title="No resources"
            message="This server doesn’t offer resources."
          />
        ) : (
          <div className="grid gap-6">
            <Rows
              server={server}
              kind="resource"
              label="Resources"
              rows={resources.map(({ uri, ...rest }) => ({ ...rest, address: uri }))}
            />
            <Rows
              server={server}
              kind="template"
              label="Templates"
              rows={resourceTemplates.map((one) => ({ ...one, address: one.uriTemplate }))}
            />
          </div>
        )
      }
    </CapabilityPanel>
  )
}
