import type { ReactElement } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Banner } from '../../ui/layout/banner'
import { standingWords } from '../../ui/text/standing-messages'

/** Says that the registry took the server's entry down, or that nobody maintains it. */
export function StandingBanner({ server }: { readonly server: ServerView }): ReactElement | null {
  const { standing } = server
  if (standing === undefined) return null
  const { title, text } = standingWords(standing)
  return (
    <div className="page-line fixed">
      <Banner severity={standing.status === 'deleted' ? 'error' : 'warn'} title={title}>
        {text}
      </Banner>
    </div>
  )
}
