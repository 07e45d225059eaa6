import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { extractAll, listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import manifest from '../../package.json'
import { agentSecretName } from '../../src-main/core/gateway/agents/agent-secret-name'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import { AgentProfile } from '../../src-shared/domain/agents/agent'
import { freePort } from '../fixtures/free-port'
import { Harness } from '../fixtures/harness'
import { isRunning } from '../fixtures/is-running'
import { openAgents } from '../fixtures/open-agents'
import { startSecretService } from '../fixtures/secret-service'
import { installObstacle, InstallRoot } from './install-root'

const ROOT = resolve(import.meta.dirname, '../..')
const LIMIT_MS = 300_000
const SERVICE = 'Patchbay packaging test'
const VERSION = manifest.version

const work = mkdtempSync(join(tmpdir(), 'patchbay-packaging-'))
const standIn = join(work, 'electron')
const output = join(work, 'dist')
const unpacked = join(output, 'linux-unpacked')
const resources = join(unpacked, 'resources')
afterAll(() => rmSync(work, { recursive: true, force: true }))

const has = (command: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** Targets that this system can build, with tools in place of downloads. */
function targets(): string[] {
  return [
    'dir',
    ...(has('7za') || has('7zz') ? ['tar.gz'] : []),
    ...(has('dpkg-deb') ? ['deb'] : []),
    ...(has('rpmbuild') ? ['rpm'] : []),
    ...(has('mksquashfs') ? ['AppImage'] : []),
  ]
}

/** AppImage tools with a placeholder for the runtime that mounts the image: the image itself is real. */
function appImageTools(): string {
  const folder = join(work, 'appimage-tools')
  for (const inner of ['runtimes', 'lib/x64', 'lib/arm64'])
    mkdirSync(join(folder, inner), { recursive: true })
  for (const arch of ['x64', 'arm64'])
    writeFileSync(join(folder, 'runtimes', `runtime-${arch}`), 'runtime')
  for (const tool of ['mksquashfs', 'desktop-file-validate'])
    writeFileSync(join(folder, tool), `#!/bin/sh\nexec ${tool} "$@"\n`, { mode: 0o755 })
  return folder
}

async function node(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
      CUSTOM_FPM_PATH: join(ROOT, 'e2e/packaging/fpm.mjs'),
      APPIMAGE_TOOLS_PATH: appImageTools(),
    },
    maxBuffer: 50_000_000,
  })
  return stdout
}

const made = process.platform === 'linux' ? targets() : []

beforeAll(async () => {
  if (made.length === 0) return
  await node('e2e/packaging/stand-in.mjs', standIn, manifest.devDependencies.electron)
  const places = ['--electron-dist', standIn, '--output', output]
  await node('scripts/package.mjs', '--no-build', '--quick', ...places, ...made)
}, LIMIT_MS)

/** Replaces an asar by a folder, because plain Node can't read asars. */
function unpackAsar(folder: string): void {
  const asar = join(folder, 'app.asar')
  if (statSync(asar).isDirectory()) return
  const files = join(work, 'app')
  if (!existsSync(files)) extractAll(asar, files)
  rmSync(asar)
  spawnSync('cp', ['-a', files, asar])
}

const file = (pattern: RegExp): string => {
  const found = spawnSync('ls', [output], { encoding: 'utf8' })
    .stdout.split('\n')
    .find((one) => pattern.test(one))
  if (found === undefined) throw new Error(`no file like ${String(pattern)}`)
  return join(output, found)
}

describe.skipIf(made.length === 0)('D8: the files of a package', () => {
  it('are only the build, icons, the manifest and production modules', () => {
    const files = listPackage(join(resources, 'app.asar'), { isPack: false })
    const outside = files.filter(
      (path) => !/^\/(?:out|node_modules|resources)(?:\/|$)|^\/package\.json$/.test(path),
    )
    expect(outside).toEqual([])
    const odd =
      /\.(?:map|tsx?|md)$|^\/node_modules\/(?:node|electron|zod|react|gpt-tokenizer|vite|@modelcontextprotocol)(?:\/|$)/
    expect(files.filter((path) => odd.test(path))).toEqual([])
    const modules = new Set(
      files.flatMap((path) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)/.exec(path)?.[1] ?? []),
    )
    for (const name of Object.keys(manifest.dependencies)) expect(modules).toContain(name)
  })

  it('contain the keychain module outside the archive, for the target only', () => {
    const folder = join(resources, 'app.asar.unpacked/node_modules/keytar/prebuilds')
    const { stdout } = spawnSync('find', [folder, '-type', 'f'], { encoding: 'utf8' })
    expect(stdout.trim().split('\n')).toEqual([
      join(folder, `linux-${process.arch}`, 'keytar.node'),
    ])
  })

  it('contain all licenses, and have the fuses set', async () => {
    expect(readFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain(
      '@github/keytar',
    )
    expect(existsSync(join(resources, 'LICENSE'))).toBe(true)
    const wire = await getCurrentFuseWire(join(unpacked, 'patchbay-desktop'))
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(FuseState.DISABLE)
  })

  it.skipIf(!made.includes('tar.gz'))('are in the archive with their modes', async () => {
    const { stdout } = await promisify(execFile)('tar', ['-tvzf', file(/\.tar\.gz$/)])
    expect(stdout).toMatch(/^-rwxr-xr-x .*\/patchbay$/m)
    expect(stdout).toMatch(/^-rwxr-xr-x .*\/patchbay-desktop$/m)
  })
})

