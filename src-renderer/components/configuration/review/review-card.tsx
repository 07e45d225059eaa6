import './review.css'

import type { ReactElement } from 'react'

import type { Adjustment } from '../../../../src-shared/domain/installation/configuration'
import { useAction } from '../../../ipc/use-action'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { visibleText } from '../../../ui/text/visible-text'
import { type ArgvLine, ArgvList } from '../argv-list'
import { launchLines, pairLines } from '../server-lines'
import type { Candidate } from './review-messages'

type CardProps = {
  readonly candidate: Candidate
  readonly isIncluded: boolean
  readonly secretsInMemory: boolean
  readonly onInclude: (isIncluded: boolean) => void
  /** Shows it again with the change made. */
  readonly onAdjust: (change: Adjustment['change']) => void | Promise<void>
}

function Lines({ candidate, secretsInMemory }: CardProps): ReactElement | null {
  const { preview } = candidate.server
  if (preview === null) return null
  const isRemote = preview.kind === 'remote'
  const place = secretsInMemory ? 'in memory' : 'to keychain'
  const kept = (lines: readonly ArgvLine[]): ArgvLine[] =>
    lines.map((line) => (line.secret ? { ...line, origin: place } : line))
  const pairs = pairLines(preview)
  return (
    <>
      <ArgvList
        label={isRemote ? 'Address' : 'Command'}
        numbered={!isRemote}
        lines={kept(launchLines(preview))}
      />
      {pairs.length === 0 ? null : (
        <ArgvList
          label={isRemote ? 'Headers' : 'Environment'}
          numbered={false}
          lines={kept(pairs)}
        />
      )}
      {isRemote || preview.cwd === undefined ? null : (
        <p className="faint small">
          Runs in <code>{visibleText(preview.cwd)}</code>.
        </p>
      )}
    </>
  )
}

/** One server of a review: its whole command, what is to check about it, and whether it is included. */
export function ReviewCard(props: CardProps): ReactElement {
  const { candidate, isIncluded, onInclude, onAdjust } = props
  const { isBusy, problem, run } = useAction(async (change: Adjustment['change']) =>
    onAdjust(change),
  )
  const { server, from } = candidate
  const name = visibleText(server.name)
  const { adjustments } = server
  const warnings = server.preview?.warnings ?? []
  return (
    <li className="review-card stack gap-1 slim" aria-label={name}>
      <label className="tick row gap-2 slim">
        <input
          type="checkbox"
          className="check"
          checked={isIncluded}
          aria-label={`Include ${name}`}
          onChange={(event) => onInclude(event.currentTarget.checked)}
        />
        <b className="grow cut">{name}</b>
        <span className="faint small cut">{from.map(visibleText).join(', ')}</span>
      </label>
      {warnings
        .filter((warning) => adjustments.every(({ message }) => message !== warning))
        .map((warning) => (
          <Banner key={warning} severity="warn">
            {warning}
          </Banner>
        ))}
      {adjustments.map(({ change, message, button }) => (
        <Banner
          key={change}
          severity={warnings.includes(message) ? 'warn' : 'info'}
          action={
            <Button size="small" busy={isBusy} onClick={() => run(change)}>
              {button}
            </Button>
          }
        >
          {message}
        </Banner>
      ))}
      {problem && (
        <Banner severity="error" title={problem.message}>
          {problem.hint}
        </Banner>
      )}
      <Lines {...props} />
      {server.toFill.length === 0 ? null : (
        <p className="soft small">
          Missing values: {server.toFill.map(visibleText).join(', ')}. The server starts after you
          enter them.
        </p>
      )}
    </li>
  )
}
