import './review.css'

import type { ReactElement } from 'react'

import type {
  Adjustment,
  ConfiguredServer,
} from '../../../../src-shared/domain/installation/configuration'
import { useAction } from '../../../ipc/use-request'
import { useSecretsInMemory } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Checkbox } from '../../../ui/controls/choice'
import { useWindowKeys } from '../../../ui/focus/use-window-keys'
import { Banner, ProblemBanner } from '../../../ui/layout/page'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { isCovered } from '../../../ui/overlays/dialog'
import { counted, formatList } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { ServerLaunch } from '../server-launch'

/** Reads a candidate again with the change applied; rejects if it can't be read. */
type Adjust = (candidate: Candidate, change: Adjustment['change']) => void | Promise<void>

/** Commits on Ctrl+Enter or Cmd+Enter anywhere on the page; null leaves the key to others. */
export function useCommitKey(commit: (() => void) | null): void {
  useWindowKeys((event) => {
    if (commit === null) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    if (isCovered()) return
    event.preventDefault()
    commit()
  })
}

type CardProps = {
  readonly candidate: Candidate
  readonly isIncluded: boolean
  readonly onInclude: (isIncluded: boolean) => void
  readonly onAdjust: Adjust
}

function ReviewCard({ candidate, isIncluded, onInclude, onAdjust }: CardProps): ReactElement {
  const secretsInMemory = useSecretsInMemory()
  const { isBusy, problem, run } = useAction(async (change: Adjustment['change']) =>
    onAdjust(candidate, change),
  )
  const { server, from } = candidate
  const name = visibleText(server.name)
  const { adjustments } = server
  const warnings = server.preview?.warnings ?? []
  return (
    <li className="review-card grid min-w-0 break-inside-avoid gap-1 pb-4" aria-label={name}>
      <Checkbox
        className="flex min-w-0 items-center gap-2"
        checked={isIncluded}
        aria-label={`Include ${name}`}
        onCheckedChange={onInclude}
      >
        <b className="truncate flex-1">{name}</b>
        <span className="truncate text-small text-faint">{from.map(visibleText).join(', ')}</span>
      </Checkbox>
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
      <ProblemBanner problem={problem} />
      {server.preview && (
        <ServerLaunch
          preview={server.preview}
          secretPlace={secretsInMemory ? 'in memory' : 'to keychain'}
        />
      )}
      {server.toFill.length === 0 ? null : (
        <p className="text-small text-muted">
          Missing values: {server.toFill.map(visibleText).join(', ')}. The server starts after you
          enter them.
        </p>
      )}
    </li>
  )
}

/** The full commands of several servers, each with a checkbox to include it. */
export function ReviewList(props: {
  readonly candidates: readonly Candidate[]
  readonly isIncluded: (candidate: Candidate) => boolean
  readonly onInclude: (candidate: Candidate, isIncluded: boolean) => void
  readonly onAdjust: Adjust
}): ReactElement {
  const { candidates, isIncluded } = props
  const isInMemory = useSecretsInMemory()
  const included = candidates.filter(isIncluded)
  const count = toCheck(included)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-title">{reviewHeadline(included)}</h2>
          <p className="text-muted">{reviewSummary(included, { isInMemory })}</p>
        </div>
        {count > 0 && (
          <span className="badge tint is-degraded inline-flex flex-none items-center text-small font-medium whitespace-nowrap text-status">
            <StatusGlyph status="degraded" />
            {counted(count, 'command')} to check
          </span>
        )}
      </div>
      <ul className="review-cards" aria-label="Commands to approve">
        {candidates.map((candidate) => (
          <ReviewCard
            key={candidate.key}
            candidate={candidate}
            isIncluded={isIncluded(candidate)}
            onInclude={(next) => props.onInclude(candidate, next)}
            onAdjust={props.onAdjust}
          />
        ))}
      </ul>
    </>
  )
}

/** A server to install, with the app or file that it comes from. */
export type Candidate = {
  /** Unique among the candidates. */
  readonly key: string
  readonly from: readonly string[]
  readonly server: ConfiguredServer
}

/** `7 servers from Claude Desktop and Cursor`. */
export function reviewHeadline(candidates: readonly Candidate[]): string {
  const from = [...new Set(candidates.flatMap((one) => one.from))].map(visibleText)
  const servers = counted(candidates.length, 'server')
  return from.length === 0 ? servers : `${servers} from ${formatList(from)}`
}

/** `6 commands and 1 remote address. 4 secrets move to the keychain.` */
export function reviewSummary(
  candidates: readonly Candidate[],
  { isInMemory }: { readonly isInMemory: boolean },
): string {
  const remote = candidates.filter(({ server }) => server.preview?.kind === 'remote').length
  const commands = candidates.length - remote
  const secrets = candidates
    .flatMap(({ server }) => server.secrets)
    .filter(({ isKept }) => isKept).length
  const runs = [
    ...(commands === 0 ? [] : [counted(commands, 'command')]),
    ...(remote === 0 ? [] : [`${String(remote)} remote address${remote === 1 ? '' : 'es'}`]),
  ]
  const verb = secrets === 1 ? 'moves' : 'move'
  const location = isInMemory
    ? `${secrets === 1 ? 'stays' : 'stay'} in memory until you quit`
    : `${verb} to the keychain`
  const secretsText = secrets === 0 ? '' : ` ${counted(secrets, 'secret')} ${location}.`
  return `${formatList(runs)}.${secretsText}`
}

/** Counts the candidates whose command has a warning. */
export function toCheck(candidates: readonly Candidate[]): number {
  return candidates.filter(({ server }) => (server.preview?.warnings.length ?? 0) > 0).length
}
