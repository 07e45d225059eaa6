import { join } from 'node:path'

import { app } from 'electron'

import { documentFile } from './core/installation/document-over-conf'
import { recoverDocument, recoveryNotices } from './core/installation/recover-document'
import { lockProfile } from './core/lifecycle/profile-lock'
import { openPatchbay } from './open-patchbay'
import { followAppLifecycle } from './shell/app-lifecycle'
import { openElectronDocumentStore } from './shell/electron-document-store'
import { bridgeIpc } from './shell/ipc-main-bridge'
import { loadKeytar } from './shell/keytar-secret-store'
import { denyPermissions, MainWindow } from './shell/main-window'
import { pickPath } from './shell/pick-path'
import { registerRendererScheme, serveRenderer } from './shell/renderer-protocol'
import { showRunning } from './shell/show-running'
import { failStart } from './shell/start-failure'

const BUILT = join(import.meta.dirname, '..')

async function start(): Promise<void> {
  await app.whenReady()
  const profileDir = app.getPath('userData')
  const lock = await lockProfile(profileDir, () => ({ wayIn: 'desktop', pid: process.pid }))
  if (lock.kind === 'taken') {
    await showRunning(lock.by)
    app.exit(0)
    return
  }
  const recovered = recoverDocument(documentFile(profileDir))
  const mainWindow = new MainWindow(join(BUILT, 'preload/index.cjs'))
  const patchbay = openPatchbay({
    profileDir,
    document: openElectronDocumentStore(profileDir),
    loadSecrets: () => loadKeytar(),
    info: {
      version: app.getVersion(),
      wayIn: 'desktop',
      platform: process.platform,
      arch: process.arch,
      canPickPath: true,
    },
    pickPath: (kind) => pickPath(kind, mainWindow.window),
    startupNotices: recoveryNotices(recovered),
  })
  followAppLifecycle({
    platform: process.platform,
    showWindow: () => mainWindow.show(),
    mayQuit: () => mainWindow.mayQuit(),
    close: async () => {
      await patchbay.close()
      await lock.release()
    },
  })
  denyPermissions()
  serveRenderer(join(BUILT, 'renderer'))
  bridgeIpc(patchbay, () => mainWindow.contents)
  mainWindow.show()
}

registerRendererScheme()
if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: the app becomes ready only after this module has been evaluated.
  start().catch(failStart)
} else {
  app.quit()
}
