import { RotateCw } from 'lucide-react'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { serverActions } from '../../components/server/actions'
import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/page'
import { counted, formatList } from '../../ui/text/format'

/** Names the servers that were started before what concerns them was changed here, with one button that restarts them all. */
export function RestartLine(props: { readonly waiting: readonly ServerView[] }): ReactElement {
  const { waiting } = props
  const names = formatList(waiting.map(({ name }) => name))
  return (
    <div className="gapless" role="status">
      {waiting.length > 0 && (
        <Banner
          severity="info"
          title="Restart to apply changes."
          action={
            <Button
              size="small"
              icon={RotateCw}
              onClick={() => {
                for (const { installationId } of waiting) void serverActions.restart(installationId)
              }}
            >
              {waiting.length === 1
                ? `Restart ${names}`
                : `Restart ${counted(waiting.length, 'server')}`}
            </Button>
          }
        >
          {names}
        </Banner>
      )}
    </div>
  )
}
