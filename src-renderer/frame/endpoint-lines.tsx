import { Copy, LockKeyhole } from 'lucide-react'
import type { JSX, ReactElement } from 'react'
import { Link } from 'wouter'

import type { SecretStoreState } from '../../src-shared/domain/state/app-state'
import { useApp } from '../stores/app-store'
import { IconButton } from '../ui/controls/icon-button'
import { Tooltip } from '../ui/controls/tooltip'
import { useMediaQuery } from '../ui/layout/use-media-query'
import { StatusGlyph } from '../ui/marks/status-glyph'
import { copyText } from '../ui/saving/copy-text'

const SECRETS: Record<SecretStoreState['kind'], string> = {
  checking: 'Checking the keychain',
  keychain: 'Secrets in your keychain',
  file: 'Secrets in an encrypted file',
  locked: 'Secrets locked',
  memory: 'Secrets in memory only',
}

/** Where secrets are kept. */
export function SecretStoreLine(): JSX.Element | null {
  const kind = useApp((state) => state.app?.secretStore.kind)
  if (!kind) return null
  return (
    <RailTip name={SECRETS[kind]}>
      <Link
        href="/settings"
        className="endpoint lights row gap-2 slim ruled-above"
        aria-label={SECRETS[kind]}
      >
        {kind === 'memory' || kind === 'locked' ? (
          <StatusGlyph status="degraded" />
        ) : (
          <LockKeyhole className="icon icon-s faint" aria-hidden />
        )}
        <span className="grow cut micro faint hide-narrow">{SECRETS[kind]}</span>
      </Link>
    </RailTip>
  )
}

/** The address of the gateway, or why apps can't connect. */
export function GatewayLine(): JSX.Element | null {
  const gateway = useApp(({ app }) => app?.agents.gateway)
  if (gateway === undefined || gateway.kind === 'opening') return null
  if (gateway.kind !== 'open') {
    const isOff = gateway.kind === 'off'
    const words = isOff ? 'Gateway off' : 'Apps can’t connect'
    return (
      <RailTip name={words}>
        <Link
          href="/apps"
          className="endpoint lights row gap-2 slim ruled-above"
          aria-label={words}
        >
          <StatusGlyph status={isOff ? 'stopped' : 'error'} />
          <span className="grow cut micro faint hide-narrow">{words}</span>
        </Link>
      </RailTip>
    )
  }
  const { url } = gateway
  return (
    <div className="endpoint row gap-2 slim ruled-above">
      <StatusGlyph status="ready" label="Open" />
      <div className="grow hide-narrow">
        <span className="micro faint">Gateway for your apps</span>
        <code className="block cut soft micro">{url.replace('http://', '')}</code>
      </div>
      <IconButton
        small
        className="hide-narrow"
        icon={Copy}
        label="Copy the gateway’s address"
        onClick={() => copyText(url, 'Address copied.')}
      />
    </div>
  )
}

const RAIL = '(max-width: 1099px)'
/** In the rail the name of a thing is only in its tooltip and its spoken label. */
export function RailTip({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactElement
}): JSX.Element {
  const isRail = useMediaQuery(RAIL)
  if (!isRail) return children
  return (
    <Tooltip content={name} side="right">
      {children}
    </Tooltip>
  )
}
