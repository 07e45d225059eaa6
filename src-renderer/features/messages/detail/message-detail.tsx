import { X } from 'lucide-react'
import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { IconButton } from '../../../ui/controls/icon-button'
import type { MessagePair } from './message-pair'
import { MessagePart } from './message-part'
import { aboutWords } from './messages'
import { ReplayButton, ReplayPart } from './replay-part'
import { canReplay } from './replay-rules'
import { useReplay } from './use-replay'

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
      {parts.map(
        ({ title, entry }) =>
          entry && (
            <MessagePart
              key={title}
              installationId={installationId}
              entry={entry}
              title={title}
              isSelected={entry.seq === selected}
              onGo={() => onGo(entry.seq)}
            />
          ),
      )}
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
            onReplay={() => void start({ installationId, seq: request.seq })}
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
