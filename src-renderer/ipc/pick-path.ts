import { call } from './call'
import { showFailure } from './show-failure'

/** Opens the system's dialog; null when the user cancelled or it could not be opened, which a toast tells. */
export async function pickPath(kind: 'folder' | 'file'): Promise<string | null> {
  try {
    return await call('app.pickPath', { kind })
  } catch (thrown) {
    showFailure(thrown)
    return null
  }
}
