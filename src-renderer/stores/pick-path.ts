import { call } from '../ipc/call'
import { showFailure } from '../ipc/show-failure'
import { useApp } from './app-store'

/**
 * Opens the system's dialog for a path; undefined if there is none. Resolves to null if the user cancelled, or if it failed, which a toast
 * shows.
 */
export function usePickPath(kind: 'folder' | 'file'): (() => Promise<string | null>) | undefined {
  const canPick = useApp(({ app }) => app?.info.canPickPath ?? false)
  if (!canPick) return undefined
  return async () => {
    try {
      return await call('app.pickPath', { kind })
    } catch (thrown) {
      showFailure(thrown)
      return null
    }
  }
}
