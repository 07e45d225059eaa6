// Checks whether Electron can open a window here. Except on Linux it always can.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SYSCTL = '/proc/sys'
const APPARMOR_PROFILES = '/etc/apparmor.d'
const SETUID = 0o4000
const LIMIT_MS = 10_000

/**
 * Why Electron can't open a window, as the end of a sentence; undefined without a known obstacle. `sandbox` and `missingLibraries` are
 * known once there is a binary. Only an explicit request disables the sandbox.
 */
export function desktopObstacle({
  platform,
  hasDisplay,
  isRoot,
  sandbox,
  missingLibraries = [],
  isUnsandboxed = false,
}) {
  if (platform !== 'linux') return undefined
  if (!hasDisplay) return 'this session has no display'
  if (isRoot && !isUnsandboxed) return 'Electron does not run as root'
  if (missingLibraries.length > 0)
    return `Electron lacks libraries of this system (${missingLibraries.join(', ')})`
  if (sandbox === 'none' && !isUnsandboxed)
    return 'this system allows Electron no sandbox (user namespaces are restricted)'
  return undefined
}

/** This computer's facts for Electron, including those of the binary if there is one. */
export function desktopFacts({ platform = process.platform, env = process.env, binary }) {
  if (platform !== 'linux') return { platform }
  return {
    platform,
    hasDisplay: Boolean(env.DISPLAY || env.WAYLAND_DISPLAY),
    isRoot: process.getuid?.() === 0,
    ...(binary && { sandbox: sandboxOf(binary), missingLibraries: missingLibraries(binary) }),
  }
}

/** How the binary gets its sandbox: by its setuid helper, by user namespaces, or not at all. */
function sandboxOf(binary) {
  if (isHelperOfRoot(join(dirname(binary), 'chrome-sandbox'))) return 'helper'
  const isBound = sysctl('kernel/apparmor_restrict_unprivileged_userns') === '1'
  if (isBound && !hasProfile(binary)) return 'none'
  if (sysctl('kernel/unprivileged_userns_clone') === '0') return 'none'
  if (sysctl('user/max_user_namespaces') === '0') return 'none'
  // Containers block them in ways that no file shows.
  const { status, error } = ask('unshare', ['-Ur', 'true'])
  return error || status === 0 ? 'namespaces' : 'none'
}

function isHelperOfRoot(file) {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && stat.uid === 0 && (stat.mode & SETUID) !== 0
}

/** An AppArmor profile for the binary allows namespaces that are otherwise blocked. */
function hasProfile(binary) {
  try {
    return readdirSync(APPARMOR_PROFILES, { withFileTypes: true }).some(
      (entry) =>
        entry.isFile() &&
        readFileSync(join(APPARMOR_PROFILES, entry.name), 'utf8').includes(binary),
    )
  } catch {
    return false // no such folder, or unreadable: the system has no profile for us
  }
}

function sysctl(name) {
  try {
    return readFileSync(join(SYSCTL, name), 'utf8').trim()
  } catch {
    return undefined // this kernel has no such switch
  }
}

function missingLibraries(binary) {
  const { stdout, stderr } = ask('ldd', [binary])
  const text = `${stdout ?? ''}\n${stderr ?? ''}`
  const names = Array.from(
    text.matchAll(/^\s*(\S+) => not found|^Error loading shared library (\S+?):/gm),
    ([, name, other]) => name ?? other,
  )
  return [...new Set(names)]
}

function ask(command, args) {
  const env = { ...process.env, LC_ALL: 'C' }
  return spawnSync(command, args, { encoding: 'utf8', env, timeout: LIMIT_MS })
}
