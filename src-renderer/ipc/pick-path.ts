import { showToast } from '../ui/overlays/toast'
import { call, toErrorShape } from './call'

/** Opens the system's dialog; null when the person cancelled or it could not be opened, which a toast tells. */
export async function pickPath(kind: 'folder' | 'file'): Promise<string | null> {
  try {
    return await call('app.pickPath', { kind })
  } catch (thrown) {
    showToast({ message: toErrorShape(thrown).message, tone: 'error' })
    return null
  }
}
