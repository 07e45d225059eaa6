import { Braces, Copy, Download, RotateCw, X } from 'lucide-react'
import { type JSX, useEffect, useMemo, useRef, useState } from 'react'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { MessageEntry, MessageRef } from '../../../../src-shared/domain/agents/message-log'
import { type ToolRun, ToolRunRequest } from '../../../../src-shared/domain/agents/tool-run'
import { AppError, type AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { indented } from '../../../components/json/json-nodes'
import { JsonView, WithText } from '../../../components/json/json-view'
import { loggedMessageText, readWhole, saveSource } from '../../../components/json/text-source'
import { useCapabilities } from '../../../components/tool/use-capabilities'
import { endWords } from '../../../components/tool-run/messages'
import { ResultView } from '../../../components/tool-run/results/result-view'
import { call } from '../../../ipc/call'
import { showFailure } from '../../../ipc/show-failure'
import { useAction } from '../../../ipc/use-action'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { Banner } from '../../../ui/layout/banner'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { copyText } from '../../../ui/saving/copy-text'
import { formatBytes, formatDuration, formatStamp, formatWhole } from '../../../ui/text/format'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText } from '../../../ui/text/visible-text'
import type { MessagePair } from './message-pair'
import { aboutWords, DIRECTION_WORD } from './messages'

/** Sends the request once more, after a question where it may do harm. */
function ReplayButton({
  server,
  request,
  isBusy,
  onReplay,
}: {
  readonly server: ServerView
  readonly request: MessageEntry
  readonly isBusy: boolean
  readonly onReplay: () => void
}): JSX.Element {
  const tools = useCapabilities(server).value?.tools
  const [isAsking, setIsAsking] = useState(false)
  const { target = 'the tool' } = request
  const tool = tools?.find(({ name }) => name === request.target)
  const warning = replayProblem(request, tool)
  return (
    <>
      <Button
        size="small"
        icon={RotateCw}
        busy={isBusy}
        onClick={() => (warning === undefined ? onReplay() : setIsAsking(true))}
      >
        Replay
      </Button>
      {isAsking && warning !== undefined && (
        <ConfirmDialog
          onClose={() => setIsAsking(false)}
          title={`Call ${visibleText(target)} again?`}
          description={`${visibleText(warning)} Calls the tool again with the same arguments.`}
          confirmLabel="Call again"
          danger={false}
          onConfirm={() => {
            onReplay()
            return 'done'
          }}
        />
      )}
    </>
  )
}

function Running({ onCancel }: { readonly onCancel: () => void }): JSX.Element {
  const [begun] = useState(() => Date.now())
  const now = useNow(1_000)
  return (
    <p className="row gap-2 slim">
      <StatusGlyph status="starting" />
      <span className="grow num">{`Waiting for response, ${formatWhole(now - begun)}`}</span>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </p>
  )
}

/** What is said of it, in a sentence: the answer itself can be long, and its clock ticks. */
function saidOf(replay: Exclude<Replay, { kind: 'none' }>): string {
  if (replay.kind === 'over') return endWords(replay.toolRun)
  return replay.kind === 'running' ? 'Sent again.' : 'Can’t send the request again.'
}

/** The answer to a request that was sent once more. */
function ReplayPart({
  replay,
  onCancel,
}: {
  readonly replay: Exclude<Replay, { kind: 'none' }>
  readonly onCancel: () => void
}): JSX.Element {
  const took = replay.kind === 'over' ? replay.toolRun.durationMs : undefined
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // In braces: newer browsers give a promise back.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [replay.kind])
  return (
    <section ref={place} className="pad-row stack gap-1 slim fixed" aria-label="New response">
      <p role="status" aria-label="Outcome" className="sr">
        {saidOf(replay)}
      </p>
      <div className="row gap-1">
        <h3>New response</h3>
        {took !== undefined && <span className="faint num">{`took ${formatDuration(took)}`}</span>}
      </div>
      {replay.kind === 'running' && <Running onCancel={onCancel} />}
      {replay.kind === 'failed' && (
        <Banner severity="error" topic={replay.problem.code}>
          {problemWords(replay.problem)}
        </Banner>
      )}
      {replay.kind === 'over' && <ResultView toolRun={replay.toolRun} />}
    </section>
  )
}

