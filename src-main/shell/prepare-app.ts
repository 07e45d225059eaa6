import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { app, crashReporter } from 'electron'

/** The app's id: groups windows and names notifications on Windows; packages use it too. @public */
export const APP_ID = 'org.patchbay.app'

/** Settings that must be made before the app is ready. */
export function prepareApp(): void {
  const profileDir = app.getPath('userData')
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  // Chromium's files get their own folder.
  const sessionData = join(profileDir, 'window')
  mkdirSync(sessionData, { recursive: true, mode: 0o700 })
  app.setPath('sessionData', sessionData)
  app.setAppLogsPath(join(profileDir, 'logs'))
  // Crash dumps stay on this computer.
  crashReporter.start({ uploadToServer: false })
  app.setAboutPanelOptions({
    applicationName: 'Patchbay',
    applicationVersion: app.getVersion(),
    version: `Electron ${process.versions.electron}`,
    copyright: 'MIT License',
    iconPath: join(app.getAppPath(), 'resources/icon.png'),
  })
}
