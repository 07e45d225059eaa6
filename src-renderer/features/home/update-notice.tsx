import type { JSX } from 'react'

import { settingsPlace } from '../../components/settings/setting-sections'
import { useApp } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'

/** A new version of Patchbay that is ready, or that the user installs with a command. */
export function UpdateNotice(): JSX.Element | null {
  const update = useApp((state) => state.app?.appUpdate)
  const isReady = update?.kind === 'ready'
  if (!isReady && !(update?.kind === 'available' && update.command !== undefined)) return null
  return (
    <Banner
      severity="info"
      title={`Patchbay ${update.version} is ${isReady ? 'ready' : 'available'}.`}
      action={
        <ButtonLink size="small" href={settingsPlace('general')}>
          Show update
        </ButtonLink>
      }
    >
      {isReady && 'Patchbay installs the update when you quit.'}
    </Banner>
  )
}
