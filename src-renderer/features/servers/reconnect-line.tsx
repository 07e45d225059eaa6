import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { phaseTick } from '../../components/server/tick'
import { useNow } from '../../stores/now'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { reconnectSentence } from '../../ui/text/status-messages'

/** Where a reconnect is, while the connection in use goes on. */
export function ReconnectLine({ server }: { readonly server: ServerView }): JSX.Element | null {
  const now = useNow(phaseTick(server.phases))
  const where = reconnectSentence(server, now)
  if (where === undefined) return null
  return (
    <div className="say banner tint row gap-2 fixed is-starting">
      <StatusGlyph status="starting" />
      <p className="num grow pretty break">
        <b>Reconnecting.</b> {where} The current connection stays in use until the new one is ready.
      </p>
    </div>
  )
}
