import type { JSX } from 'react'
import { useState } from 'react'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { ask } from '../../../host-parts/ask'
import { useServers } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { showToast } from '../../../ui/overlays/toast'
import { counted } from '../../../ui/text/elapsed'
import { visibleText } from '../../../ui/text/visible-text'

/** Tools that are listed before the rest is counted. */
const MOST_SHOWN = 8

/** The tools that need no approval for good, each with a way to revoke that. */
export function AllowedLine({
  agent: { agentId, name, allowed },
}: {
  readonly agent: AgentView
}): JSX.Element | null {
  const servers = useServers()
  const [isWhole, setIsWhole] = useState(false)
  const [busy, setBusy] = useState<string | null>(null)
  if (allowed.length === 0) return null
  const serverOf = (installationId: string): string =>
    servers.find((one) => one.installationId === installationId)?.name ?? 'a removed server'
  const revoke = async (key: string, tool?: (typeof allowed)[number]): Promise<void> => {
    setBusy(key)
    const ref = tool && { installationId: tool.installationId, tool: tool.tool }
    const done = await ask('agent.forgetAllowed', { agentId, ...(ref && { tool: ref }) })
    setBusy(null)
    if (!done) return
    const what = tool ? visibleText(tool.tool) : 'all tools'
    showToast({ message: `Calls of ${what} by ${name} need approval again.` })
  }
  const shown = isWhole ? allowed : allowed.slice(0, MOST_SHOWN)
  const rest = allowed.length - shown.length
  return (
    <section className="stack gap-2" aria-label="Always allowed">
      <div className="row gap-2">
        <h3 className="grow medium ink">{`Always allowed (${allowed.length})`}</h3>
        <Button size="small" busy={busy === ''} onClick={() => void revoke('')}>
          Revoke all
        </Button>
      </div>
      <ul className="box surface divided">
        {shown.map((one) => {
          const key = `${one.installationId} ${one.tool}`
          const tool = visibleText(one.tool)
          const server = serverOf(one.installationId)
          return (
            <li key={key} className="row gap-2 pad-row">
              <span className="grow cut soft">
                <code className="ink">{tool}</code> on {server}
              </span>
              <Button
                size="small"
                variant="quiet"
                busy={busy === key}
                aria-label={`Revoke ${tool} on ${server}`}
                onClick={() => void revoke(key, one)}
              >
                Revoke
              </Button>
            </li>
          )
        })}
      </ul>
      {rest > 0 && (
        <Button size="small" variant="quiet" onClick={() => setIsWhole(true)}>
          {`Show ${counted(rest, 'more tool')}`}
        </Button>
      )}
    </section>
  )
}
