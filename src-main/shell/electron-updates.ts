import { existsSync, readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { app } from 'electron'
import type { AppUpdater } from 'electron-updater'

import type { UpdateInstaller, UpdateSource } from '../core/app-updates/app-updates'
import { releaseFeed } from '../core/app-updates/release-feed'
import { manifestName, updateChannelOf } from '../core/app-updates/update-channel'
import { readReleaseKey, rejected } from '../core/app-updates/update-manifest'

/** The update source of the packaged app; undefined otherwise, or if the installation can't be updated. */
export function electronUpdateSource(mayQuit: () => Promise<boolean>): UpdateSource | undefined {
  const feed = releaseFeed()
  if (!feed || !app.isPackaged) return undefined
  const channel = updateChannelOf({
    ...{ platform: process.platform, execPath: process.execPath, env: process.env },
    packageType: readPackageType(),
    exists: existsSync,
  })
  if (channel === undefined) return undefined
  return {
    manifest: new URL(manifestName(process.platform, process.arch), feed.url).href,
    key: readReleaseKey(feed.key),
    channel,
    ...(channel === 'self' && { installer: electronInstaller(feed.url, mayQuit) }),
  }
}

/** Downloads and installs with electron-updater, which is loaded with the first download. */
function electronInstaller(url: string, mayQuit: () => Promise<boolean>): UpdateInstaller {
  let updater: AppUpdater | undefined
  return {
    download: async (manifest, onProgress) => {
      await checkReplaceable(process.env.APPIMAGE)
      updater ??= await loadUpdater(url)
      const found = await updater.checkForUpdates()
      // electron-updater fetches the manifest again; only the verified one counts.
      const isSame =
        found?.updateInfo.version === manifest.version &&
        found.updateInfo.files.every(({ sha512 }) =>
          manifest.files.some((file) => file.sha512 === sha512),
        )
      if (!isSame) throw rejected('The update changed while it was being checked.')
      const report = ({ percent }: { readonly percent: number }): void => onProgress(percent)
      updater.on('download-progress', report)
      try {
        const [file] = await updater.downloadUpdate()
        if (file === undefined) throw rejected('The downloaded update is missing.')
        return file
      } finally {
        updater.off('download-progress', report)
      }
    },
    mayQuit,
    install: (restarts) => updater?.quitAndInstall(true, restarts),
  }
}

/** The AppImage may have been moved since the start, or belong to another user. */
async function checkReplaceable(image: string | undefined): Promise<void> {
  if (image === undefined) return
  try {
    await access(image)
    await access(dirname(image), constants.W_OK)
  } catch (cause) {
    throw rejected(`Patchbay can't replace ${image}.`, cause)
  }
}

async function loadUpdater(url: string): Promise<AppUpdater> {
  const { default: electronUpdater } = await import('electron-updater')
  const { autoUpdater } = electronUpdater
  autoUpdater.setFeedURL({ provider: 'generic', url })
  // Nothing is downloaded or installed before Patchbay has verified it.
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = false
  autoUpdater.allowDowngrade = false
  autoUpdater.logger = null
  // Without a listener an error would end the app; the promises also reject with it.
  autoUpdater.on('error', () => undefined)
  return autoUpdater
}

function readPackageType(): string | undefined {
  const file = join(process.resourcesPath, 'package-type')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
