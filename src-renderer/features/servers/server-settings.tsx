import type { JSX, ReactNode } from 'react'
import { useLocation } from 'wouter'

import type { EarlierVersionView } from '../../../src-shared/domain/installation/earlier-version'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { rollBack, serverActions } from '../../components/server/actions'
import { useRequest } from '../../ipc/use-request'
import { useNow } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { useKeptFocus } from '../../ui/focus/restore-focus'
import { ScrollRegion } from '../../ui/layout/page'
import { SectionHeader } from '../../ui/layout/section'
import { Moment } from '../../ui/marks/moment'
import { formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { instanceName, instanceText, SharingChoice, ToolChangesChoice } from './choices'

/** The configuration of a server, the handling of its processes and tools, and its earlier versions. */
export function ServerSettings(props: {
  readonly server: ServerView
  /** The command or connection, rendered by another feature. */
  readonly configuration: ReactNode
}): JSX.Element {
  const { server, configuration } = props
  return (
    <ScrollRegion className="tab-body min-h-0 flex-1" label="Settings">
      <div className="tab-inner grid max-w-page gap-5">
        <ToolChangesChoice server={server} />
        <SharingChoice server={server} />
        <Instances server={server} />
        {configuration}
        <EarlierVersions server={server} />
      </div>
    </ScrollRegion>
  )
}

/** Returns how an earlier version differs, and whether a rollback needs approval. */
export function earlierText(props: Pick<EarlierVersionView, 'differs' | 'asksAgain'>): string {
  const { differs, asksAgain } = props
  const message =
    differs.length === 0 ? 'Same configuration as now.' : `Different: ${differs.join(', ')}.`
  return asksAgain ? `${message} Approve the command before the server starts.` : message
}

/** The earlier versions for a rollback, newest first; nothing if there are none. */
export function EarlierVersions({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { installationId, name, earlier, entryVersion } = server
  const [, navigate] = useLocation()
  const keys = earlier.map(({ versionKey }) => versionKey).join(' ')
  const { loaded } = useRequest(
    'update.earlier',
    { installationId },
    { state: [entryVersion, keys] },
  )
  // The pressed button disappears with its version.
  useKeptFocus(keys)
  if (earlier.length === 0) return null
  const views = loaded.kind === 'ready' ? loaded.value : []
  return (
    <section aria-labelledby="earlier-versions">
      <SectionHeader id="earlier-versions" title="Earlier versions" />
      <ul className="*:py-2" aria-labelledby="earlier-versions">
        {earlier.map((version) => {
          const { replacedAt, versionKey } = version
          const shown = visibleText(version.version)
          const view = views.find((one) => one.versionKey === versionKey)
          return (
            <DatedRow
              key={versionKey}
              name={shown}
              since="replaced"
              at={replacedAt}
              text={view ? visibleText(earlierText(view)) : null}
            >
              <Button
                size="small"
                aria-label={`Roll back to ${shown}`}
                onClick={() => void rollBack({ installationId, name, navigate }, version)}
              >
                {view?.asksAgain === true ? 'Roll back and review' : 'Roll back'}
              </Button>
            </DatedRow>
          )
        })}
      </ul>
    </section>
  )
}

/** The processes of a server that not all apps share, each with its app; nothing if all apps share one. */
function Instances({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { installationId, instances, sharing } = server
  // The pressed button disappears with its process.
  useKeptFocus(instances.map(({ instanceId }) => instanceId).join(' '))
  if (sharing === 'shared' && instances.length === 0) return null
  return (
    <section aria-labelledby="instances">
      <SectionHeader id="instances" title="Processes of apps">
        <span className="text-muted tabular-nums">{formatCount(instances.length)}</span>
      </SectionHeader>
      {instances.length === 0 && (
        <p className="text-muted">A process appears here when an app first calls this server.</p>
      )}
      <ul className="*:py-2" aria-labelledby="instances">
        {instances.map((one) => (
          <DatedRow
            key={one.instanceId}
            name={instanceName(one)}
            since="since"
            at={one.startedAt}
            text={instanceText(one)}
          >
            <Button
              size="small"
              aria-label={`Stop ${instanceName(one)}`}
              onClick={() => void serverActions.endInstance(installationId, one.instanceId)}
            >
              Stop
            </Button>
          </DatedRow>
        ))}
      </ul>
    </section>
  )
}

function DatedRow(props: {
  readonly name: string
  readonly since: string
  readonly at: number
  readonly text: string | null
  readonly children: ReactNode
}): JSX.Element {
  const { name, since, at, text, children } = props
  const now = useNow(60_000)
  return (
    <li className="flex items-center gap-3 border-b border-line">
      <div className="grid min-w-0 flex-1 wrap-anywhere tabular-nums">
        <p>
          <b>{name}</b>{' '}
          <span className="text-faint">
            {since} <Moment {...{ at, now }} />
          </span>
        </p>
        <p className="text-muted">{text}</p>
      </div>
      {children}
    </li>
  )
}
