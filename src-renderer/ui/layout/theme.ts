const DARK = '(prefers-color-scheme: dark)'
const MEDIA = [DARK, '(forced-colors: active)'] as const

/** Whether the current theme is dark. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia(DARK).matches : theme === 'dark' || theme === 'contrast'
}

/** Returns a key of the current theme: after a change, canvases must render again. */
export function currentTheme(): string {
  const matches = MEDIA.map((query) => matchMedia(query).matches)
  return [document.documentElement.dataset.theme ?? 'system', ...matches].join(' ')
}

/** Calls the listener on each change of the theme until the returned function is called. */
export function watchTheme(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const lists = MEDIA.map((query) => matchMedia(query))
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    watcher.disconnect()
    for (const list of lists) list.removeEventListener('change', listener)
  }
}
