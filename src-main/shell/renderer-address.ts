import type { IpcMainInvokeEvent, WebContents } from 'electron'

/** Scheme of the desktop renderer; register it as privileged before the app is ready. */
export const RENDERER_SCHEME = 'app'

const RENDERER_HOST = 'patchbay'

/** The window's first page. */
export const RENDERER_URL = `${RENDERER_SCHEME}://${RENDERER_HOST}/index.html`

/** Whether an address is below `app://patchbay/`. */
export function isRendererUrl(address: string): boolean {
  // `origin` is useless: it is "null" for every scheme outside the URL standard.
  const url = URL.parse(address)
  return url?.protocol === `${RENDERER_SCHEME}:` && url.host === RENDERER_HOST
}

/** Whether an event comes from the top frame of `contents` while it shows our renderer; a missing frame isn't trusted. */
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

/** The https address to open in the user's browser; undefined for anything else. */
export function toExternalUrl(address: string): string | undefined {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
    ? url.href
    : undefined
}

/** Longest address that Windows opens. */
const MAX_WINDOWS_ADDRESS = 2_081

/** Whether the system can open an address of this length. */
export function canOpenExternally(address: string, platform: string): boolean {
  return platform !== 'win32' || address.length <= MAX_WINDOWS_ADDRESS
}
