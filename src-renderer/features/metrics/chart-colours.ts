import { useSyncExternalStore } from 'react'

/** The roles that a chart is drawn in. */
const ROLES = {
  chart: '--chart',
  error: '--error',
  text: '--text-3',
  line: '--line',
  surface: '--bg-surface',
} as const

/** Colours as a canvas takes them, and the face of its numbers. */
export type ChartColours = Readonly<Record<keyof typeof ROLES, string>> & { readonly font: string }

/** What the roles are at an element now; a canvas cannot read the tokens itself. */
export function readColours(element: HTMLElement): ChartColours {
  const probe = document.createElement('span')
  element.append(probe)
  const resolved = (role: string): string => {
    probe.style.color = `var(${role})`
    return getComputedStyle(probe).color
  }
  const colours = Object.fromEntries(
    Object.entries(ROLES).map(([name, role]) => [name, resolved(role)]),
  ) as Record<keyof typeof ROLES, string>
  probe.style.fontSize = 'var(--type-micro)'
  const { fontSize, fontFamily } = getComputedStyle(probe)
  probe.remove()
  return { ...colours, font: `${fontSize} ${fontFamily}` }
}

const MEDIA = ['(prefers-color-scheme: dark)', '(forced-colors: active)'] as const

function subscribe(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const lists = MEDIA.map((query) => window.matchMedia(query))
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    watcher.disconnect()
    for (const list of lists) list.removeEventListener('change', listener)
  }
}

function themeNow(): string {
  const seen = MEDIA.map((query) => window.matchMedia(query).matches)
  return [document.documentElement.dataset.theme ?? 'system', ...seen].join(' ')
}

/** A word for the theme in force: another word means that what was drawn must be drawn again. */
export function useThemeWord(): string {
  return useSyncExternalStore(subscribe, themeNow)
}