/** Whether a user may send this message once more; see `messages.replay`. */
export function canReplay({ kind, direction, method }: MessageEntry): boolean {
  const isRequest = kind === 'request' && direction === 'sent'
  return isRequest && ToolRunRequest.shape.method.safeParse(method).success
}

/**
 * What has to be said before a tool is called once more; undefined where nothing has to: it says that it changes
 * nothing, or destroys nothing (MCP, ToolAnnotations). `tool` is missing where the server does not list it.
 */
export function replayProblem(
  { method, target = 'the tool' }: Pick<MessageEntry, 'method' | 'target'>,
  tool: Tool | undefined,
): string | undefined {
  if (method !== 'tools/call') return undefined
  if (tool === undefined)
    return `${target} is not in the server’s current list, so its effects are unknown.`
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {}
  if (readOnlyHint === true || destructiveHint === false) return undefined
  return destructiveHint === true
    ? `${target} is marked destructive: it may delete or overwrite data.`
    : `${target} is not marked as safe: it may delete or overwrite data.`
}

/** A request that is sent once more. */
type Replay =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly toolRunId: string }
  | { readonly kind: 'over'; readonly toolRun: ToolRun }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** Sends a request once more; `cancel` calls it off, and its answer then says so. */
function useReplay(): {
  readonly replay: Replay
  readonly start: (ref: MessageRef) => void
  readonly cancel: () => void
} {
  const [toolRun, setToolRun] = useState<ToolRun>()
  const { busyWith, problem, run } = useAction(
    (asked: MessageRef & { toolRunId: string }) => call('messages.replay', asked),
    setToolRun,
  )
  const cancel = (): void => {
    if (busyWith) call('toolRun.cancel', { toolRunId: busyWith.toolRunId }).catch(showFailure)
  }
  const start = (ref: MessageRef): void => run({ ...ref, toolRunId: crypto.randomUUID() })
  if (busyWith) return { replay: { kind: 'running', ...busyWith }, start, cancel }
  if (problem) return { replay: { kind: 'failed', problem }, start, cancel }
  return { replay: toolRun ? { kind: 'over', toolRun } : { kind: 'none' }, start, cancel }
}

/** Between the members of a message; within a string they are escaped. */
const LINE_ENDS = /[\n\r]+/gu
/** Longer messages are not copied, in UTF-16 units; over lines they may become longer. */
const MOST_COPIED = 4 * 1024 * 1024

/** A message as it is sent over pipes: servers may have written it over several lines. */
export function asLine(text: string): string {
  return text.replace(LINE_ENDS, ' ')
}

/** Copies or saves the text of a message. */
function MessageActs({
  installationId,
  entry,
  what,
}: {
  readonly installationId: string
  readonly entry: MessageEntry
  /** What the message is: `request`. */
  readonly what: string
}): JSX.Element {
  const { seq, bytes, hasText } = entry
  const source = loggedMessageText({ installationId, seq }, bytes)
  const copy = async (write: (text: string) => string, said: string): Promise<void> => {
    try {
      // One more tells whether there is more.
      const text = await readWhole(source, MOST_COPIED + 1)
      if (text.length > MOST_COPIED)
        throw new AppError('INVALID_REQUEST', 'This message is too large to copy.', {
          hint: 'Save it to a file instead.',
        })
      copyText(write(text), said)
    } catch (thrown) {
      showFailure(thrown)
    }
  }
  const acts = [
    {
      icon: Copy,
      label: `Copy ${what}`,
      act: () => void copy(indented, `Copied the ${what}.`),
    },
    {
      icon: Braces,
      label: `Copy ${what} as JSON-RPC line`,
      act: () => void copy(asLine, `Copied the ${what} as one line.`),
    },
    {
      icon: Download,
      label: `Save ${what} to file`,
      act: () => saveSource(what, 'json', source),
    },
  ]
  return (
    <>
      {acts.map(({ icon, label, act }) => (
        <IconButton key={label} small icon={icon} label={label} disabled={!hasText} onClick={act} />
      ))}
    </>
  )
}

/** What is larger is read only when somebody asks for it, in bytes. */
const LARGE_BYTES = 64 * 1024

