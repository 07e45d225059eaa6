import { useEffect } from 'react'

import { useApp } from '../stores/app-store'

/** Puts theme and density of the settings on the root element, where tokens.css reads them. */
export function useAppearance(): void {
  const theme = useApp((state) => state.app?.settings.theme ?? 'system')
  const density = useApp((state) => state.app?.settings.density ?? 'comfortable')
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
    dataset.density = density
  }, [theme, density])
}
