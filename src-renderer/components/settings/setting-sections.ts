/** The sections of the settings page, in order. */
export const SETTING_SECTIONS = [
  { id: 'general', title: 'General' },
  { id: 'servers', title: 'Servers' },
  { id: 'apps', title: 'Apps and gateway' },
  { id: 'catalog', title: 'Catalog' },
  { id: 'network', title: 'Network' },
  { id: 'advanced', title: 'Advanced' },
] as const
export type SettingSectionId = (typeof SETTING_SECTIONS)[number]['id']

/** Returns the address of a section of the settings page, or of one setting by its key. */
export function settingsPath(at: string): string {
  return `/settings?at=${at}`
}
