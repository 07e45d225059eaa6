import { type ReactElement, useState } from 'react'

import type { ArgumentRow, ArgumentText } from '../../../src-shared/domain/agents/argument-rows'
import { call } from '../../ipc/call'
import { useAction } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { ScrollRegion } from '../../ui/layout/page'
import { counted, problemText } from '../../ui/text/format'

type Part = ArgumentRow['value'][number]

function Value({ row: { value, kind, more } }: { readonly row: ArgumentRow }): ReactElement {
  const quote = kind === 'quoted' ? '"' : ''
  return (
    <bdi>
      {quote}
      {value.map((part: Part, index) =>
        typeof part === 'string' ? (
          <span key={index}>{part}</span>
        ) : (
          <i key={index} className="argument-fold text-faint">
            {counted(part.count, part.fold)}
          </i>
        ),
      )}
      {more > 0 ? '…' : quote}
    </bdi>
  )
}

function LongArgument(props: {
  readonly row: ArgumentRow
  readonly at: number
  readonly requestId: string
  readonly onRead: (() => void) | undefined
}): ReactElement {
  const { row, at, requestId, onRead } = props
  const [fullText, setFullText] = useState<ArgumentText>()
  const { run, isBusy, problem } = useAction(
    () => call('userRequest.argument', { requestId, at }),
    (text) => {
      setFullText(text)
      if (!text.isCut) onRead?.()
    },
  )
  const more = counted(row.more, 'more character')
  if (fullText === undefined)
    return (
      <>
        {row.value.length > 0 && <Value row={row} />}{' '}
        <Button
          size="small"
          busy={isBusy}
          aria-label={`Show all of ${row.name}: ${more}`}
          onClick={() => run()}
        >
          {more}
        </Button>
        {problem !== undefined && (
          <ProblemText topic={problem.code}>{problemText(problem)}</ProblemText>
        )}
      </>
    )
  return (
    <>
      <ScrollRegion as="pre" className="max-h-52 whitespace-pre-wrap" label={`All of ${row.name}`}>
        {fullText.text}
      </ScrollRegion>
      {fullText.isCut && <span className="text-muted">Too long to show in full.</span>}
    </>
  )
}

/** The arguments of a call: each name with the start of its value, so that none is out of sight. */
export function ArgumentList(props: {
  readonly requestId: string
  readonly rows: readonly ArgumentRow[]
  /** Called with the index of a cut argument once the user opened all of it. */
  readonly onRead?: (at: number) => void
}): ReactElement {
  const { requestId, rows, onRead } = props
  if (rows.length === 0) return <p className="text-small text-muted">No arguments.</p>
  return (
    <dl className="call-arguments mono text-small">
      {rows.map((row, at) => (
        <div key={at}>
          <dt className="text-muted">
            <bdi>{row.name}</bdi>
          </dt>
          <dd>
            {row.more > 0 ? (
              <LongArgument
                row={row}
                at={at}
                requestId={requestId}
                onRead={onRead && (() => onRead(at))}
              />
            ) : (
              <Value row={row} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Tracks which cut arguments the user has not opened yet, by index. */
export function useUnread(rows: readonly ArgumentRow[]): {
  readonly isUnread: boolean
  readonly read: (at: number) => void
} {
  const [opened, setOpened] = useState<readonly number[]>([])
  return {
    isUnread: rows.some(({ more }, at) => more > 0 && !opened.includes(at)),
    read: (at) => setOpened((before) => [...before, at]),
  }
}
