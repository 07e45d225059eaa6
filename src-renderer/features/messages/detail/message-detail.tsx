import { Braces, Copy, Download, RotateCw, X } from 'lucide-react'
import { type JSX, useEffect, useMemo, useRef, useState } from 'react'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { MessageEntry, MessageRef } from '../../../../src-shared/domain/agents/message-log'
import { type ToolRun, ToolRunRequest } from '../../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { indentedText } from '../../../components/json/json-nodes'
import { JsonView, WithText } from '../../../components/json/json-view'
import { loggedMessageText, readAll, saveSource } from '../../../components/json/text-source'
import { useCapabilities } from '../../../components/tool/use-capabilities'
import { endMessage } from '../../../components/tool-run/messages'
import { ResultView } from '../../../components/tool-run/results/result-view'
import { call } from '../../../ipc/call'
import { showFailure } from '../../../ipc/show-failure'
import { useAction } from '../../../ipc/use-request'
import { useNow } from '../../../stores/app-store'
import { Button, IconButton } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/page'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { ConfirmDialog } from '../../../ui/overlays/dialog'
import { copyText } from '../../../ui/saving/copy-text'
import {
  formatBytes,
  formatDuration,
  formatStamp,
  formatWhole,
  problemText,
} from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import type { MessagePair } from '../list-rows'
import { DIRECTION_LABEL, targetLabel } from './messages'

