import { ArrowUpCircle, Info } from 'lucide-react'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'

import { SuggestedButton } from '../../components/server/server-menu'
import { useAppLimits } from '../../components/tool/app-limits'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useAction } from '../../ipc/use-request'
import { useApp, useServers } from '../../stores/app-store'
import { useToolsState } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { SectionHeader } from '../../ui/layout/section'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatCount } from '../../ui/text/format'
import { attentionItems, type Need } from './attention'

const FIRST = 6

function NeedGlyph({ look: appearance, label }: Pick<Need, 'look' | 'label'>): JSX.Element {
  if (appearance === 'note') return <Info className="icon icon-s text-accent" aria-label={label} />
  if (appearance === 'update')
    return <ArrowUpCircle className="icon icon-s text-accent" aria-label={label} />
  return <StatusGlyph status={appearance} label={label} />
}

function GatewayButton({ label }: { readonly label: string }): JSX.Element {
  const { isBusy, run } = useAction(() => attempt(call('gateway.retry', {})))
  return (
    <Button
      size="small"
      variant="primary"
      busy={isBusy}
      aria-label={`${label}, apps`}
      onClick={() => run()}
    >
      {label}
    </Button>
  )
}

function NeedButton(props: { readonly need: Need; readonly isFirst: boolean }): JSX.Element | null {
  const {
    need: { name, action, look: appearance },
    isFirst,
  } = props
  switch (action?.kind) {
    case undefined:
      return null
    case 'gateway':
      return <GatewayButton label={action.label} />
    case 'server':
      return (
        <SuggestedButton
          inList
          server={action.server}
          action={action.action}
          variant={isFirst && appearance !== 'degraded' ? 'primary' : 'default'}
        />
      )
    case 'page':
      return (
        <ButtonLink size="small" href={action.href} aria-label={`${action.label}, ${name}`}>
          {action.label}
        </ButtonLink>
      )
  }
}

/** Returns everything that waits for the user, most urgent first. */
export function useAttention(): readonly Need[] {
  const servers = useServers()
  const tools = useToolsState()
  const gateway = useApp(({ app }) => app?.agents.gateway)
  const hosts = useApp(({ app }) => app?.hosts.hosts) ?? []
  const limits = useAppLimits()
  return attentionItems({ servers, tools, gateway, hosts, limits })
}

/** A list of what waits for the user, each with a sentence and a button; empty if there is nothing. */
export function AttentionList({
  attention,
}: {
  readonly attention: readonly Need[]
}): JSX.Element | null {
  const [isWhole, setIsWhole] = useState(false)
  if (attention.length === 0) return null
  const isLong = attention.length > FIRST + 1
  const shown = isLong && !isWhole ? attention.slice(0, FIRST) : attention
  return (
    <section aria-labelledby="needs-head">
      <SectionHeader id="needs-head" title="Needs attention" count={attention.length} />
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {shown.map((need, index) => (
          <li key={need.key} className="flex items-center gap-3 px-3 py-2">
            <NeedGlyph look={need.look} label={need.label} />
            <div className="min-w-0 flex-1">
              {need.installationId === undefined ? (
                <b className="font-medium wrap-anywhere text-foreground">{need.name}</b>
              ) : (
                <Link
                  className="font-medium wrap-anywhere text-foreground"
                  href={`/servers/${need.installationId}`}
                >
                  {need.name}
                </Link>
              )}
              <p className="line-clamp-3 text-pretty wrap-anywhere text-muted">{need.text}</p>
            </div>
            <NeedButton need={need} isFirst={index === 0} />
          </li>
        ))}
      </ul>
      {isLong && (
        <Button
          size="small"
          variant="quiet"
          className="mt-2"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show ${formatCount(attention.length - FIRST)} more`}
        </Button>
      )}
    </section>
  )
}
