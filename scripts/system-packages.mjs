// System packages for the whole-app tests: a browser, and on Linux a private keychain.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { fail, run, say } from './toolchain.mjs'

const PACKAGES = ['chromium', 'dbus', 'gnome-keyring', 'libsecret-1-0', 'xvfb']

/** Installs missing packages on Debian as root; elsewhere prints the exact command and exits. `more`: further packages. */
export function ensureSystemPackages(more = []) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-query')) {
    if (process.env.PATCHBAY_CHROMIUM || existsSync('/usr/bin/chromium')) return
    fail('The whole-app tests need Chromium. Name it: PATCHBAY_CHROMIUM=/path/to/chromium npm test')
  }
  const missing = [...PACKAGES, ...more].filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  const install = ['install', '-y', '--no-install-recommends', ...missing]
  if (process.getuid?.() !== 0) {
    fail(`Some system packages are missing. Install them: sudo apt-get ${install.join(' ')}`)
  }
  say(`Installing ${missing.join(', ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  if (run('apt-get', ['update', '-qq'], quiet) !== 0 || run('apt-get', install, quiet) !== 0) {
    fail(`apt-get could not install ${missing.join(', ')}; its own words are above.`)
  }
}

function isInstalled(name) {
  const query = ['-W', '-f', '${Status}', name]
  const { stdout } = spawnSync('dpkg-query', query, { encoding: 'utf8' })
  return stdout === 'install ok installed'
}
