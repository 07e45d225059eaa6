import { type JSX, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { HostChange, ImportedServers } from '../../../src-shared/domain/agents/host'
import { AddedServers } from '../../components/configuration/added-servers'
import { call } from '../../ipc/call'
import { useAction } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { Banner, keepFocus } from '../../ui/layout/page'
import { showToast } from '../../ui/overlays/toast'
import { counted, formatList, problemText } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { BLANK_DRAFT, type ImportDraft } from './import-rows'

function headline({ added, wanted }: Outcome): string {
  if (added.length === wanted) return `${counted(wanted, 'server')} imported`
  return `${added.length} of ${counted(wanted, 'server')} imported`
}

function approvalText(added: Outcome['added']): string {
  const waiting = added.filter(({ starts }) => !starts).length
  if (waiting === added.length) return 'Review and approve each command to start its server.'
  if (waiting === 0) return 'Commands approved. The servers are starting.'
  return `${counted(waiting, 'server needs', 'servers need')} your review. The others are starting.`
}

function Change({ change }: { readonly change: HostChange }): JSX.Element {
  const path = visibleText(change.path)
  const { isBusy, problem, run } = useAction(
    () => call('hosts.undo', { changeId: change.changeId }),
    () => {
      showToast({ message: `${path} restored.` })
      forgetChange(change.changeId)
    },
  )
  return (
    <li className="flex items-center gap-2 px-3 py-2">
      <span className="min-w-0 flex-1">
        {visibleText(formatList(change.entryNames))} in <code>{path}</code>
        {problem && <ProblemText topic={problem.code}>{problemText(problem)}</ProblemText>}
      </span>
      <Button
        size="small"
        busy={isBusy}
        aria-label={`Undo change to ${path}`}
        onClick={() => run()}
      >
        Undo
      </Button>
    </li>
  )
}

/** The result of an import: added servers, failures with reasons, and changes in files of other apps. */
export function ImportOutcome({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const { added, problem, changes, stillOn } = outcome
  const [, navigate] = useLocation()
  const servers = useServers()
  const stopped = servers.filter(({ status }) => status.kind === 'stopped')
  const next = added.find(
    ({ installationId, starts }) =>
      !starts && stopped.some((server) => server.installationId === installationId),
  )
  const { length } = changes
  useEffect(() => keepFocus(), [length])
  function finish(): void {
    outcomeStore.setState({ outcome: null, rest: BLANK_DRAFT })
    navigate('/servers')
  }
  return (
    <div className="grid max-w-text gap-5">
      <div role="status">
        <h2 className="text-title">{headline(outcome)}</h2>
        <p className="text-muted">
          {added.length === 0 ? 'This server wasn’t added.' : approvalText(added)}
        </p>
      </div>
      {problem !== null && (
        <Banner role="alert" severity="error" title={problem.message}>
          {problem.hint} The remaining servers aren’t imported, and their apps are unchanged.
        </Banner>
      )}
      {added.length > 0 && <AddedServers servers={added} />}
      {changes.length > 0 && (
        <section aria-labelledby="switched-off">
          <div className="mb-1 flex min-h-7 items-center gap-2">
            <h2 className="text-title" id="switched-off">
              Turned off in original apps
            </h2>
          </div>
          <ul
            className="divide-y divide-line rounded-lg border border-line"
            aria-labelledby="switched-off"
          >
            {changes.map((change) => (
              <Change key={change.changeId} change={change} />
            ))}
          </ul>
        </section>
      )}
      {stillOn.length > 0 && (
        <Banner severity="warn" title="Entries not turned off">
          <ul aria-label="Still on">
            {stillOn.map((message) => (
              <li key={message}>{visibleText(message)}</li>
            ))}
          </ul>
        </Banner>
      )}
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {next !== undefined && (
          <ButtonLink variant="primary" href={`/servers/${next.installationId}/configure`}>
            {`Review ${next.name} first`}
          </ButtonLink>
        )}
        <Button onClick={() => outcomeStore.setState({ outcome: null })}>
          {problem === null ? 'Import more' : 'Import remaining'}
        </Button>
        <Button onClick={finish}>Done</Button>
      </div>
    </div>
  )
}

type Outcome = ImportedServers & { readonly wanted: number }

type OutcomeState = {
  readonly outcome: Outcome | null
  /** Decisions about the servers that are not imported. */
  readonly rest: ImportDraft
}

/** The result of the newest import, and the remaining draft. */
export const outcomeStore = createStore<OutcomeState>(() => ({ outcome: null, rest: BLANK_DRAFT }))

/** Returns the newest result until it is dismissed. It reappears when the user returns from the review of a server. */
export function useOutcome(): Outcome | null {
  return useStore(outcomeStore, ({ outcome }) => outcome)
}

function forgetChange(changeId: string): void {
  const { outcome } = outcomeStore.getState()
  if (outcome === null) return
  const changes = outcome.changes.filter((change) => change.changeId !== changeId)
  outcomeStore.setState({ outcome: { ...outcome, changes } })
}
