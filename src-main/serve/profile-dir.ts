import { homedir } from 'node:os'
import { join } from 'node:path'

/** The desktop app's profile folder (Electron's `userData`), shared by both ways in. */
export function defaultProfileDir(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home = homedir(),
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Patchbay')
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Patchbay')
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Patchbay')
}
