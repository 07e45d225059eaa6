import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { heldWords } from '../../components/tool/attention-messages'
import { reviewPlace } from '../../components/tool/review-place'
import { useServerTools } from '../../stores/tools-store'
import { ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'

/** Says that tools of a server are held back until they are reviewed. */
export function ToolsBanner({
  server: { installationId },
}: {
  readonly server: ServerView
}): JSX.Element | null {
  const tools = useServerTools(installationId)
  if (!tools || tools.held === 0) return null
  return (
    <div className="page-line fixed">
      <Banner
        severity="warn"
        title={heldWords(tools)}
        action={
          <ButtonLink size="small" href={reviewPlace(installationId)}>
            Review
          </ButtonLink>
        }
      >
        Hidden from agents until you approve.
      </Banner>
    </div>
  )
}
