import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import type { AppNotice } from '../../../src-shared/domain/state/app-state'
import { messageOf } from '../failure/describe-failure'

/** A kind of Patchbay's own files in the profile folder, by their names. */
export type OwnName = {
  readonly label: string
  readonly kind: 'file' | 'folder'
  readonly names: RegExp
  /** Set for a record of things in other places; the record is deleted only after those things. */
  readonly recordOf?: 'hosts' | 'switchedOff' | 'secrets'
}

/** Chromium's names for a window's storage, most of it in `window`; Chromium writes some of it on exit. */
const WINDOW_STORAGE = [
  ...['blob_storage', 'Cache', 'Code Cache', 'Crashpad', 'databases', 'Dictionaries', 'GPUCache'],
  ...['DawnCache', 'DawnGraphiteCache', 'DawnWebGPUCache', 'IndexedDB', 'Local State'],
  ...['Local Storage', 'lockfile', 'Network', 'Network Persistent State', 'Partitions'],
  ...['Preferences', 'Service Worker', 'Session Storage', 'Shared Dictionary', 'shared_proto_db'],
  ...['TransportSecurity', 'VideoDecodeStats', 'WebStorage', 'SingletonCookie', 'SingletonLock'],
  ...['SingletonSocket', 'window'],
  ...['(Cookies|DIPS|QuotaManager|SharedStorage|Trust Tokens)(-journal|-wal)?'],
]

/** Storage of a desktop window. */
export const WINDOW: OwnName = {
  label: 'Window storage',
  kind: 'folder',
  names: new RegExp(`^(${WINDOW_STORAGE.join('|')})$`, 'u'),
}

/** Everything that Patchbay creates in the profile folder except its lock, in the order of deletion: records of other things come last. */
export const OWN_NAMES: readonly OwnName[] = [
  folder('Unpacked bundles', 'bundles'),
  folder('Working folders of servers', 'scratch'),
  folder('Catalog', 'catalog'),
  folder('Catalog icons', 'icons'),
  folder('Logs', 'logs'),
  folder('Metrics', 'figures'),
  folder('Server history', 'history'),
  folder('Agent activity', 'activity'),
  folder('Tool lists', 'tools'),
  folder('Tool approvals', 'tool-pins'),
  folder('Certificates for servers', 'certificates'),
  folder('Page that opens the browser', 'open'),
  WINDOW,
  file('Window position', /^window\.json(\.new)?$/u),
  file('Desktop state', /^desktop\.json(\.new)?$/u),
  file('Catalog favorites', /^catalog-marks\.json(\.new)?$/u),
  file('Server protocol versions', /^protocols\.json(\.new)?$/u),
  file('Running processes', /^children(\.corrupt-.+)?\.json(\.new)?$/u),
  file('Gateway address', /^gateway\.json(\.new)?$/u),
  { ...folder('Backups of app configuration files', 'host-backups'), recordOf: 'switchedOff' },
  { ...file('App connections', /^hosts\.json(\.new|\.bad)?$/u), recordOf: 'hosts' },
  { ...file('Agents', /^agents\.json(\.new|\.bad)?$/u), recordOf: 'secrets' },
  {
    ...file(
      'Settings and servers',
      /^settings(\.corrupt-.+|\.version-.+|\.last-good)?\.json(\.tmp-.+|\.new)?$/u,
    ),
    recordOf: 'secrets',
  },
]

/** Name of the lock, which stays in the folder until the app has ended. */
export const LOCK_NAME = 'lock.sock'

function folder(label: string, name: string): OwnName {
  return { label, kind: 'folder', names: new RegExp(`^${name}$`, 'u') }
}

function file(label: string, names: RegExp): OwnName {
  return { label, kind: 'file', names }
}

/** Chromium's own links stay; the settings store checks its own file. */
const OWN = OWN_NAMES.filter((own) => own !== WINDOW && !own.names.test('settings.json'))

/**
 * Renames links in the place of Patchbay's own files and folders, and of their direct children. Nothing is read or written at their targets
 * then. Call before anything opens the profile. Throws the system's error if the folder can't be read.
 */
export function renameLinks(profileDir: string): readonly AppNotice[] {
  const links = linksIn(profileDir, (name) => OWN.some(({ names }) => names.test(name)))
  const aside: string[] = []
  const failed: string[] = []
  for (const path of links) {
    try {
      renameSync(path, uniquePath(path))
      aside.push(path)
    } catch (error) {
      failed.push(`${path} (${messageOf(error)})`)
    }
  }
  if (failed.length > 0)
    throw new Error(`Links in the profile folder couldn’t be renamed: ${failed.join(', ')}`)
  if (aside.length === 0) return []
  return [
    {
      noticeId: 'profile-links',
      severity: 'warn',
      title: 'Links in the profile folder aren’t used',
      message: `Patchbay follows no link among its own files, so it renamed these and started without what they lead to: ${aside.join(', ')}. To use that, move it in their place.`,
    },
  ]
}

function linksIn(folder: string, isOwn: (name: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!isOwn(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) return [path]
    return entry.isDirectory() ? linksDirectlyIn(path) : []
  })
}

function linksDirectlyIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && !/\.link(?:-\d+)?$/u.test(entry.name))
    .map(({ name }) => join(folder, name))
}

function uniquePath(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.link${number === 1 ? '' : `-${String(number)}`}`
    if (!existsSync(name)) return name
  }
}
