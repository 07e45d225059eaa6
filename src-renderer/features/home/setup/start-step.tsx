import type { JSX } from 'react'
import { Link } from 'wouter'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { LiveWords } from '../../../components/server/live-words'
import { SuggestedButton } from '../../../components/server/suggested-button'
import { useServers } from '../../../stores/app-store'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { counted, formatList } from '../../../ui/text/format'
import { STATUS_WORD } from '../../../ui/text/status-messages'
import { causeAction, suggestedAction } from '../../../ui/text/suggested-action'
import { SetupStep, type StepState } from './setup-step'

const isReady = ({ status }: ServerView): boolean => status.kind === 'ready'

function Row({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name, status } = server
  const action = causeAction(status) ?? suggestedAction(status)
  return (
    <li className="row gap-3 pad-row">
      <StatusGlyph status={status.kind} label={STATUS_WORD[status.kind]} />
      <p className="grow slim soft pretty">
        <Link href={`/servers/${installationId}`} className="medium ink">
          {name}
        </Link>{' '}
        <LiveWords server={server} part="sentence" />
      </p>
      {action && <SuggestedButton inList server={server} action={action} />}
    </li>
  )
}

function stateOf(servers: readonly ServerView[]): StepState {
  if (servers.length === 0) return 'later'
  return servers.some(isReady) ? 'done' : 'current'
}

function textOf(servers: readonly ServerView[]): string {
  const ready = servers.filter(isReady).map(({ name }) => name)
  if (ready.length === 0)
    return 'Patchbay starts the servers you approve and shows how to fix any that fail.'
  if (ready.length > 6) return `${counted(ready.length, 'server')} are ready.`
  const names = formatList(ready)
  return `${names} ${ready.length === 1 ? 'is' : 'are'} ready.`
}

/** The second step: what became of the servers, with what to do about each that isn't ready. */
export function StartStep(): JSX.Element {
  const servers = useServers()
  const others = servers.filter((server) => !isReady(server))
  return (
    <SetupStep number={2} title="Start" state={stateOf(servers)} text={textOf(servers)}>
      {others.length > 0 && (
        <ul className="box surface divided setup-box" aria-label="Servers that are not ready">
          {others.map((server) => (
            <Row key={server.installationId} server={server} />
          ))}
        </ul>
      )}
    </SetupStep>
  )
}
