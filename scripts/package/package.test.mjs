import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { FuseV1Options } from '@electron/fuses'
import { afterAll, describe, expect, it } from 'vitest'

import { ROOT } from '../toolchain.mjs'
import { builderConfig, FUSES } from './builder-config.mjs'
import { icnsOf, icoOf } from './icons.mjs'
import { shippedModules } from './notices.mjs'
import { obstacleOf, TARGETS, toolVariables } from './targets.mjs'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("D8: a package's content", () => {
  it('is only the build, icons, the manifest and production modules', () => {
    const files = builderConfig({ platform: 'linux' }).files.filter((one) => !one.startsWith('!'))
    expect(files).toEqual(['out/**', 'resources/*.png', 'package.json'])
  })

  it.each([
    ['linux', 'linux-${arch}'],
    ['win32', 'win32-${arch}'],
    ['darwin', 'darwin-*'],
  ])('includes only the keychain module of %s', (platform, target) => {
    expect(builderConfig({ platform }).files).toContain(
      `!node_modules/keytar/prebuilds/!(${target})/**`,
    )
  })

  it('names the update feed if there is one', () => {
    const url = 'https://updates.patchbay.example/'
    expect(builderConfig({ feed: url }).publish).toEqual([{ provider: 'generic', url }])
    expect(builderConfig({ feed: undefined }).publish).toBeNull()
    expect(builderConfig({ feed: '' }).publish).toBeNull()
  })

  it('names existing files', () => {
    const { mac, win, linux, deb, rpm, extraResources } = builderConfig()
    const own = [mac, win].flatMap((system) => [...system.extraResources, ...extraResources])
    const paths = [
      ...[mac.icon, win.icon, linux.icon, mac.entitlements, mac.entitlementsInherit],
      ...[deb.appArmorProfile, rpm.appArmorProfile, ...own.map(({ from }) => from)],
    ]
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)) && !existsSync(path))
    expect(missing.filter((path) => !path.endsWith('NOTICES.txt'))).toEqual([])
  })

  it('lets its binary run as Node for the command, and accepts no external code or switches', () => {
    expect(FUSES[FuseV1Options.RunAsNode]).toBe(true)
    expect(FUSES[FuseV1Options.OnlyLoadAppFromAsar]).toBe(true)
    expect(FUSES[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(false)
    expect(FUSES[FuseV1Options.EnableNodeCliInspectArguments]).toBe(false)
  })

  it('opens links and bundles, as one of several possible apps', () => {
    const { protocols, fileAssociations } = builderConfig()
    expect(protocols.flatMap(({ schemes }) => schemes)).toEqual(['patchbay'])
    expect(fileAssociations.map(({ ext, rank }) => [ext, rank])).toEqual([
      ['mcpb', 'Alternate'],
      ['dxt', 'Alternate'],
    ])
  })

  it('names the license of every module, bundled or not', () => {
    const modules = shippedModules()
    expect(modules.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@github/keytar', '@modelcontextprotocol/core', 'react', 'zod']),
    )
    expect(modules.filter(({ text }) => text.length < 20)).toEqual([])
    expect(modules.filter(({ license }) => license === 'see below')).toEqual([])
  })
})

describe('D8: the icons', () => {
  const icons = join(ROOT, 'resources/icons')

  it('are PNG images of their size on Linux', () => {
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
      const png = readFileSync(join(icons, `linux/${String(size)}x${String(size)}.png`))
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size])
    }
  })

  it("are found in the Windows and macOS files' tables", () => {
    const ico = readFileSync(join(icons, 'icon.ico'))
    const count = ico.readUInt16LE(4)
    const at = (index) => ico.readUInt32LE(6 + 16 * index + 12)
    expect(count).toBe(7)
    for (let index = 0; index < count; index += 1)
      expect(ico.subarray(at(index) + 1, at(index) + 4).toString()).toBe('PNG')
    const icns = readFileSync(join(icons, 'icon.icns'))
    expect(icns.subarray(0, 4).toString()).toBe('icns')
    expect(icns.readUInt32BE(4)).toBe(icns.length)
    const types = []
    for (let offset = 8; offset < icns.length; offset += icns.readUInt32BE(offset + 4))
      types.push(icns.subarray(offset, offset + 4).toString())
    expect(types).toEqual(expect.arrayContaining(['ic07', 'ic08', 'ic09', 'ic10', 'ic14']))
  })

  it('contain each image once, at its offset', () => {
    const images = [
      { size: 16, type: 'icp4', png: Buffer.from('first') },
      { size: 256, type: 'ic08', png: Buffer.from('second') },
    ]
    const ico = icoOf(images)
    expect(ico.readUInt8(22)).toBe(0)
    expect(ico.subarray(ico.readUInt32LE(34)).toString()).toBe('second')
    expect(icnsOf(images).length).toBe(8 + 8 + 5 + 8 + 6)
  })
})

