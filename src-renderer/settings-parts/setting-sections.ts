import type { AppInfo } from '../../src-shared/domain/state/app-state'

/** The parts of the settings page by their titles, in their order there. */
const SETTING_SECTIONS = [
  'Appearance',
  'Desktop',
  'Catalog',
  'Network',
  'Starting servers',
  'Recovery',
  'Updates',
  'Health checks',
  'Tools',
  'Apps',
  'Requests',
  'Runtimes',
  'Sign-in',
  'Secrets',
  'Logs',
  'Activity',
  'Metrics',
  'Storage and version',
  'Remove Patchbay',
] as const
export type SettingSection = (typeof SETTING_SECTIONS)[number]

/** Those of a way in: a browser has no part for the desktop app. */
export function sectionsOf(wayIn: AppInfo['wayIn'] | undefined): readonly SettingSection[] {
  return SETTING_SECTIONS.filter((section) => section !== 'Desktop' || wayIn === 'desktop')
}

/** The address of a part of the settings page. */
export function settingsPlace(section: SettingSection): string {
  return `/settings?at=${partName(section)}`
}

/** How a part is called in an address: "Health checks" is `health-checks`. */
export function partName(section: SettingSection): string {
  return section.toLowerCase().replaceAll(' ', '-')
}
