import { call } from '../ipc/call'
import { showFailure } from '../ipc/show-failure'
import { useApp } from './app-store'

/** Asks for a path in the system's dialog, where there is one; null when the user cancelled or it could not be opened, which a toast tells. */
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
