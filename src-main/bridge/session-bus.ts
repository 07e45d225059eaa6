import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where a process runs, as far as it matters for its session bus. */
export type BusPlace = {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where systemd keeps the sockets of the person, absolute. */
  readonly folder: string
}

/**
 * What a process lacks to find the session bus of its person, over which Linux tells keys. Many agent apps pass only a
 * handful of variables on to the servers that they start, and these not.
 */
export function lackingBus({ platform, env, folder }: BusPlace): Record<string, string> {
  if (platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS || env.XDG_RUNTIME_DIR) return {}
  return existsSync(join(folder, 'bus')) ? { XDG_RUNTIME_DIR: folder } : {}
}

/** Leads this process to the session bus of its person, where nobody did. */
export function findSessionBus(): void {
  const { platform, env } = process
  const folder = `/run/user/${String(process.getuid?.())}`
  Object.assign(process.env, lackingBus({ platform, env, folder }))
}