describe.skipIf(!made.includes('AppImage'))('D8: an AppImage', () => {
  it('runs commands and passes everything else to the app', async () => {
    const image = file(/\.AppImage$/)
    const root = join(work, 'squashfs-root')
    const offset = String(Buffer.byteLength('runtime'))
    await promisify(execFile)('unsquashfs', ['-q', '-n', '-o', offset, '-d', root, image])
    unpackAsar(join(root, 'resources'))
    const env = { ...process.env, APPDIR: root, APPIMAGE: image }
    const run = promisify(execFile)
    expect((await run(join(root, 'AppRun'), ['--version'], { env })).stdout.trim()).toBe(VERSION)
    const entry = readFileSync(join(root, 'patchbay.desktop'), 'utf8')
    expect(entry).not.toContain('--no-sandbox')
    expect(entry).toContain('x-scheme-handler/patchbay')
  })
})

describe.skipIf(!made.includes('rpm'))('D8: an .rpm', () => {
  it("requires the keychain's library, and contains the program and its desktop entry", () => {
    const rpm = (...args: string[]): string =>
      spawnSync('rpm', ['-qp', ...args, file(/\.rpm$/)], { encoding: 'utf8' }).stdout
    expect(rpm('--requires').split('\n')).toContain('libsecret')
    const files = rpm('--list').split('\n')
    expect(files).toEqual(
      expect.arrayContaining([
        '/opt/Patchbay/patchbay',
        '/usr/share/applications/patchbay.desktop',
      ]),
    )
    expect(rpm('--scripts')).toContain('update-alternatives')
  })
})

/** A profile with the agent Anna and a free gateway port. */
async function prepareProfile(profileDir: string): Promise<string> {
  mkdirSync(profileDir, { mode: 0o700 })
  const harness = new Harness()
  await harness.call('settings.update', { gatewayPort: await freePort(), catalogUpkeep: false })
  await harness.close()
  writeFileSync(documentFile(profileDir), JSON.stringify(harness.memory.document), { mode: 0o600 })
  return (await openAgents(profileDir).add('Anna', AgentProfile.parse({}))).key
}

const obstacle =
  installObstacle() ?? (made.includes('deb') ? undefined : 'dpkg-deb is not installed')

