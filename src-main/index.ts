import { join } from 'node:path'

import { app, shell } from 'electron'

import { loadKeytar } from './adapters/keytar-secret-store'
import { ownCommand } from './adapters/own-command'
import createCatalogWorker from './core/catalog/thread/catalog-thread?nodeWorker'
import createSchemaWorker from './core/gateway/arguments/schema-thread?nodeWorker'
import createAuditWorker from './core/gateway/audit/audit-thread?nodeWorker'
import { documentFile } from './core/installation/store/document-over-conf'
import { recoverDocument, recoveryNotices } from './core/installation/store/recover-document'
import { lockProfile } from './core/lifecycle/profile-lock'
import createSearchWorker from './core/log/search/search-thread?nodeWorker'
import createTokenWorker from './core/tools/tokens/token-thread?nodeWorker'
import { openPatchbay } from './patchbay/open-patchbay'
import { followAppLifecycle } from './shell/app-lifecycle'
import { DeepLinks } from './shell/deep-links'
import { devServerOf } from './shell/dev-server'
import { openElectronDocumentStore } from './shell/electron-document-store'
import { electronUpdateSource } from './shell/electron-updates'
import { bridgeIpc } from './shell/ipc-main-bridge'
import { denyPermissions, MainWindow } from './shell/main-window'
import { openInBrowser } from './shell/open-in-browser'
import { pickPath } from './shell/pick-path'
import { registerRendererScheme, serveRenderer } from './shell/renderer-protocol'
import { resolveProxy } from './shell/resolve-proxy'
import { showRunning } from './shell/show-running'
import { failStart } from './shell/start-failure'

const BUILT = join(import.meta.dirname, '..')

async function start(links: DeepLinks): Promise<void> {
  await app.whenReady()
  const profileDir = app.getPath('userData')
  const lock = await lockProfile(profileDir, {
    describe: () => ({ wayIn: 'desktop', pid: process.pid }),
    // Only one in the browser is asked to.
    end: () => undefined,
    takesOver: true,
  })
  if (lock.kind === 'taken') {
    await showRunning(lock.by, links.hasWaiting)
    app.exit(0)
    return
  }
  const recovered = recoverDocument(documentFile(profileDir))
  const mainWindow = new MainWindow(join(BUILT, 'preload/index.cjs'), profileDir)
  const patchbay = openPatchbay({
    profileDir,
    document: openElectronDocumentStore(profileDir),
    loadSecrets: () => loadKeytar(),
    info: {
      version: app.getVersion(),
      wayIn: 'desktop',
      platform: process.platform,
      arch: process.arch,
      ownCommand: ownCommand({
        ...{ platform: process.platform, execPath: process.execPath, env: process.env },
        ...{ cli: join(BUILT, 'main/cli.js'), node: process.env.PATCHBAY_NODE },
      }),
      canPickPath: true,
    },
    openExternal: openInBrowser,
    showFile: (path) => shell.showItemInFolder(path),
    pickPath: (kind) => pickPath(kind, mainWindow.window),
    createAuditWorker,
    createCatalogWorker,
    createSchemaWorker,
    createSearchWorker,
    createTokenWorker,
    resolveProxy,
    updateSource: electronUpdateSource(() => mainWindow.mayQuit()),
    end: () => life.end(),
    startupNotices: recoveryNotices(recovered),
  })
  const life = followAppLifecycle({
    platform: process.platform,
    showWindow: () => mainWindow.show(),
    mayQuit: () => mainWindow.mayQuit(),
    close: async () => {
      await patchbay.close()
      await lock.release()
      await patchbay.finish()
      await patchbay.installUpdate()
    },
  })
  denyPermissions()
  serveRenderer(
    join(BUILT, 'renderer'),
    devServerOf(process.env.ELECTRON_RENDERER_URL, app.isPackaged),
  )
  bridgeIpc(patchbay, () => mainWindow.contents)
  mainWindow.show()
  links.follow((opened) => {
    patchbay.openLink(opened)
    mainWindow.show()
  })
}

registerRendererScheme()
if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: the app becomes ready only after this module has been evaluated.
  start(new DeepLinks(process.argv)).catch(failStart)
} else {
  app.quit()
}
