import './view.css'

import { type JSX, useState } from 'react'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ViewInfo } from '../../../../src-shared/domain/installation/view'
import { toErrorShape } from '../../../ipc/call'
import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { visibleText } from '../../../ui/text/visible-text'
import { ViewFrame } from './view-frame'

const list = new Intl.ListFormat('en-US')

function loadsFrom({ domains }: ViewInfo): string {
  const sources = [...domains.resource, ...domains.connect, ...domains.frame]
  const hosts = [...new Set(sources.map((one) => one.replace(/^https:\/\//u, '')))]
  return hosts.length > 0
    ? `It can load from ${list.format(hosts)} and call this server’s tools.`
    : 'It loads nothing from the internet and can call this server’s tools.'
}

/** Says what a view loads before anything of it is drawn. */
function ViewConsent({
  info,
  onShow,
}: {
  readonly info: ViewInfo
  readonly onShow: (remembers: boolean) => void
}): JSX.Element {
  return (
    <section className="box stack gap-2 pad-3" aria-label="Show the view?">
      <p className="break pretty">
        {`This server can show an interactive view. ${visibleText(loadsFrom(info))}`}
      </p>
      {info.ignored.length > 0 && (
        <p className="soft break pretty">
          {`Ignored because they aren’t https or wss addresses of other computers: ${visibleText(info.ignored.join(', '))}`}
        </p>
      )}
      <div className="row wrap gap-2">
        <Button variant="primary" size="form" onClick={() => onShow(false)}>
          Show view
        </Button>
        <Button size="form" onClick={() => onShow(true)}>
          Always for this server
        </Button>
      </div>
    </section>
  )
}

/** The interactive page of a run's tool: asks first, then shows it. */
export function ToolView({
  toolRun,
  onClose,
}: {
  readonly toolRun: ToolRun
  readonly onClose: () => void
}): JSX.Element {
  const { installationId, request } = toolRun
  const name = String(request.params.name)
  const { loaded, retry } = useRequest('view.read', { installationId, name })
  const [consent, setConsent] = useState<{ readonly remembers: boolean }>()
  const [failure, setFailure] = useState<AppErrorShape>()
  if (loaded.kind === 'loading') return <Skeleton label="Loading view" rows={2} />
  const again = (): void => {
    setFailure(undefined)
    setConsent(undefined)
    retry()
  }
  if (loaded.kind === 'failed')
    return <ProblemState title="Can’t show this view" problem={loaded.problem} onRetry={again} />
  if (failure)
    return <ProblemState title="Can’t show this view" problem={failure} onRetry={again} />
  const info = loaded.value
  if (!consent && !info.isAllowed)
    return <ViewConsent info={info} onShow={(remembers) => setConsent({ remembers })} />
  return (
    <ViewFrame
      view={{ toolRun, domains: info.domains, remembers: consent?.remembers === true }}
      onFailed={(thrown) => setFailure(toErrorShape(thrown))}
      onClose={onClose}
    />
  )
}
