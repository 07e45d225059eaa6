import type { IpcMainInvokeEvent, WebContents } from 'electron'

import { isRendererUrl } from './renderer-address'

type Sender = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>

/** True for the top frame of `contents` while it shows our renderer; a frame that is gone is not trusted. */
export function isTrustedSender(event: Sender, contents: WebContents | undefined): boolean {
  const frame = event.senderFrame
  return (
    contents !== undefined &&
    event.sender === contents &&
    frame !== null &&
    frame.parent === null &&
    isRendererUrl(frame.url)
  )
}
