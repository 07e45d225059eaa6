/** The parts of the settings page by their titles, in their order there. */
export const SETTING_SECTIONS = [
  'Appearance',
  'Catalog',
  'Network',
  'Starting servers',
  'When a server fails',
  'Updates',
  'Health checks',
  'Tools',
  'Agents',
  'Questions',
  'Runners',
  'Signing in',
  'Secrets',
  'Logs',
  'Activity',
  'Figures',
  'Where things are kept',
  'Remove Patchbay',
] as const
export type SettingSection = (typeof SETTING_SECTIONS)[number]

/** The address of a part of the settings page. */
export function settingsPlace(section: SettingSection): string {
  return `/settings?at=${partName(section)}`
}

/** How a part is called in an address: "When a server fails" is `when-a-server-fails`. */
export function partName(section: SettingSection): string {
  return section.toLowerCase().replaceAll(' ', '-')
}
