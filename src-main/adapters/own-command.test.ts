import { describe, expect, it } from 'vitest'

import { hiddenStart, ownCommand, type ProgramPlace } from './own-command'

const AS_NODE = { ELECTRON_RUN_AS_NODE: '1' }
const LINUX: ProgramPlace = {
  platform: 'linux',
  execPath: '/opt/Patchbay/patchbay-desktop',
  cli: '/opt/Patchbay/resources/app.asar/out/main/cli.js',
  node: undefined,
  env: { DISPLAY: ':0' },
}
const MAC: ProgramPlace = {
  platform: 'darwin',
  execPath: '/Applications/Patchbay.app/Contents/MacOS/Patchbay',
  cli: '/Applications/Patchbay.app/Contents/Resources/app.asar/out/main/cli.js',
  node: undefined,
  env: {},
}
const WINDOWS: ProgramPlace = {
  platform: 'win32',
  execPath: String.raw`C:\Users\ada\AppData\Local\Programs\Patchbay\Patchbay.exe`,
  cli: String.raw`C:\Users\ada\AppData\Local\Programs\Patchbay\resources\app.asar\out\main\cli.js`,
  node: undefined,
  env: {},
}
const MOUNT = '/tmp/.mount_PatchbAbc'
const APP_IMAGE: ProgramPlace = {
  ...LINUX,
  execPath: `${MOUNT}/patchbay-desktop`,
  cli: `${MOUNT}/resources/app.asar/out/main/cli.js`,
  env: { DISPLAY: ':0', APPIMAGE: '/home/ada/Patchbay.AppImage', APPDIR: MOUNT },
}
const CHECKOUT: ProgramPlace = {
  ...LINUX,
  execPath: '/src/node_modules/electron/dist/electron',
  cli: '/src/out/main/cli.js',
  node: '/src/node_modules/node/bin/node',
}

describe('D8: the command that agent apps start', () => {
  it.each<[string, ProgramPlace, string[], object]>([
    ['the program of a Linux package', LINUX, ['/opt/Patchbay/patchbay'], {}],
    [
      'the script in the bundle of macOS',
      MAC,
      ['/Applications/Patchbay.app/Contents/Resources/bin/patchbay'],
      {},
    ],
    ['the binary as Node on Windows', WINDOWS, [WINDOWS.execPath, WINDOWS.cli], AS_NODE],
    ['the AppImage, not its mount', APP_IMAGE, ['/home/ada/Patchbay.AppImage'], {}],
    [
      'the package, where an agent that is an AppImage runs it',
      { ...LINUX, env: { APPIMAGE: '/home/ada/Cursor.AppImage', APPDIR: '/tmp/.mount_Cursor' } },
      ['/opt/Patchbay/patchbay'],
      {},
    ],
    [
      'the Node that started an app that is not packaged',
      CHECKOUT,
      ['/src/node_modules/node/bin/node', '/src/out/main/cli.js'],
      {},
    ],
    [
      'Electron as Node where no Node is known',
      { ...CHECKOUT, node: undefined },
      [CHECKOUT.execPath, CHECKOUT.cli],
      AS_NODE,
    ],
  ])('is %s', (_what, place, argv, env) => {
    expect(ownCommand(place)).toEqual({ argv, env })
  })

  it('is the same from the desktop app and the command line', () => {
    const asNode = { ...AS_NODE, PATCHBAY_NODE: undefined }
    for (const place of [LINUX, MAC, WINDOWS, APP_IMAGE]) {
      const fromCli = { ...place, node: place.execPath, env: { ...place.env, ...asNode } }
      expect(ownCommand(fromCli)).toEqual(ownCommand(place))
    }
    expect(ownCommand({ ...CHECKOUT, execPath: CHECKOUT.node ?? '' })).toEqual(ownCommand(CHECKOUT))
  })

  it.each([
    '/private/var/folders/x/T/AppTranslocation/4F/d/Patchbay.app/Contents/MacOS/Patchbay',
    '/Volumes/Patchbay 1.0.0-arm64/Patchbay.app/Contents/MacOS/Patchbay',
  ])('names an obstacle if macOS runs %s', (execPath) => {
    const cli = execPath.replace('MacOS/Patchbay', 'Resources/app.asar/out/main/cli.js')
    expect(ownCommand({ ...MAC, execPath, cli }).obstacle).toContain('Applications folder')
  })
})

describe('D8: the app started by the bridge', () => {
  const start = (place: ProgramPlace, { isRoot = false, isUsual = true } = {}) => {
    const { command, args } = hiddenStart({ ...place, isRoot }, '/profile', isUsual)
    return [command, ...args]
  }
  const serve = ['serve', '--no-open', '--profile', '/profile']

  it.each<[string, ProgramPlace, string[]]>([
    ['Linux', LINUX, [LINUX.execPath, '--hidden']],
    ['Windows', WINDOWS, [WINDOWS.execPath, '--hidden']],
    ['an AppImage', APP_IMAGE, ['/home/ada/Patchbay.AppImage', '--hidden']],
    [
      'macOS',
      MAC,
      ['/usr/bin/open', '-g', '-j', '-a', '/Applications/Patchbay.app', '--args', '--hidden'],
    ],
  ])('is the hidden desktop app on %s', (_system, place, argv) => {
    expect(start(place)).toEqual(argv)
    expect(start(place, { isUsual: false })).toEqual([...argv, '--user-data-dir=/profile'])
  })

  it.each<[string, ProgramPlace, boolean]>([
    ['there is no screen', { ...LINUX, env: {} }, false],
    ['Chromium has no sandbox', LINUX, true],
    ['the app is not packaged', { ...CHECKOUT, execPath: '/bin/node' }, false],
  ])('is `serve` if %s', (_why, place, isRoot) => {
    expect(start(place, { isRoot })).toEqual([place.execPath, place.cli, ...serve])
  })

  it("gets neither the key nor Electron's mode", () => {
    const env = { ...LINUX.env, ...AS_NODE, PATCHBAY_AGENT_KEY: 'pb_key' }
    const { env: given } = hiddenStart({ ...LINUX, env, isRoot: false }, '/profile', true)
    expect(given.PATCHBAY_AGENT_KEY).toBeUndefined()
    expect(given.ELECTRON_RUN_AS_NODE).toBeUndefined()
    expect(given.DISPLAY).toBe(':0')
  })

  it('is `serve` from a package as Node', () => {
    const { env } = hiddenStart({ ...LINUX, env: {}, isRoot: false }, '/profile', true)
    expect(env.ELECTRON_RUN_AS_NODE).toBe('1')
  })
})
