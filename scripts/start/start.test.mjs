import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'

const SCRIPTS = join(import.meta.dirname, '..')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const canBeRoot = isRoot || spawnSync('unshare', ['-r', 'true']).status === 0
const ENOUGH_MS = 60_000

/** Records its arguments and relevant environment, then runs these lines. */
const electronThat = (ending) => `#!/bin/sh
printf '%s\\n' "$@" "as-node:\${ELECTRON_RUN_AS_NODE:-}" "options:\${NODE_OPTIONS:-}" > "$(dirname "$0")/../../../electron-ran"
echo 'Electron runs'
${ending}
`

/** Node where another account can run it: the project's folder may be private. */
const programs = mkdtempSync(join(tmpdir(), 'patchbay-node-'))
chmodSync(programs, 0o755)
const NODE = join(programs, 'node')
try {
  linkSync(realpathSync(process.execPath), NODE)
} catch {
  // Another file system.
  copyFileSync(realpathSync(process.execPath), NODE)
  chmodSync(NODE, 0o755)
}
afterAll(() => rmSync(programs, { recursive: true, force: true }))

let root
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'patchbay-start-')))
  // Electron's test account has to read it too.
  chmodSync(root, 0o777)
  cpSync(join(SCRIPTS, 'start.mjs'), join(root, 'scripts', 'start.mjs'), { recursive: true })
  cpSync(join(SCRIPTS, 'toolchain.mjs'), join(root, 'scripts', 'toolchain.mjs'))
  cpSync(join(SCRIPTS, 'start'), join(root, 'scripts', 'start'), { recursive: true })
  plant('package.json', '{ "type": "module" }')
  plant('package-lock.json', '{}')
  plant('node_modules/.package-lock.json', '{}')
  program('node_modules/.bin/electron-vite', '#!/bin/sh\nexit 0\n')
  symlinkSync(NODE, join(root, 'node_modules', '.bin', 'node'))
  plant(
    'out/main/cli.js',
    `const { ELECTRON_RUN_AS_NODE = '', NODE_OPTIONS = '' } = process.env
    console.log('served ' + [...process.argv.slice(2), ELECTRON_RUN_AS_NODE, NODE_OPTIONS].join(' ').trim())`,
  )
  plant('node_modules/electron/package.json', '{ "type": "commonjs" }')
  plantElectron('exit 0')
  program('tools/unshare', '#!/bin/sh\nexit 0\n')
  program('tools/ldd', '#!/bin/sh\nexit 0\n')
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

function plant(name, text) {
  const file = join(root, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  return file
}

function program(name, text) {
  chmodSync(plant(name, text), 0o755)
}

function plantElectron(ending) {
  plant('node_modules/electron/path.txt', 'electron')
  program('node_modules/electron/dist/electron', electronThat(ending))
}

/** Runs the script as an ordinary account on a desktop, or as specified. */
function begin(args = [], { env = {}, asRoot = false } = {}) {
  const command = [NODE, join(root, 'scripts', 'start.mjs'), ...args]
  const [file, ...rest] = asRoot && !isRoot ? ['unshare', '-r', ...command] : command
  const child = spawn(file, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && !asRoot && { uid: NOBODY, gid: NOBODY }),
    env: { PATH: `${join(root, 'tools')}:/usr/bin:/bin`, HOME: root, DISPLAY: ':9', ...env },
  })
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said.text += text))
  return { child, said }
}

async function start(...options) {
  const { child, said } = begin(...options)
  const [code] = await once(child, 'close')
  const lines = said.text.split('\n').filter((line) => line !== '' && line !== 'Building')
  return { code, lines }
}

const electronRan = () => {
  const file = join(root, 'electron-ran')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : undefined
}
const inBrowser = (reason, ...served) => [
  `Patchbay opens in the browser, as ${reason}.`,
  ['served serve', ...served].join(' '),
]

