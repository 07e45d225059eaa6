import { join } from 'node:path'

import { app, session } from 'electron'

import { isRendererUrl } from './renderer-address'

/** Saves files created by the page through the system's dialog; rejects every other download. */
export function saveDownloads(): void {
  session.defaultSession.on('will-download', (event, item) => {
    const address = item.getURL()
    if (!address.startsWith('blob:') || !isRendererUrl(address.slice('blob:'.length))) {
      event.preventDefault()
      return
    }
    item.setSaveDialogOptions({
      title: `Save ${item.getFilename()}`,
      // A bare name would start in the folder that the app was started in.
      defaultPath: join(app.getPath('downloads'), item.getFilename()),
    })
  })
}
