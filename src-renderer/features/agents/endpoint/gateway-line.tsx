import { Copy } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { GatewayStatus } from '../../../../src-shared/domain/agents/agent'
import { ask } from '../../../host-parts/ask'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { copyText } from '../../../ui/saving/copy-text'
import { problemWords } from '../../../ui/text/problem-words'

/** The setting that says where the endpoint is. */
const PORT_PLACE = '/settings?at=gateway-port'

function Failed({
  status: { port, error },
}: {
  readonly status: Extract<GatewayStatus, { kind: 'failed' }>
}): JSX.Element {
  const [isBusy, setIsBusy] = useState(false)
  const retry = async (): Promise<void> => {
    setIsBusy(true)
    await ask('gateway.retry', {})
    setIsBusy(false)
  }
  return (
    <Banner
      severity="error"
      title={`Agents cannot connect at port ${String(port)}.`}
      action={
        <span className="row gap-2 slim">
          <Button size="small" busy={isBusy} onClick={() => void retry()}>
            Try again
          </Button>
          <ButtonLink size="small" href={PORT_PLACE}>
            Change port
          </ButtonLink>
        </span>
      }
    >
      {problemWords(error)}
    </Banner>
  )
}

/** Where agents connect, or why they cannot. */
export function GatewayLine({ status }: { readonly status: GatewayStatus }): JSX.Element {
  switch (status.kind) {
    case 'failed':
      return <Failed status={status} />
    case 'open':
      return (
        <p className="gateway-line row wrap gap-2 rows-1 soft is-ready">
          <StatusGlyph status="ready" />
          <span>Agents connect at</span>
          <code className="cut ink">{status.url}</code>
          <Button
            size="small"
            variant="quiet"
            icon={Copy}
            onClick={() => copyText(status.url, 'The address was copied.')}
          >
            Copy address
          </Button>
        </p>
      )
    case 'opening':
      return (
        <p className="gateway-line row wrap gap-2 rows-1 soft is-starting" role="status">
          <StatusGlyph status="starting" />
          <span>The endpoint for agents is opening.</span>
        </p>
      )
    case 'off':
      return (
        <p className="gateway-line row wrap gap-2 rows-1 soft is-stopped">
          <StatusGlyph status="stopped" />
          <span>The endpoint for agents is closed, as there is no agent. The first opens it.</span>
        </p>
      )
  }
}