describe('D8: packaging on this system', () => {
  const system = { platform: 'linux', env: {}, find: () => undefined, canDownload: true }
  const offline = { ...system, canDownload: false }

  it('names the system of a target that is built elsewhere', () => {
    expect(obstacleOf('dmg', system)).toBe('dmg is built on macOS')
    expect(obstacleOf('nsis', { ...system, platform: 'darwin' })).toBe('nsis is built on Windows')
  })

  it('needs only downloads, except rpmbuild', () => {
    const names = Object.keys(TARGETS).filter((name) => obstacleOf(name, system) === undefined)
    expect(names).toEqual(['dir', 'tar.gz', 'deb', 'AppImage'])
    expect(obstacleOf('rpm', system)).toBe('rpmbuild is missing')
  })

  it('says what is missing without a network, and its name', () => {
    expect(obstacleOf('dir', offline)).toContain('--electron-dist')
    const unpacked = { ...offline, hasRuntime: true }
    expect(obstacleOf('dir', unpacked)).toBeUndefined()
    expect(obstacleOf('deb', unpacked)).toContain('CUSTOM_FPM_PATH')
    expect(obstacleOf('deb', { ...unpacked, env: { CUSTOM_FPM_PATH: '/fpm' } })).toBeUndefined()
    const find = (command) => (command === '7za' ? '/usr/lib/7za' : undefined)
    expect(obstacleOf('tar.gz', { ...unpacked, find })).toBeUndefined()
    expect(toolVariables(['tar.gz', 'dir'], { env: {}, find })).toEqual({
      ELECTRON_BUILDER_7ZIP_PATH: '/usr/lib/7za',
    })
  })
})

describe.skipIf(process.platform === 'win32')('D8: the program of a Linux package', () => {
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  cpSync(join(ROOT, 'resources/bin/linux/patchbay'), join(installed, 'patchbay'))
  writeFileSync(
    join(installed, 'patchbay-desktop'),
    '#!/bin/sh\nprintf "%s|" "${ELECTRON_RUN_AS_NODE:-app}" "${NODE_OPTIONS:-none}" "$@"\n',
  )
  chmodSync(join(installed, 'patchbay-desktop'), 0o755)
  const link = join(folder, 'patchbay')
  symlinkSync(join(installed, 'patchbay'), link)
  writeFileSync(join(folder, 'own.mcpb'), '')
  const run = (...args) => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--inspect' }
    const { stdout } = spawnSync(link, args, { cwd: folder, env, encoding: 'utf8' })
    return stdout.split('|').slice(0, -1)
  }
  const cli = join(installed, 'resources/app.asar/out/main/cli.js')

  it.each([
    [
      ['bridge', '--agent', 'a b'],
      ['bridge', '--agent', 'a b'],
    ],
    [['--no-sandbox', 'serve'], ['serve']],
    [['--version'], ['--version']],
    [['no-such-command'], ['no-such-command']],
  ])('runs a command as Node: %j', (args, given) => {
    expect(run(...args)).toEqual(['1', 'none', cli, ...given])
  })

  it.each([
    [[]],
    [['--no-sandbox']],
    [['--no-sandbox', 'own.mcpb']],
    [['--hidden']],
    [['patchbay://install?name=a b']],
    [['own.mcpb']],
    [['file:///home/ada/a.mcpb']],
  ])('opens the app, even from a program that runs as Node: %j', (args) => {
    expect(run(...args)).toEqual(['app', '--inspect', ...args])
  })
})

describe.skipIf(process.platform === 'win32')('D8: the command of a macOS package', () => {
  it("runs as Node in its bundle's binary, also through a link", () => {
    const contents = join(folder, 'Patchbay.app/Contents')
    const script = join(contents, 'Resources/bin/patchbay')
    mkdirSync(join(contents, 'Resources/bin'), { recursive: true })
    mkdirSync(join(contents, 'MacOS'))
    cpSync(join(ROOT, 'resources/bin/darwin/patchbay'), script)
    const binary = join(contents, 'MacOS/Patchbay')
    writeFileSync(binary, '#!/bin/sh\nprintf "%s|" "$ELECTRON_RUN_AS_NODE" "$@"\n', { mode: 0o755 })
    const link = join(folder, 'linked')
    symlinkSync('Patchbay.app/Contents/Resources/bin/patchbay', link)
    const cli = join(realpathSync(contents), 'Resources/app.asar/out/main/cli.js')
    for (const program of [script, link]) {
      const { stdout } = spawnSync(program, ['bridge', '--agent', 'a b'], { encoding: 'utf8' })
      expect(stdout.split('|').slice(0, -1)).toEqual(['1', cli, 'bridge', '--agent', 'a b'])
    }
  })
})
