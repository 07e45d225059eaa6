import type { WebContents } from 'electron'
import { ipcMain } from 'electron'

import { REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import { Disposables, toDisposable } from '../core/lifecycle/disposables'
import { answer } from '../ipc/answer'
import type { Patchbay } from '../patchbay/open-patchbay'
import { isTrustedSender } from './renderer-address'

/**
 * Connects the core with the window, which may come and go: answers requests of our own page, sends it events, and rejects every other
 * sender. Ends when disposed.
 */
export function bridgeIpc(
  patchbay: Pick<Patchbay, 'handlers' | 'onEvent'>,
  contents: () => WebContents | undefined,
): Disposable {
  const bridge = new Disposables()
  for (const channel of REQUEST_CHANNELS) {
    ipcMain.handle(channel, (event, raw: unknown) => {
      if (!isTrustedSender(event, contents())) {
        throw new Error(`Refused ${channel}: it did not come from the window of Patchbay.`)
      }
      return answer(patchbay.handlers, channel, raw)
    })
    bridge.add(toDisposable(() => ipcMain.removeHandler(channel)))
  }
  bridge.add(
    patchbay.onEvent(({ channel, payload }) => {
      const page = contents()
      // Electron prints a stack for each event to a crashed page, and throws for a destroyed one.
      if (page && !page.isDestroyed() && !page.isCrashed()) page.send(channel, payload)
    }),
  )
  return bridge
}
