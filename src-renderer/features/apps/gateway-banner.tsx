import type { JSX } from 'react'

import type { GatewayStatus } from '../../../src-shared/domain/agents/agent'
import { settingsPath } from '../../components/settings/setting-sections'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useAction } from '../../ipc/use-request'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/page'
import { problemText } from '../../ui/text/format'

const PORT_PATH = settingsPath('gatewayPort')

/** A banner that says why apps can't connect, with two solutions; empty if they can. */
export function GatewayBanner({ status }: { readonly status: GatewayStatus }): JSX.Element | null {
  const { isBusy, run } = useAction(() => attempt(call('gateway.retry', {})))
  if (status.kind !== 'failed') return null
  return (
    <Banner
      severity="error"
      topic={status.error.code}
      title={`Apps can’t connect on port ${String(status.port)}.`}
      action={
        <span className="flex min-w-0 items-center gap-2">
          <Button size="small" busy={isBusy} onClick={() => run()}>
            Try again
          </Button>
          <ButtonLink size="small" href={PORT_PATH}>
            Change port
          </ButtonLink>
        </span>
      }
    >
      {problemText(status.error)}
    </Banner>
  )
}
