import { describe, expect, it } from 'vitest'

import { drainLines } from '../../lines/line-reader'
import { spawnChild } from '../../process/spawn/child-process'
import { childEnvironment, pathOf, withheldNames } from './command-finder'

const linux = { platform: 'linux' } as const

describe("A7: a server's environment", () => {
  it('has what programs need, and no token of another program', () => {
    const needed = {
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      XDG_CURRENT_DESKTOP: 'GNOME',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
      SSL_CERT_DIR: '/certs',
      DOCKER_HOST: 'unix:///run/docker.sock',
      https_proxy: 'http://127.0.0.1:1',
      HTTPS_PROXY: 'http://127.0.0.1:2',
      'ProgramFiles(x86)': 'C:\\Programs',
    }
    const secret = {
      AWS_SECRET_ACCESS_KEY: 'x',
      GITHUB_TOKEN: 'x',
      DOCKER_PASSWORD: 'x',
      DOCKER_AUTH_CONFIG: 'x',
      NPM_TOKEN: 'x',
      PROGRAMMER_KEY: 'x',
    }
    expect(childEnvironment({ ...linux, own: { ...needed, ...secret } }, {})).toEqual(needed)
  })

  it('names omitted variables, except those of shells and wrappers', () => {
    const kept = { PATH: '/bin', HOME: '/h', https_proxy: 'http://a.example' }
    const own = { ...kept, PWD: '/h', SHLVL: '1', npm_config_x: '1', ELECTRON_RUN_AS_NODE: '1' }
    const held = { OPENAI_API_KEY: 'x', EDITOR: 'vi', UV_INDEX: 'https://a:b@c.example' }
    expect(withheldNames({ ...own, ...held }, 'linux')).toEqual(Object.keys(held).toSorted())
  })

  it("has the network's variables over inherited ones, and the plan's over both in either case", () => {
    const own = { https_proxy: 'http://old.example', ALL_PROXY: 'socks5://old.example' }
    const network = {
      ...{ HTTPS_PROXY: 'http://a.example', https_proxy: 'http://a.example' },
      ...{ SSL_CERT_FILE: '/trusted.pem', ALL_PROXY: undefined, all_proxy: undefined },
    }
    expect(childEnvironment({ ...linux, own, network }, {})).toEqual({
      ...{ HTTPS_PROXY: 'http://a.example', https_proxy: 'http://a.example' },
      SSL_CERT_FILE: '/trusted.pem',
    })
    const planned = { https_proxy: 'http://own.example', SSL_CERT_FILE: '/own.pem' }
    expect(childEnvironment({ ...linux, own, network }, planned)).toEqual(planned)
    const windows = childEnvironment({ platform: 'win32', own, network }, {})
    expect(windows).toEqual({ https_proxy: 'http://a.example', SSL_CERT_FILE: '/trusted.pem' })
  })

  it('has nothing of a wrapper that runs Patchbay, except what the plan sets (E12)', () => {
    const own = {
      APPDIR: '/tmp/.mount_x',
      PATH: '/tmp/.mount_x/usr/bin:/bin',
      XDG_DATA_DIRS: '/tmp/.mount_x/usr/share:/usr/share',
      XDG_CONFIG_DIRS: '/tmp/.mount_x/etc/xdg',
      XDG_CURRENT_DESKTOP: 'Unity',
      ORIGINAL_XDG_CURRENT_DESKTOP: 'KDE',
      SSL_CERT_FILE: '/tmp/.mount_x/cert.pem',
    }
    const clean = { PATH: '/bin', XDG_DATA_DIRS: '/usr/share', XDG_CURRENT_DESKTOP: 'KDE' }
    expect(childEnvironment({ ...linux, own }, {})).toEqual(clean)
    const planned = {
      APPDIR: '/srv',
      ELECTRON_RUN_AS_NODE: '1',
      XDG_DATA_DIRS: '/tmp/.mount_x/own',
    }
    expect(childEnvironment({ ...linux, own }, planned)).toEqual({ ...clean, ...planned })
  })

  it('reaches a real child without any token that Patchbay was started with (CVE-2026-40159)', async () => {
    process.env.PATCHBAY_TEST_TOKEN = 'seen-by-nobody'
    try {
      const env = childEnvironment(
        { own: process.env, platform: process.platform },
        { DECLARED: 'by the entry' },
      )
      const code = 'console.log(JSON.stringify(process.env))'
      const child = await spawnChild(
        { command: process.execPath, args: ['-e', code], env },
        () => undefined,
      )
      const lines: string[] = []
      await drainLines(child.stdout, (line) => lines.push(line))
      const seen = JSON.parse(lines.join('')) as Record<string, string>
      expect(seen.DECLARED).toBe('by the entry')
      expect(seen.PATH).toBe(env.PATH)
      expect(JSON.stringify(seen)).not.toContain('seen-by-nobody')
    } finally {
      delete process.env.PATCHBAY_TEST_TOKEN
    }
  })

  it('includes agent sockets, CA bundles, homes of tools and package indexes', () => {
    const own = {
      SSH_AUTH_SOCK: '/run/agent',
      GNUPGHOME: '/keys',
      REQUESTS_CA_BUNDLE: '/ca.pem',
      KUBECONFIG: '/kube',
      JAVA_HOME: '/java',
      UV_INDEX: 'corp=https://index.example/simple',
      PIP_EXTRA_INDEX_URL: 'https://index.example/a b',
    }
    expect(childEnvironment({ ...linux, own }, {})).toEqual(own)
  })

  it.each([
    ['UV_INDEX', 'corp=https://me:secret@index.example/simple'],
    ['UV_EXTRA_INDEX_URL', 'https://a.example/ https://token@b.example/'],
    ['PIP_INDEX_URL', 'https://token@index.example/simple'],
  ])('omits %s if its address has a user or a password', (name, value) => {
    expect(childEnvironment({ ...linux, own: { [name]: value } }, {})).toEqual({})
  })

  it.each(['linux', 'darwin', 'win32'] as const)(
    'loses every inherited spelling of a planned variable, even an empty one, on %s',
    (platform) => {
      const own = { no_proxy: '[::1]', https_proxy: 'http://a.example', HTTPS_PROXY: 'http://b' }
      const planned = { HTTPS_PROXY: '', NO_PROXY: '' }
      expect(childEnvironment({ platform, own }, planned)).toEqual(planned)
    },
  )

  it('keeps PATH if the plan sets a variable "path" on a case-sensitive system', () => {
    const env = childEnvironment({ ...linux, own: { PATH: '/bin' } }, { path: 'notes' })
    expect(env).toEqual({ PATH: '/bin', path: 'notes' })
  })

  it("uses the plan's values over its own", () => {
    const env = childEnvironment({ ...linux, own: { HOME: '/h' } }, { HOME: '/other', KEY: 'k' })
    expect(env).toEqual({ HOME: '/other', KEY: 'k' })
  })

  it("has the runner's folder and the login shell's first, each once", () => {
    const env = childEnvironment(
      {
        ...linux,
        own: { PATH: '/bin:/usr/bin' },
        shell: { PATH: '/opt/node/bin:/usr/bin' },
        folders: ['/set'],
      },
      {},
    )
    expect(env.PATH).toBe('/set:/opt/node/bin:/usr/bin:/bin')
    const fromShell = { ...linux, own: { PATH: '/mine:/bin' }, shell: { PATH: '/login:/bin' } }
    expect(childEnvironment({ ...fromShell, isFromShell: true }, {}).PATH).toBe('/mine:/bin:/login')
  })

  it('has one spelling of a name on Windows, where names are case-insensitive', () => {
    const own = { Path: 'C:\\Windows', Temp: 'C:\\Temp' }
    const env = childEnvironment(
      { own, platform: 'win32', folders: ['C:\\node'] },
      { TEMP: 'D:\\Temp' },
    )
    expect(env).toEqual({ PATH: 'C:\\node;C:\\Windows', TEMP: 'D:\\Temp' })
    expect(pathOf({ Path: 'C:\\Windows' })).toBe('C:\\Windows')
  })
})