describe('D8: an installed .deb', () => {
  if (obstacle !== undefined) {
    it.skip(`was not tried: ${obstacle}`)
    return
  }
  const profileDir = join(work, 'profile')
  let root: InstallRoot
  beforeAll(async () => {
    root = await InstallRoot.open(join(work, 'install'))
    await root.run('dpkg', '--install', '--force-depends', file(/\.deb$/))
  }, LIMIT_MS)
  afterAll(() => root.close())

  it('puts `patchbay` on the PATH, with its sandbox set up', async () => {
    expect((await root.run('readlink', '-f', '/usr/bin/patchbay')).trim()).toBe(
      '/opt/Patchbay/patchbay',
    )
    const mode = (await root.run('stat', '-c', '%U %a', '/opt/Patchbay/chrome-sandbox')).trim()
    expect(['root 755', 'root 4755']).toContain(mode)
  })

  it('registers links, bundles and icons', async () => {
    const entry = await root.run('cat', '/usr/share/applications/patchbay.desktop')
    expect(entry).toContain('Exec=/opt/Patchbay/patchbay %U')
    expect(entry).toContain('StartupWMClass=patchbay')
    expect(entry).toContain(
      'MimeType=application/x-mcpb;application/x-dxt;x-scheme-handler/patchbay;',
    )
    if (has('desktop-file-validate'))
      await root.run('desktop-file-validate', '/usr/share/applications/patchbay.desktop')
    for (const size of ['16x16', '256x256', '512x512'])
      await root.run('test', '-s', `/usr/share/icons/hicolor/${size}/apps/patchbay.png`)
    const profile = await root.run('cat', '/opt/Patchbay/resources/apparmor-profile')
    expect(profile).toContain('"/opt/Patchbay/patchbay-desktop" flags=(unconfined)')
  })

  it('runs its commands in its own binary', async () => {
    await replaceAsar(root)
    expect((await root.run('/usr/bin/patchbay', '--version')).trim()).toBe(VERSION)
    const cases = join(work, 'case.json')
    writeFileSync(
      cases,
      JSON.stringify({ package: { registryType: 'npm', identifier: 't', version: '1.0.0' } }),
    )
    expect(JSON.parse(await root.run('/usr/bin/patchbay', 'plan', cases))).toMatchObject({
      command: 'npx',
    })
    await expect(root.run('/usr/bin/patchbay', 'no-such-command')).rejects.toMatchObject({
      code: 2,
    })
  })

  it("serves, and connects an MCP client to its gateway with the keychain's key", async () => {
    await replaceAsar(root)
    const service = await startSecretService()
    if ('unavailable' in service) throw new Error(service.unavailable)
    const key = await prepareProfile(profileDir)
    const env = {
      ...(process.env as Record<string, string>),
      ...service.env,
      PATCHBAY_KEYCHAIN_SERVICE: SERVICE,
    }
    const served = spawn(
      ...root.command('/usr/bin/patchbay', 'serve', '--no-open', '--profile', profileDir),
      { env, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const client = new Client({ name: 'test', version: '1' })
    try {
      const program = `import('/opt/Patchbay/resources/app.asar/node_modules/keytar/lib/keytar.js').then(({ default: k }) => k.setPassword(...process.argv.slice(1)))`
      const [node, words] = root.command(
        '/opt/Patchbay/patchbay-desktop',
        '-e',
        program,
        SERVICE,
        agentSecretName('anna'),
        key,
      )
      await promisify(execFile)(node, words, { env })
      const gateway = join(profileDir, 'gateway.json')
      await expect.poll(() => existsSync(gateway)).toBe(true)
      const [command, args] = root.command(
        '/usr/bin/patchbay',
        'bridge',
        '--agent',
        'anna',
        '--profile',
        profileDir,
      )
      await client.connect(new StdioClientTransport({ command, args, env }))
      expect(client.getServerVersion()).toMatchObject({ name: 'patchbay', version: VERSION })
      expect(Array.isArray((await client.listTools()).tools)).toBe(true)
    } finally {
      await client.close()
      const ended = once(served, 'exit')
      served.kill('SIGTERM')
      await ended
      await service.stop()
    }
  })

  it('starts Patchbay for an agent, without a window where root has no sandbox', async () => {
    await replaceAsar(root)
    const ownProfile = join(work, 'own-profile')
    const key = await prepareProfile(ownProfile)
    const env = { ...(process.env as Record<string, string>), PATCHBAY_AGENT_KEY: key }
    const words = ['bridge', '--agent', 'anna', '--profile', ownProfile, '--start']
    const [command, args] = root.command('/usr/bin/patchbay', ...words)
    const client = new Client({ name: 'test', version: '1' })
    const gateway = join(ownProfile, 'gateway.json')
    await client.connect(new StdioClientTransport({ command, args, env }))
    await expect.poll(() => existsSync(gateway)).toBe(true)
    const { pid } = JSON.parse(readFileSync(gateway, 'utf8')) as { pid: number }
    await client.close()
    const program = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').split('\0')
    expect(program.slice(0, 3)).toEqual([
      '/opt/Patchbay/patchbay-desktop',
      '/opt/Patchbay/resources/app.asar/out/main/cli.js',
      'serve',
    ])
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('removes its program when uninstalled', async () => {
    await root.run('dpkg', '--remove', 'patchbay')
    await expect(root.run('test', '-e', '/usr/bin/patchbay')).rejects.toThrow('test')
    await expect(
      root.run('test', '-e', '/usr/share/applications/patchbay.desktop'),
    ).rejects.toThrow('test')
  })
})

/** Plain Node can't read the installed archive either. */
async function replaceAsar(root: InstallRoot): Promise<void> {
  const files = join(work, 'app')
  if (!existsSync(files)) extractAll(join(resources, 'app.asar'), files)
  const asar = '/opt/Patchbay/resources/app.asar'
  await root.run('sh', '-c', `[ -d ${asar} ] || { rm ${asar} && cp -a ${files} ${asar}; }`)
}

describe.skipIf(made.length === 0)("D8: the desktop app from a package's files", () => {
  it('opens its window, uses the keychain and quits in order', { timeout: LIMIT_MS }, () => {
    const files = join(work, 'app')
    if (!existsSync(files)) extractAll(join(resources, 'app.asar'), files)
    const specs = ['e2e/desktop-life.spec.ts', 'e2e/desktop-dropped-bundle.spec.ts']
    const args = ['test', '--config', 'e2e/gate.config.ts', '--workers=2', ...specs]
    const env = { ...process.env, PATCHBAY_OUT_DIR: join(files, 'out') }
    const playwright = join(ROOT, 'node_modules/@playwright/test/cli.js')
    const { status, stdout } = spawnSync(process.execPath, [playwright, ...args], {
      ...{ cwd: ROOT, env, encoding: 'utf8' },
    })
    expect(status, stdout).toBe(0)
    expect(stdout).toMatch(/\d+ passed/)
    expect(stdout).not.toMatch(/\d+ (?:failed|skipped)/)
  })
})
