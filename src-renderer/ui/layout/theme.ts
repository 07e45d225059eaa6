const DARK = '(prefers-color-scheme: dark)'
const MEDIA = [DARK, '(forced-colors: active)'] as const

/** Whether the theme in force is a dark one. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia(DARK).matches : theme === 'dark' || theme === 'contrast'
}

/** A word for the theme in force: another word means that what was drawn must be drawn again. */
export function themeNow(): string {
  const seen = MEDIA.map((query) => matchMedia(query).matches)
  return [document.documentElement.dataset.theme ?? 'system', ...seen].join(' ')
}

/** Calls the listener with each change of the theme until the returned function is called. */
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
