import { useState } from 'react'

import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/show-failure'
import { useApp } from '../../../stores/app-store'

/**
 * Whether Home shows the setup guide: while there is no server or no connected app, unless the user closed the guide. A guide
 * that was shown stays until Home is left, so that its last step can be seen.
 */
export function useShowsSetup(): boolean {
  const setup = useApp(({ app }) => app?.settings.setup)
  const isIncomplete = useApp(
    ({ app }) => app !== null && (app.servers.length === 0 || app.agents.agents.length === 0),
  )
  const isDue = setup === 'open' || (setup === 'auto' && isIncomplete)
  const [wasDue, setWasDue] = useState(isDue)
  if (isDue && !wasDue) setWasDue(true)
  return isDue || (wasDue && setup !== 'closed')
}

/** Closes the guide for good; Help opens it again. */
export function closeSetup(): void {
  void attempt(call('settings.update', { setup: 'closed' }))
}
