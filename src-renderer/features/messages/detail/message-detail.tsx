import { Braces, Copy, Download, X } from 'lucide-react'
import { type JSX, useMemo, useState } from 'react'

import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { indented } from '../../../components/json/json-nodes'
import { JsonView, WithText } from '../../../components/json/json-view'
import { loggedMessageText, readWhole, saveSource } from '../../../components/json/text-source'
import { tellFailure } from '../../../ipc/tell-failure'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { copyText } from '../../../ui/saving/copy-text'
import { formatBytes, formatDuration, formatStamp } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/visible-text'
import type { MessagePair } from './message-pair'
import { aboutWords, DIRECTION_WORD } from './messages'
import { canReplay, ReplayButton, ReplayPart, useReplay } from './replay-part'

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
      tellFailure(thrown)
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
    <section className="traffic-detail col slim" aria-label="Message">
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
