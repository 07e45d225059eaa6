import type { IpcMainInvokeEvent, WebContents } from 'electron'

/** The scheme of the desktop renderer; it must be registered as privileged before the app is ready. */
export const RENDERER_SCHEME = 'app'

const RENDERER_HOST = 'patchbay'

/** Where the window starts. */
export const RENDERER_URL = `${RENDERER_SCHEME}://${RENDERER_HOST}/index.html`

/** True for addresses under `app://patchbay/` only. */
export function isRendererUrl(address: string): boolean {
  // `origin` is of no use: it reads "null" for every scheme that the URL standard does not list.
  const url = URL.parse(address)
  return url?.protocol === `${RENDERER_SCHEME}:` && url.host === RENDERER_HOST
}

/** True for the top frame of `contents` while it shows our renderer; a frame that is gone is not trusted. */
export function isTrustedSender(
  event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  contents: WebContents | undefined,
): boolean {
  const frame = event.senderFrame
  return (
    contents !== undefined &&
    event.sender === contents &&
    frame !== null &&
    frame.parent === null &&
    isRendererUrl(frame.url)
  )
}

/** The https address as it should be opened in the browser of the user; undefined for anything else. */
export function toExternalUrl(address: string): string | undefined {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
    ? url.href
    : undefined
}

/** Windows opens no longer address. */
const MAX_WINDOWS_ADDRESS = 2_081

/** Whether the system can open an address of this length. */
export function canOpenExternally(address: string, platform: string): boolean {
  return platform !== 'win32' || address.length <= MAX_WINDOWS_ADDRESS
}
