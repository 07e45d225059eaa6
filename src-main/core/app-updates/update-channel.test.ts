import { describe, expect, it } from 'vitest'

import { type InstalledApp, manifestName, npmChannelOf, updateChannelOf } from './update-channel'

const LINUX: InstalledApp = {
  platform: 'linux',
  execPath: '/opt/Patchbay/patchbay',
  env: {},
  packageType: undefined,
  exists: () => false,
}
const MAC: InstalledApp = {
  ...LINUX,
  platform: 'darwin',
  execPath: '/Applications/Patchbay.app/Contents/MacOS/Patchbay',
}
const WINDOWS: InstalledApp = {
  ...LINUX,
  platform: 'win32',
  execPath: String.raw`C:\Users\anna\AppData\Local\Programs\Patchbay\Patchbay.exe`,
}
const image = { APPIMAGE: '/home/anna/Patchbay.AppImage', APPDIR: '/tmp/.mount_x' }

describe('D8: the installer of updates', () => {
  it.each<[string, InstalledApp, string | undefined]>([
    ['apt', { ...LINUX, packageType: 'deb\n' }, 'apt install'],
    ['dnf', { ...LINUX, packageType: 'rpm' }, 'dnf upgrade'],
    ['pacman', { ...LINUX, packageType: 'pacman' }, 'pacman'],
    ['snap', { ...LINUX, env: { SNAP: '/snap/patchbay/1' } }, 'snap refresh'],
    ['Flatpak', { ...LINUX, env: { FLATPAK_ID: 'com.example.P' } }, 'flatpak update com.example.P'],
    ['Homebrew', { ...MAC, exists: (path) => path.startsWith('/opt/homebrew/') }, 'brew upgrade'],
    [
      'the Microsoft Store',
      { ...WINDOWS, execPath: String.raw`C:\Program Files\WindowsApps\Patchbay\Patchbay.exe` },
      'winget upgrade',
    ],
  ])('is %s', (_who, app, command) => {
    expect(updateChannelOf(app)).toEqual({
      command: expect.stringContaining(command ?? '') as string,
    })
  })

  it.each<[string, InstalledApp]>([
    ['an AppImage', { ...LINUX, execPath: '/tmp/.mount_x/patchbay', env: image }],
    ['the app of a disk image on macOS', MAC],
    [
      'the app of an installer on Windows',
      { ...WINDOWS, exists: (path) => path.includes('Uninst') },
    ],
  ])('is Patchbay for %s', (_what, app) => {
    expect(updateChannelOf(app)).toBe('self')
  })

  it.each<[string, InstalledApp]>([
    ['an unpacked archive on Linux', LINUX],
    ['an archive that another AppImage started', { ...LINUX, env: image }],
    ['an unpacked archive on Windows', WINDOWS],
    [
      'the portable program on Windows',
      { ...WINDOWS, env: { PORTABLE_EXECUTABLE_FILE: 'x' }, exists: () => true },
    ],
    ['another system', { ...LINUX, platform: 'freebsd' }],
  ])('is none for %s', (_what, app) => {
    expect(updateChannelOf(app)).toBeUndefined()
  })

  it.each([
    ['/usr/lib/node_modules/mcp-patchbay/out/renderer', 'npm install --global mcp-patchbay@latest'],
    ['/home/anna/.npm/_npx/1f/node_modules/mcp-patchbay/out/renderer', 'npx mcp-patchbay@latest'],
    ['/home/anna/patchbay/out/renderer', undefined],
  ])('is npm for its package, by %s', (folder, command) => {
    expect(npmChannelOf(folder)).toEqual(command === undefined ? undefined : { command })
  })

  it('reads the manifest of system and processor', () => {
    expect(manifestName('win32', 'arm64')).toBe('latest.yml')
    expect(manifestName('darwin', 'arm64')).toBe('latest-mac.yml')
    expect(manifestName('linux', 'x64')).toBe('latest-linux.yml')
    expect(manifestName('linux', 'arm64')).toBe('latest-linux-arm64.yml')
  })
})
