import { useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type JSX, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { vetMarkdown } from '../../../src-shared/domain/vet/vet-markdown'
import type { VetReport } from '../../../src-shared/domain/vet/vet-report'
import { NoServer } from '../../components/server/no-servers'
import { VetProgressView, VetReportView } from '../../components/vet/vet-report-view'
import { serverCrumbs } from '../../frame/loaded-page'
import { call } from '../../ipc/call'
import { type Action, useAction, useRequest } from '../../ipc/use-request'
import { useServer } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Switch } from '../../ui/controls/choice'
import { BlankState, Page, ProblemBanner, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { copyText } from '../../ui/saving/copy-text'

type Checking = {
  readonly server: ServerView
  readonly action: Action<boolean>
  readonly reports: readonly VetReport[]
}

function Contents({ server, action, reports }: Checking): JSX.Element {
  const { installationId } = server
  const [latest, ...others] = reports
  if (action.isBusy) return <VetProgressView subject={{ installationId }} />
  return (
    <div className="grid gap-4">
      {action.problem?.code !== 'REQUEST_CANCELLED' && <ProblemBanner problem={action.problem} />}
      {latest ? (
        <VetReportView report={latest} others={others} />
      ) : (
        <BlankState
          art="waiting"
          title="No report yet"
          message="A check starts the server and reports problems with evidence. It calls no tool."
        />
      )}
    </div>
  )
}

function Controls(props: Checking): JSX.Element {
  const { server, action, reports } = props
  const { installationId } = server
  const [callsTools, setCallsTools] = useState(false)
  const [latest] = reports
  if (action.isBusy)
    return (
      <Button onClick={() => void call('vet.cancel', { installationId })}>Stop the check</Button>
    )
  return (
    <>
      <label className="flex items-center gap-2 text-small text-muted">
        Call read-only tools
        <Switch
          aria-label="Call read-only tools with invalid arguments"
          checked={callsTools}
          onCheckedChange={setCallsTools}
        />
      </label>
      {latest && (
        <Button
          icon={Copy}
          onClick={() => copyText(vetMarkdown(latest), 'Report copied as Markdown.')}
        >
          Copy as Markdown
        </Button>
      )}
      <Button variant="primary" onClick={() => action.run(callsTools)}>
        {latest ? 'Repeat the check' : 'Check this server'}
      </Button>
    </>
  )
}

function VetContents({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const queries = useQueryClient()
  const { value, loaded, retry } = useRequest('vet.reports', { installationId })
  const action = useAction(
    (callReadOnly: boolean) => call('vet.run', { installationId, callReadOnly }),
    () => void queries.invalidateQueries({ queryKey: ['vet.reports'] }),
  )
  const checking = { server, action, reports: value ?? [] }
  return (
    <Page
      title="Report"
      crumbs={serverCrumbs(installationId, name)}
      actions={<Controls {...checking} />}
    >
      {loaded.kind === 'failed' ? (
        <ProblemState title="Can’t load reports" problem={loaded.problem} onRetry={retry} />
      ) : value === undefined ? (
        <Skeleton label="Loading reports" rows={5} />
      ) : (
        <Contents {...checking} />
      )}
    </Page>
  )
}

/** The report of a server: the checks, findings with evidence, and changes since another version. */
export function VetPage({ installationId }: { readonly installationId: string }): JSX.Element {
  const server = useServer(installationId)
  if (server) return <VetContents server={server} />
  return <NoServer title="Report" />
}
