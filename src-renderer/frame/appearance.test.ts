import { describe, expect, it } from 'vitest'

import { shownTheme } from './app-shell'

describe('the theme', () => {
  it('is the one that the user chose, regardless of the system', () => {
    const system = { wantsContrast: true, isDark: true }
    expect(shownTheme('light', system)).toBe('light')
    expect(shownTheme('contrast-light', { wantsContrast: false, isDark: true })).toBe(
      'contrast-light',
    )
  })

  it('follows the system, including more contrast', () => {
    expect(shownTheme('system', { wantsContrast: false, isDark: true })).toBeUndefined()
    expect(shownTheme('system', { wantsContrast: true, isDark: true })).toBe('contrast')
    expect(shownTheme('system', { wantsContrast: true, isDark: false })).toBe('contrast-light')
  })
})