function ReplayButton(props: {
  readonly server: ServerView
  readonly request: MessageEntry
  readonly isBusy: boolean
  readonly onReplay: () => void
}): JSX.Element {
  const { server, request, isBusy, onReplay } = props
  const tools = useCapabilities(server).value?.tools
  const [isConfirming, setIsConfirming] = useState(false)
  const { target = 'the tool' } = request
  const tool = tools?.find(({ name }) => name === request.target)
  const warning = replayProblem(request, tool)
  return (
    <>
      <Button
        size="small"
        icon={RotateCw}
        busy={isBusy}
        onClick={() => (warning === undefined ? onReplay() : setIsConfirming(true))}
      >
        Replay
      </Button>
      {isConfirming && warning !== undefined && (
        <ConfirmDialog
          onClose={() => setIsConfirming(false)}
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
  const [mountedAt] = useState(() => Date.now())
  const now = useNow(1_000)
  return (
    <p className="flex min-w-0 items-center gap-2">
      <StatusGlyph status="starting" />
      <span className="min-w-0 flex-1 tabular-nums">{`Waiting for response, ${formatWhole(now - mountedAt)}`}</span>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </p>
  )
}

function ReplayPart(props: ReturnType<typeof useReplay>): JSX.Element {
  const { isBusy, problem, toolRun, cancel } = props
  // The result itself can be long, and its timer changes.
  const status = isBusy ? 'Sent again.' : 'Can’t send the request again.'
  const announcement = toolRun ? endMessage(toolRun) : status
  const took = toolRun?.durationMs
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // Braces, because newer browsers return a promise.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [announcement])
  return (
    <section
      ref={place}
      className="grid min-w-0 flex-none gap-1 px-3 py-2"
      aria-label="New response"
    >
      <p role="status" aria-label="Outcome" className="sr-only">
        {announcement}
      </p>
      <div className="flex items-center gap-1">
        <h3>New response</h3>
        {took !== undefined && (
          <span className="text-faint tabular-nums">{`took ${formatDuration(took)}`}</span>
        )}
      </div>
      {isBusy && <Running onCancel={cancel} />}
      {problem && (
        <Banner severity="error" topic={problem.code}>
          {problemText(problem)}
        </Banner>
      )}
      {toolRun && <ResultView toolRun={toolRun} />}
    </section>
  )
}

/** Whether the user may send this message again; see `messages.replay`. */
export function canReplay({ kind, direction, method }: MessageEntry): boolean {
  const isRequest = kind === 'request' && direction === 'sent'
  return isRequest && ToolRunRequest.shape.method.safeParse(method).success
}

/**
 * Returns the warning before a tool is called again; undefined if the tool is marked read-only or not destructive (MCP, ToolAnnotations).
 * `tool` is missing if the server doesn't list it.
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

/** Sends a request again; after `cancel` the response reports the cancellation. */
function useReplay() {
  const [toolRun, setToolRun] = useState<ToolRun>()
  const { busyWith, isBusy, problem, run } = useAction(
    (input: MessageRef & { toolRunId: string }) => call('messages.replay', input),
    setToolRun,
  )
  return {
    ...{ isBusy, problem: isBusy ? undefined : problem },
    toolRun: isBusy || problem ? undefined : toolRun,
    start: (ref: MessageRef) => run({ ...ref, toolRunId: crypto.randomUUID() }),
    cancel: () => {
      if (busyWith) call('toolRun.cancel', { toolRunId: busyWith.toolRunId }).catch(showFailure)
    },
  }
}

/** Line breaks between the members of a message; within strings they are escaped. */
const LINE_ENDS = /[\n\r]+/gu
/** Maximum length of a copied message, in UTF-16 units; pretty-printing may make it longer. */
const MAX_COPIED = 4 * 1024 * 1024

/** Returns a message on one line, as stdio requires; servers may have written several. */
export function asLine(text: string): string {
  return text.replace(LINE_ENDS, ' ')
}

function DetailActions(props: {
  readonly installationId: string
  readonly entry: MessageEntry
  /** Label of the message's kind: `request`. */
  readonly what: string
}): JSX.Element {
  const { installationId, entry, what } = props
  const { seq, bytes, hasText } = entry
  const source = loggedMessageText({ installationId, seq }, bytes)
  const copy = async (write: (text: string) => string, confirmation: string): Promise<void> => {
    try {
      // One extra character shows that the text is longer.
      const text = await readAll(source, MAX_COPIED + 1)
      if (text.length > MAX_COPIED)
        throw new AppError('INVALID_REQUEST', 'This message is too large to copy.', {
          hint: 'Save it to a file instead.',
        })
      copyText(write(text), confirmation)
    } catch (thrown) {
      showFailure(thrown)
    }
  }
  const actions = [
    {
      icon: Copy,
      label: `Copy ${what}`,
      act: () => void copy(indentedText, `Copied the ${what}.`),
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
      {actions.map(({ icon, label, act }) => (
        <IconButton key={label} small icon={icon} label={label} disabled={!hasText} onClick={act} />
      ))}
    </>
  )
}

/** Larger messages load on demand only, in bytes. */
const LARGE_BYTES = 64 * 1024

/** The text of a message as a tree; a large one loads on demand. */
function MessageText(props: {
  readonly installationId: string
  readonly entry: MessageEntry
  readonly label: string
}): JSX.Element {
  const { installationId, entry, label } = props
  const { seq, bytes, hasText } = entry
  const [isWanted, setIsWanted] = useState(bytes <= LARGE_BYTES)
  const source = useMemo(
    () => loggedMessageText({ installationId, seq }, bytes),
    [installationId, seq, bytes],
  )
  if (!hasText)
    return (
      <p className="text-faint">
        The text is no longer stored. The message was too large or too old.
      </p>
    )
  if (!isWanted)
    return (
      <p className="flex min-w-0 items-center gap-2 text-faint">
        <span className="min-w-0 flex-1">{`${formatBytes(bytes)} of JSON`}</span>
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

function Parts(props: {
  readonly installationId: string
  readonly pair: MessagePair
  readonly selected: number
  readonly onGo: (seq: number) => void
}): JSX.Element {
  const { installationId, pair, selected, onGo: onSelect } = props
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
          <section
            key={title}
            className="grid min-w-0 flex-none gap-1 px-3 py-2"
            aria-label={title}
          >
            <div className="flex items-center gap-1">
              <h3 className={isSelected ? 'text-accent' : undefined}>{title}</h3>
              {!isSelected && (
                <Button variant="quiet" size="small" onClick={() => onSelect(entry.seq)}>
                  {`Go to ${what}`}
                </Button>
              )}
              <span className="min-w-0 flex-1" />
              <DetailActions installationId={installationId} entry={entry} what={what} />
            </div>
            <p className="flex flex-wrap gap-3 gap-y-0 text-small text-muted tabular-nums">
              <span>{DIRECTION_LABEL[direction]}</span>
              <time dateTime={new Date(at).toISOString()}>{formatStamp(at)}</time>
              <span>{`session ${session}`}</span>
              {id !== undefined && (
                <span>
                  id <code>{visibleText(id)}</code>
                </span>
              )}
              <span>{formatBytes(bytes)}</span>
              {durationMs !== undefined && <span>{`took ${formatDuration(durationMs)}`}</span>}
              {code !== undefined && (
                <span className="is-error text-status">{`error ${code}`}</span>
              )}
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
      {request && !answer && <p className="px-3 py-2 text-faint">Waiting for a response.</p>}
      {answer && !request && (
        <p className="px-3 py-2 text-faint">The request is no longer stored.</p>
      )}
    </>
  )
}

/** A message in full next to the list, with the other message of its pair. */
export function MessageDetail(props: {
  readonly server: ServerView
  readonly pair: MessagePair
  readonly selected: number
  readonly onGo: (seq: number) => void
  readonly onClose: () => void
}): JSX.Element {
  const { server, pair, selected, onGo, onClose } = props
  const { installationId } = server
  const replay = useReplay()
  const { isBusy, problem, toolRun, start } = replay
  const { request, answer, alone } = pair
  const entry = request ?? answer ?? alone
  return (
    <section className="messages-detail flex min-w-0 flex-col" aria-label="Message">
      <div className="flex flex-none items-center gap-2 border-b border-line px-3 py-2">
        <h2 className="line-clamp-2 wrap-anywhere">{entry && targetLabel(entry)}</h2>
        <span className="min-w-0 flex-1" />
        {request && canReplay(request) && (
          <ReplayButton
            server={server}
            request={request}
            isBusy={isBusy}
            onReplay={() => start({ installationId, seq: request.seq })}
          />
        )}
        <IconButton small icon={X} label="Close message" shortcut="Esc" onClick={onClose} />
      </div>
      <div className="scroll flex min-h-0 flex-1 flex-col divide-y divide-line">
        <Parts {...{ installationId, pair, selected, onGo }} />
        {(isBusy || (problem ?? toolRun)) && <ReplayPart {...replay} />}
      </div>
    </section>
  )
}
