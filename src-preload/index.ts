import type { IpcRendererEvent } from 'electron'
import { contextBridge, ipcRenderer, webUtils } from 'electron'

import { EVENT_CHANNELS, REQUEST_CHANNELS } from '../src-shared/ipc/channels'

const requests = Object.fromEntries(
  REQUEST_CHANNELS.map((channel) => [
    channel,
    (input: unknown): Promise<unknown> => ipcRenderer.invoke(channel, input),
  ]),
)

const events = Object.fromEntries(
  EVENT_CHANNELS.map((channel) => [
    channel,
    (listener: (payload: unknown) => void) => {
      const forward = (_event: IpcRendererEvent, payload: unknown): void => {
        listener(payload)
      }
      ipcRenderer.on(channel, forward)
      return () => {
        ipcRenderer.off(channel, forward)
      }
    },
  ]),
)

/** Empty for a file created by the page: only a file from the user has a path. */
function pathOfFile(file: unknown): string {
  return file instanceof File ? webUtils.getPathForFile(file) : ''
}

contextBridge.exposeInMainWorld('bridge', { requests, events, pathOfFile })