/** The text of a message as a tree; a large one when it is asked for. */
function MessageText({
  installationId,
  entry,
  label,
}: {
  readonly installationId: string
  readonly entry: MessageEntry
  readonly label: string
}): JSX.Element {
  const { seq, bytes, hasText } = entry
  const [isWanted, setIsWanted] = useState(bytes <= LARGE_BYTES)
  const source = useMemo(
    () => loggedMessageText({ installationId, seq }, bytes),
    [installationId, seq, bytes],
  )
  if (!hasText)
    return (
      <p className="faint">The text is no longer stored. The message was too large or too old.</p>
    )
  if (!isWanted)
    return (
      <p className="row gap-2 slim faint">
        <span className="grow">{`${formatBytes(bytes)} of JSON`}</span>
        <Button size="small" onClick={() => setIsWanted(true)}>
          Show
        </Button>
      </p>
    )
  return (
    <WithText source={source} label={label}>
      {(text) => <JsonView text={text} label={label} isSavable={false} />}
    </WithText>
  )
}

type PartsProps = {
  readonly installationId: string
  readonly pair: MessagePair
  readonly selected: number
  readonly onGo: (seq: number) => void
}

function Parts({ installationId, pair, selected, onGo }: PartsProps): JSX.Element {
  const { request, answer, alone } = pair
  const parts = [
    { title: 'Request', entry: request },
    { title: 'Response', entry: answer },
    { title: 'Notification', entry: alone },
  ]
  return (
    <>
      {parts.map(({ title, entry }) => {
        if (!entry) return null
        const what = title.toLowerCase()
        const isSelected = entry.seq === selected
        const { session, at, direction, id, bytes, durationMs, code } = entry
        return (
          <section key={title} className="pad-row stack gap-1 slim fixed" aria-label={title}>
            <div className="row gap-1">
              <h3 className={isSelected ? 'accent' : undefined}>{title}</h3>
              {!isSelected && (
                <Button variant="quiet" size="small" onClick={() => onGo(entry.seq)}>
                  {`Go to ${what}`}
                </Button>
              )}
              <span className="grow" />
              <MessageActs installationId={installationId} entry={entry} what={what} />
            </div>
            <p className="flex wrap gap-3 rows-0 soft small num">
              <span>{DIRECTION_WORD[direction]}</span>
              <time dateTime={new Date(at).toISOString()}>{formatStamp(at)}</time>
              <span>{`session ${session}`}</span>
              {id !== undefined && (
                <span>
                  id <code>{visibleText(id)}</code>
                </span>
              )}
              <span>{formatBytes(bytes)}</span>
              {durationMs !== undefined && <span>{`took ${formatDuration(durationMs)}`}</span>}
              {code !== undefined && <span className="tone is-error">{`error ${code}`}</span>}
            </p>
            <MessageText
              key={entry.seq}
              installationId={installationId}
              entry={entry}
              label={title}
            />
          </section>
        )
      })}
      {request && !answer && <p className="pad-row faint">Waiting for a response.</p>}
      {answer && !request && <p className="pad-row faint">The request is no longer stored.</p>}
    </>
  )
}

/** A message in full beside the list, with the other half of its pair. */
export function MessageDetail({
  server,
  pair,
  selected,
  onGo,
  onClose,
}: {
  readonly server: ServerView
  readonly pair: MessagePair
  readonly selected: number
  /** Leads to the row of a message. */
  readonly onGo: (seq: number) => void
  readonly onClose: () => void
}): JSX.Element {
  const { installationId } = server
  const { replay, start, cancel } = useReplay()
  const { request, answer, alone } = pair
  const entry = request ?? answer ?? alone
  return (
    <section className="messages-detail col slim" aria-label="Message">
      <div className="pad-row row gap-2 fixed ruled">
        <h2 className="clamp break">{entry && aboutWords(entry)}</h2>
        <span className="grow" />
        {request && canReplay(request) && (
          <ReplayButton
            server={server}
            request={request}
            isBusy={replay.kind === 'running'}
            onReplay={() => start({ installationId, seq: request.seq })}
          />
        )}
        <IconButton small icon={X} label="Close message" shortcut="Esc" onClick={onClose} />
      </div>
      <div className="fill col scroll divided">
        <Parts {...{ installationId, pair, selected, onGo }} />
        {replay.kind !== 'none' && <ReplayPart replay={replay} onCancel={cancel} />}
      </div>
    </section>
  )
}
