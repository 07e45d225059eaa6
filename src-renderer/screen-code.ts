/** The code of the screens that an address such as `#/catalog` opens, by its first part. */
export const screenCode = {
  activity: () => import('./features/activity/activity-page'),
  apps: () => import('./features/apps/apps-page'),
  'by-hand': () => import('./features/install/hand-page'),
  catalog: () => import('./features/catalog/catalog-page'),
  import: () => import('./features/import/import-page'),
  logs: () => import('./features/logs/logs-page'),
  settings: () => import('./features/settings/settings-page'),
  setup: () => import('./features/install/setup-page'),
  tools: () => import('./features/tools/tools-page'),
} satisfies Record<string, () => Promise<unknown>>

/** The first part of an address or a path, where a screen of its own opens there. */
export function firstPart(place: string): keyof typeof screenCode | undefined {
  const [, first = ''] = place.split(/[/?]/)
  return Object.hasOwn(screenCode, first) ? (first as keyof typeof screenCode) : undefined
}