describe.skipIf(process.platform !== 'linux')('D1: npm start', () => {
  it('opens Electron with its arguments, without variables that turn it into Node', async () => {
    const env = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--no-warnings' }
    const { code, lines } = await start(['patchbay://install?x=1'], { env })
    expect([code, lines]).toEqual([0, ['Electron runs']])
    expect(electronRan()).toEqual([root, 'patchbay://install?x=1', 'as-node:', 'options:'])
  })

  it('opens the browser without a display, with its arguments', async () => {
    const env = { DISPLAY: '', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--no-warnings' }
    const { code, lines } = await start(['--port', '4000', '--no-open'], { env })
    expect([code, lines]).toEqual([
      0,
      inBrowser('this session has no display', '--port 4000 --no-open'),
    ])
    expect(electronRan()).toBeUndefined()
  })

  it('opens Electron on a Wayland display', async () => {
    await start([], { env: { DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' } })
    expect(electronRan()).toBeDefined()
  })

  it.skipIf(!canBeRoot)('opens the browser for root', async () => {
    const { lines } = await start([], { asRoot: true })
    expect(lines).toEqual(inBrowser('Electron does not run as root'))
    expect(electronRan()).toBeUndefined()
  })

  it('opens the browser if a library is missing, and names it', async () => {
    program(
      'tools/ldd',
      `#!/bin/sh\necho '\tlibnss3.so => not found'\necho '\tlibc.so.6 => /lib/libc.so.6'\n`,
    )
    const { lines } = await start()
    expect(lines).toEqual(inBrowser('Electron lacks libraries of this system (libnss3.so)'))
    expect(electronRan()).toBeUndefined()
  })

  it('opens the browser if the loader reports a missing library', async () => {
    const fault =
      'error while loading shared libraries: libgbm.so.1: cannot open shared object file'
    plantElectron(`echo 'electron: ${fault}' >&2\nexit 127`)
    const { lines } = await start()
    expect(lines).toEqual(
      expect.arrayContaining([
        `electron: ${fault}`,
        ...inBrowser('Electron lacks a library of this system'),
      ]),
    )
  })

  it('opens the browser if user namespaces are restricted, and never disables the sandbox itself', async () => {
    program('tools/unshare', '#!/bin/sh\nexit 1\n')
    const { lines } = await start()
    expect(lines).toEqual(
      inBrowser('this system allows Electron no sandbox (user namespaces are restricted)'),
    )
    expect(electronRan()).toBeUndefined()
    await start(['--no-sandbox'])
    expect(electronRan()?.slice(0, 2)).toEqual([root, '--no-sandbox'])
  })

  it.each([
    ['exit 7', 'Electron ended at its start with code 7'],
    ['kill -TRAP $$', 'Electron ended at its start with SIGTRAP'],
  ])('opens the browser if Electron exits at its start: %s', async (ending, reason) => {
    plantElectron(ending)
    const { code, lines } = await start(['--no-sandbox'])
    expect([code, lines]).toEqual([0, ['Electron runs', ...inBrowser(reason)]])
  })

  it("opens the browser if the runtime isn't a program for this system", async () => {
    program('node_modules/electron/dist/electron', '#!/no/such/interpreter\n')
    const { lines } = await start()
    expect(lines).toEqual(inBrowser('Electron could not be started (ENOENT)'))
  })

  it('exits with Electron on Ctrl-C, and opens no browser then', async () => {
    plantElectron('exec sleep 60')
    const { child, said } = begin()
    await expect.poll(() => said.text, { timeout: ENOUGH_MS }).toContain('Electron runs')
    child.kill('SIGINT')
    await once(child, 'close')
    expect(said.text).not.toContain('browser')
  })

  it("opens the browser if the runtime can't be downloaded, with the reason in one line", async () => {
    rmSync(join(root, 'node_modules/electron/path.txt'))
    plant(
      'node_modules/electron/install.js',
      `console.error(new Error('getaddrinfo ENOTFOUND mirror.example').stack); process.exit(1)`,
    )
    const { lines } = await start()
    const reason =
      'the Electron runtime could not be fetched (getaddrinfo ENOTFOUND mirror.example)'
    expect(lines).toEqual(['Fetching the Electron runtime', ...inBrowser(reason)])
  })

  it("shows the runtime's download progress, then opens it", async () => {
    const body = Buffer.alloc(3_000_000)
    const peer = createServer((_, response) => {
      response.writeHead(200, { 'content-length': String(body.length) }).end(body)
    }).listen(0, '127.0.0.1')
    await once(peer, 'listening')
    try {
      rmSync(join(root, 'node_modules/electron/path.txt'))
      chmodSync(join(root, 'node_modules/electron'), 0o777)
      const address = `http://127.0.0.1:${String(peer.address().port)}/`
      plant(
        'node_modules/electron/install.js',
        `fetch('${address}').then((response) => response.arrayBuffer()).then((data) => {
          if (data.byteLength !== ${String(body.length)}) throw new Error('It is cut off.')
          require('node:fs').writeFileSync(__dirname + '/path.txt', 'electron')
        })`,
      )
      const { lines } = await start()
      expect(lines[0]).toBe('Fetching the Electron runtime')
      expect(lines.slice(-2)).toEqual(['100% of 3 MB', 'Electron runs'])
    } finally {
      peer.close()
    }
  })

  it('downloads nothing if no window could open', async () => {
    rmSync(join(root, 'node_modules/electron/path.txt'))
    plant('node_modules/electron/install.js', `console.log('fetched')`)
    const { lines } = await start([], { env: { DISPLAY: '' } })
    expect(lines).toEqual(inBrowser('this session has no display'))
  })
})
