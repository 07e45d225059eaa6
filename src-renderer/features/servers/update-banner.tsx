import type { ReactElement } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'

/** Says that there is a newer version, and leads to what it changes. */
export function UpdateBanner({ server }: { readonly server: ServerView }): ReactElement | null {
  const { update, installationId, entryVersion } = server
  if (update === undefined) return null
  return (
    <div className="page-line fixed">
      <Banner
        severity="info"
        title={`Version ${update.version} is available.`}
        action={
          <ButtonLink
            size="small"
            href={`/servers/${installationId}/update/${encodeURIComponent(update.entryId)}`}
          >
            Review update
          </ButtonLink>
        }
      >
        Installed: {entryVersion}.
      </Banner>
    </div>
  )
}
