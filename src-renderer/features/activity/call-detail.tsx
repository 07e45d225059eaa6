import { ArrowLeftRight, ChevronDown, ChevronUp, Play, Server, X } from 'lucide-react'
import type { JSX } from 'react'
import { Link, useLocation } from 'wouter'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import { indentedText } from '../../components/json/json-nodes'
import { LongText } from '../../components/json/long-text'
import { faultMessage, readJson } from '../../components/schema-form/reading/json-text'
import { type ToolRunKind, toolRunPath } from '../../components/tool/tool-paths'
import { passArguments } from '../../components/tool-run/passed-arguments'
import { useApp, useServer } from '../../stores/app-store'
import { Button, ButtonLink, IconButton } from '../../ui/controls/button'
import { Facts, SheetSection } from '../../ui/layout/section'
import { Tile } from '../../ui/marks/tile'
import { showToast } from '../../ui/overlays/toast'
import { formatBytes, formatDuration, formatFull } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { OutcomeMark } from './call-table'
import { OUTCOMES } from './messages'

const KINDS: Readonly<Record<string, ToolRunKind>> = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
}

/** Returns the address of the server's messages at the request of a call. */
export function messagesPath({ installationId, method, target, at, durationMs }: Call): string {
  const call = new URLSearchParams({
    ...{ method, target },
    ...{ from: String(at), to: String(at + durationMs) },
  })
  return `/servers/${installationId ?? ''}/messages?${call.toString()}`
}

/** Returns the Try it address for the same call; undefined if its method is not supported. */
export function tryPath({ installationId, method, target }: Call): string | undefined {
  const kind = KINDS[method]
  return kind && installationId && toolRunPath(installationId, kind, target)
}

/**
 * Passes the arguments of a call to its Try it page. Returns why it can't, as a sentence: recorded arguments may be truncated, or have a
 * number that would lose digits.
 */
export function passArgumentsOf({
  installationId,
  target,
  arguments: text,
}: Call): string | undefined {
  if (installationId === undefined || text === undefined) return undefined
  const read = readJson(text)
  if (read.kind === 'fault') return `Can’t fill in the arguments. ${faultMessage(read)}`
  if (isJsonObject(read.value))
    passArguments({ installationId, name: target, arguments: read.value })
  return undefined
}

/** The links of a call, if its server still exists. */
function Links({ call }: { readonly call: Call }): JSX.Element | null {
  const [, navigate] = useLocation()
  const server = useServer(call.installationId ?? '')
  const tried = tryPath(call)
  if (!server) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink icon={ArrowLeftRight} href={messagesPath(call)}>
        Open messages
      </ButtonLink>
      {tried !== undefined && (
        <Button
          icon={Play}
          onClick={() => {
            const message = passArgumentsOf(call)
            if (message !== undefined) showToast({ message, tone: 'error' })
            navigate(tried)
          }}
        >
          Run again in Try it
        </Button>
      )}
      <ButtonLink icon={Server} href={`/servers/${server.installationId}`}>
        Open server
      </ButtonLink>
    </div>
  )
}

function CallFacts({ call }: { readonly call: Call }): JSX.Element {
  const { agentId, agentName, outcome, method } = call
  const agents = useApp(({ app }) => app?.agents.agents)
  const hasAgent = agents?.some((agent) => agent.agentId === agentId) === true
  return (
    <Facts
      facts={{
        Status: (
          <span className="grid gap-1">
            <span className="flex flex-wrap items-center gap-2 gap-y-0">
              <OutcomeMark outcome={outcome} />
              <span className="text-muted">{`after ${formatDuration(call.durationMs)}`}</span>
            </span>
            {outcome !== 'ok' && <span className="text-muted">{OUTCOMES[outcome].message}</span>}
          </span>
        ),
        App: hasAgent ? (
          <Link href={`/apps/${agentId}`}>{agentName}</Link>
        ) : (
          <>
            {agentName} <span className="text-faint">removed</span>
          </>
        ),
        Request: method !== 'tools/call' && <code>{visibleText(method)}</code>,
        Size: `${formatBytes(call.requestBytes)} request, ${formatBytes(call.resultBytes)} response`,
      }}
    />
  )
}

/** A call in full, next to the list. */
export function CallDetail(props: {
  readonly call: Call
  readonly onStep: (by: -1 | 1) => void
  readonly onClose: () => void
}): JSX.Element {
  const { call, onStep, onClose } = props
  const { serverName, message, target, at } = call
  return (
    <section className="scroll min-w-0 flex-1" tabIndex={0} aria-label={visibleText(target)}>
      <div className="grid gap-5 p-5">
        <div className="flex min-w-0 items-center gap-3">
          {serverName !== undefined && <Tile name={serverName} />}
          <div className="grid min-w-0 flex-1">
            <h2 className="text-title wrap-anywhere">
              <code>{visibleText(target)}</code>
              {serverName !== undefined && ` on ${serverName}`}
            </h2>
            <p className="text-small text-muted tabular-nums">
              {serverName === undefined && 'No server offers this. '}
              {formatFull(at)}
            </p>
          </div>
          <IconButton small icon={ChevronUp} label="Newer call" onClick={() => onStep(-1)} />
          <IconButton small icon={ChevronDown} label="Older call" onClick={() => onStep(1)} />
          <IconButton small icon={X} label="Close call" shortcut="Esc" onClick={onClose} />
        </div>
        <Links call={call} />
        <CallFacts call={call} />
        {message !== undefined && (
          <SheetSection title="Reason">
            <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
              {visibleText(message)}
            </p>
          </SheetSection>
        )}
        <SheetSection title="Arguments">
          {call.arguments === undefined ? (
            <p className="text-faint">
              Not recorded. Turn on argument recording in the app’s settings.
            </p>
          ) : (
            <LongText text={indentedText(call.arguments)} label="Arguments" />
          )}
        </SheetSection>
      </div>
    </section>
  )
}
