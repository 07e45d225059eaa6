import { useEffect } from 'react'

import type { Settings } from '../../src-shared/domain/state/settings'
import { useApp } from '../stores/app-store'
import { useMediaQuery } from '../ui/layout/use-media-query'

/** The theme that tokens.css reads; undefined leaves light or dark to the system. */
export function shownTheme(
  theme: Settings['theme'],
  system: { readonly wantsContrast: boolean; readonly isDark: boolean },
): Exclude<Settings['theme'], 'system'> | undefined {
  if (theme !== 'system') return theme
  if (!system.wantsContrast) return undefined
  return system.isDark ? 'contrast' : 'contrast-light'
}

/** Puts theme and density of the settings on the root element, where tokens.css reads them; follows the system. */
export function useAppearance(): void {
  const theme = useApp((state) => state.app?.settings.theme ?? 'system')
  const density = useApp((state) => state.app?.settings.density ?? 'comfortable')
  const wantsContrast = useMediaQuery('(prefers-contrast: more)')
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  const shown = shownTheme(theme, { wantsContrast, isDark })
  useEffect(() => {
    const { dataset } = document.documentElement
    if (shown === undefined) delete dataset.theme
    else dataset.theme = shown
    dataset.density = density
  }, [shown, density])
}
