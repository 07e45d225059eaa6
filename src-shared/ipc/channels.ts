/**
 * Every channel of the app, by direction. Plain strings and no imports, so that the sandboxed
 * preload can carry this list without carrying zod.
 */
export const REQUEST_CHANNELS = [
  'app.snapshot',
  'app.dismissNotice',
  'app.pickPath',
  'settings.update',
  'catalog.list',
  'catalog.search',
  'catalog.paste',
  'catalog.read',
  'launch.preview',
  'installation.create',
  'installation.read',
  'installation.update',
  'installation.approve',
  'installation.setEnabled',
  'installation.remove',
  'installation.readLegacy',
  'server.start',
  'server.stop',
  'server.restart',
  'server.capabilities',
  'runner.list',
  'runner.setUp',
  'log.read',
  'log.clear',
  'log.usage',
  'log.clearFiles',
] as const
export const EVENT_CHANNELS = [
  'server.changed',
  'server.removed',
  'notices.changed',
  'settings.changed',
  'secretStore.changed',
  'log.appended',
] as const

export type RequestChannel = (typeof REQUEST_CHANNELS)[number]
export type EventChannel = (typeof EVENT_CHANNELS)[number]
