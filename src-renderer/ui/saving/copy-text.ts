import { showToast } from '../overlays/toast'

/** Copies a text and confirms it; if the clipboard rejects, shows that. */
export function copyText(text: string, confirmation: string): void {
  navigator.clipboard.writeText(text).then(
    () => showToast({ message: confirmation }),
    () =>
      showToast({
        message: 'Can’t copy to the clipboard. Select the text and copy it manually.',
        tone: 'error',
      }),
  )
}
