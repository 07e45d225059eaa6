import type { JSX } from 'react'
import { Link } from 'wouter'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { indented } from '../../components/json/text/indented-text'
import { useApp, useServers } from '../../stores/app-store'
import { SheetPart } from '../../ui/layout/sheet-part'
import { Dialog } from '../../ui/overlays/dialog'
import { formatBytes, formatDuration, formatFull } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { OutcomeMark } from './call-row'
import { OUTCOMES } from './messages'

/** A name that leads to its page while there is one. */
function Named({
  name,
  href,
}: {
  readonly name: string
  readonly href: string | undefined
}): JSX.Element {
  if (href !== undefined) return <Link href={href}>{name}</Link>
  return (
    <>
      {name} <span className="faint">removed</span>
    </>
  )
}

function Facts({ call }: { readonly call: Call }): JSX.Element {
  const { agentId, agentName, installationId, serverName } = call
  const agents = useApp(({ app }) => app?.agents.agents)
  const servers = useServers()
  const hasAgent = agents?.some((agent) => agent.agentId === agentId) === true
  const hasServer = servers.some((server) => server.installationId === installationId)
  return (
    <dl className="facts stack pretty">
      <dt>When</dt>
      <dd className="num">{formatFull(call.at)}</dd>
      <dt>Agent</dt>
      <dd>
        <Named name={agentName} href={hasAgent ? `/apps/${agentId}` : undefined} />
      </dd>
      <dt>Server</dt>
      <dd>
        {serverName === undefined ? (
          'None. No server offers this.'
        ) : (
          <Named
            name={serverName}
            href={hasServer ? `/servers/${installationId ?? ''}` : undefined}
          />
        )}
      </dd>
      <dt>Request</dt>
      <dd>
        <code>{visibleText(call.method)}</code>
      </dd>
      <dt>Duration</dt>
      <dd className="num">{formatDuration(call.durationMs)}</dd>
      <dt>Size</dt>
      <dd className="num">
        {`${formatBytes(call.requestBytes)} request, ${formatBytes(call.resultBytes)} response`}
      </dd>
    </dl>
  )
}

function Arguments({ call }: { readonly call: Call }): JSX.Element {
  const { arguments: text } = call
  return (
    <SheetPart title="Arguments">
      {text === undefined ? (
        <p className="faint">Not recorded. Turn on argument recording in the agent’s settings.</p>
      ) : (
        <pre
          className="well box pad-row scroll source"
          tabIndex={0}
          role="region"
          aria-label="Arguments"
        >
          {visibleText(indented(text))}
        </pre>
      )}
    </SheetPart>
  )
}

/** A call in full, at the right edge of the window. */
export function CallDetail({
  call,
  onClose,
}: {
  readonly call: Call
  readonly onClose: () => void
}): JSX.Element {
  const { outcome, message, target } = call
  return (
    <Dialog side onClose={onClose} title={visibleText(target)}>
      <div className="sheet-body scroll fill stack gap-5">
        <div className="stack gap-1">
          <OutcomeMark outcome={outcome} />
          <p className="soft">{OUTCOMES[outcome].sentence}</p>
        </div>
        {message !== undefined && (
          <SheetPart title="Reason">
            <p className="break keep-lines" dir="auto">
              {visibleText(message)}
            </p>
          </SheetPart>
        )}
        <Facts call={call} />
        <Arguments call={call} />
      </div>
    </Dialog>
  )
}
