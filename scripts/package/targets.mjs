// Package targets, and what this system lacks for them.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const SYSTEMS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }

/** Targets by name, with their requirements besides Electron's runtime. */
export const TARGETS = {
  dir: { system: undefined, needs: [] },
  'tar.gz': { system: 'linux', needs: ['7zip'] },
  deb: { system: 'linux', needs: ['fpm'] },
  rpm: { system: 'linux', needs: ['fpm', 'rpmbuild'] },
  AppImage: { system: 'linux', needs: ['appimage'] },
  dmg: { system: 'darwin', needs: [] },
  zip: { system: 'darwin', needs: [] },
  nsis: { system: 'win32', needs: [] },
}

/** Variables that make electron-builder use an installed tool instead of a download, and that tool's commands. */
const TOOLS = {
  '7zip': { variable: 'ELECTRON_BUILDER_7ZIP_PATH', commands: ['7zz', '7za'] },
  fpm: { variable: 'CUSTOM_FPM_PATH', commands: ['fpm'] },
  appimage: { variable: 'APPIMAGE_TOOLS_PATH', commands: [] },
  // Never downloaded.
  rpmbuild: { variable: undefined, commands: ['rpmbuild'] },
}

/**
 * This system's abilities: `canDownload` says whether electron-builder's tools and Electron can be downloaded, `hasRuntime` whether there
 * is an unpacked Electron.
 */
export function thisSystem({ canDownload, hasRuntime }) {
  return {
    platform: process.platform,
    env: process.env,
    find: findCommand,
    canDownload,
    hasRuntime,
  }
}

/** Why a target can't be built, as a phrase; undefined if it can. */
export function obstacleOf(name, { platform, env, find, canDownload, hasRuntime }) {
  const { system, needs } = TARGETS[name]
  if (system !== undefined && system !== platform) return `${name} is built on ${SYSTEMS[system]}`
  if (!hasRuntime && !canDownload)
    return "Electron's runtime is missing and can't be downloaded; --electron-dist names a folder with one"
  for (const need of needs) {
    const { variable, commands } = TOOLS[need]
    const isThere = (variable && env[variable]) || commands.some((command) => find(command))
    if (!isThere && (variable === undefined || !canDownload))
      return `${need} is missing${variable ? ` and can't be downloaded; ${variable} names one` : ''}`
  }
  return undefined
}

/** Variables that make electron-builder use this system's tools for a target. */
export function toolVariables(names, { env, find }) {
  const needs = new Set(names.flatMap((name) => TARGETS[name].needs))
  const found = {}
  for (const need of needs) {
    const { variable, commands } = TOOLS[need]
    const path = commands.map((command) => find(command)).find(Boolean)
    if (variable && !env[variable] && path) found[variable] = path
  }
  return found
}

/** Whether a download server answers. */
export function reaches(address) {
  const script = `fetch(process.argv[1],{method:'HEAD',signal:AbortSignal.timeout(5000)}).then(()=>0,()=>1).then(process.exit)`
  return spawnSync(process.execPath, ['-e', script, address], { stdio: 'ignore' }).status === 0
}

function findCommand(command) {
  const folder = (process.env.PATH ?? '')
    .split(delimiter)
    .find((one) => existsSync(join(one, command)))
  return folder && realpathSync(join(folder, command))
}
