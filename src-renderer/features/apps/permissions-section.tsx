import { type JSX, useId, useState } from 'react'

import type { AgentProfile, AgentView } from '../../../src-shared/domain/agents/agent'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useAction } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { GroupField, SwitchField } from '../../ui/fields/field'
import { showToast } from '../../ui/overlays/toast'
import { counted } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { APPROVAL_HINT } from './messages'
import type { ProfileEditing } from './use-profile'

const APPROVALS = [
  { value: 'never', label: 'Never' },
  { value: 'destructive', label: 'Destructive' },
  { value: 'always', label: 'Every call' },
] as const satisfies readonly { value: AgentProfile['confirm']; label: string }[]

const MAX_SHOWN = 8

type Grant = AgentView['allowed'][number]

/** An approval to revoke, or all of them without `grant`. */
type Revoking = { readonly key: string; readonly grant?: Grant }

function Grants({
  agent: { agentId, name, allowed },
}: {
  readonly agent: AgentView
}): JSX.Element | null {
  const servers = useServers()
  const [isExpanded, setIsExpanded] = useState(false)
  const { busyWith, run } = useAction(async ({ grant }: Revoking) => {
    const tool = grant && { installationId: grant.installationId, tool: grant.tool }
    const outcome = await attempt(call('agent.forgetAllowed', { agentId, ...(tool && { tool }) }))
    const what = grant ? visibleText(grant.tool) : 'all tools'
    if (outcome === 'done') showToast({ message: `${name} needs approval again for ${what}.` })
  })
  if (allowed.length === 0) return null
  const serverOf = (installationId: string): string =>
    servers.find((one) => one.installationId === installationId)?.name ?? 'a removed server'
  const shown = isExpanded ? allowed : allowed.slice(0, MAX_SHOWN)
  const remaining = allowed.length - shown.length
  return (
    <section aria-label="Always allowed">
      <div className="flex items-center gap-2">
        <h4 className="min-w-0 flex-1 font-medium">Always allowed</h4>
        <Button
          size="small"
          variant="quiet"
          busy={busyWith?.key === ''}
          onClick={() => run({ key: '' })}
        >
          Revoke all
        </Button>
      </div>
      <ul>
        {shown.map((grant) => {
          const key = `${grant.installationId} ${grant.tool}`
          const tool = visibleText(grant.tool)
          const server = serverOf(grant.installationId)
          return (
            <li key={key} className="flex min-h-7 items-center gap-2">
              <span className="truncate flex-1 text-muted">
                <code className="text-foreground">{tool}</code> on {server}
              </span>
              <Button
                size="small"
                variant="quiet"
                busy={busyWith?.key === key}
                aria-label={`Revoke ${tool} on ${server}`}
                onClick={() => run({ key, grant })}
              >
                Revoke
              </Button>
            </li>
          )
        })}
      </ul>
      {remaining > 0 && (
        <Button size="small" variant="quiet" onClick={() => setIsExpanded(true)}>
          {`Show ${counted(remaining, 'more tool')}`}
        </Button>
      )}
    </section>
  )
}

/** Which calls need approval, which tools are approved for good, and whether arguments are logged. */
export function PermissionsSection({
  agent,
  editing: { profile, change },
}: {
  readonly agent: AgentView
  readonly editing: ProfileEditing
}): JSX.Element {
  const id = useId()
  return (
    <section className="app-part grid min-w-0 gap-3" aria-labelledby={`${id}-head`}>
      <h3 id={`${id}-head`}>Permissions</h3>
      <GroupField
        id={`${id}-approval`}
        label="Ask for approval"
        hint={APPROVAL_HINT[profile.confirm]}
      >
        <Segmented
          label="Ask for approval"
          value={profile.confirm}
          options={APPROVALS}
          onValueChange={(confirm) => change({ confirm })}
        />
      </GroupField>
      {profile.confirm !== 'never' && (
        <SwitchField
          id={`${id}-in-app`}
          label="Ask in the app"
          hint="If the app can ask you itself, Patchbay trusts its answer."
          checked={profile.asksInApp}
          onCheckedChange={(asksInApp) => change({ asksInApp })}
        />
      )}
      <Grants agent={agent} />
      <SwitchField
        id={`${id}-arguments`}
        label="Log arguments"
        hint="Activity includes call arguments. Known secrets are masked."
        checked={profile.keepsArguments}
        onCheckedChange={(keepsArguments) => change({ keepsArguments })}
      />
    </section>
  )
}
