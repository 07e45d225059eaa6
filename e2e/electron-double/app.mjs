import { EventEmitter } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, hostname, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

import { closeChromium } from './chromium.mjs'
import { cancellable, strict } from './strict.mjs'

const manifest = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'))

const switchValue = (name) => {
  const prefix = `--${name}=`
  return process.argv.find((argument) => argument.startsWith(prefix))?.slice(prefix.length) ?? ''
}

const userData = resolve(switchValue('user-data-dir') || process.env.ED_USER_DATA || required())
mkdirSync(userData, { recursive: true })

function required() {
  throw new Error('electron double: set ED_USER_DATA to the profile folder')
}

const lockFile = join(userData, 'SingletonLock')
const argumentFile = join(userData, 'SingletonArguments')

class App extends EventEmitter {
  name = manifest.productName ?? manifest.name
  isPackaged = process.env.ED_PACKAGED === '1'
  commandLine = strict('app.commandLine', {
    getSwitchValue: switchValue,
    hasSwitch: (name) => switchValue(name) !== '',
    appendSwitch() {},
  })
  /** Exists on macOS only. */
  dock = undefined
  #paths = { userData, sessionData: userData, temp: tmpdir(), home: homedir(), downloads: tmpdir() }
  #loginItem = { openAtLogin: false, args: [] }
  #windows
  #ready = false
  #quitting = false
  #exiting = false
  #whenReady

  /** `windows` is the set of open windows, shared with BrowserWindow. */
  constructor(windows) {
    super()
    this.#windows = windows
    // As in Electron, ready comes only after the entry module was evaluated.
    this.#whenReady = new Promise((done) => {
      setTimeout(() => {
        this.#ready = true
        this.emit('ready')
        done()
      }, 0)
    })
  }

  whenReady() {
    return this.#whenReady
  }
  isReady() {
    return this.#ready
  }
  getName() {
    return this.name
  }
  getVersion() {
    return manifest.version
  }
  getAppPath() {
    return process.cwd()
  }
  getPath(name) {
    if (name in this.#paths) return this.#paths[name]
    throw new Error(`electron double: app.getPath('${name}') is not modelled`)
  }
  setPath(name, path) {
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`)
    this.#paths[name] = path
  }
  setAppLogsPath(path = join(userData, 'logs')) {
    mkdirSync(path, { recursive: true })
    this.setPath('logs', path)
  }
  focus() {}
  isDefaultProtocolClient() {
    return false
  }
  setAsDefaultProtocolClient() {
    return true
  }
  setAppUserModelId() {}
  setAboutPanelOptions() {}
  showAboutPanel() {}
  setBadgeCount() {
    return true
  }
  getLoginItemSettings() {
    return { ...this.#loginItem, wasOpenedAtLogin: false }
  }
  setLoginItemSettings(settings) {
    this.#loginItem = { openAtLogin: false, args: [], ...settings }
  }

  /** As in Electron, the lock is a link to HOST-PID without a target; a second process sends a signal. */
  requestSingleInstanceLock() {
    const holder = lockHolder()
    if (holder !== undefined) {
      writeFileSync(argumentFile, JSON.stringify(process.argv))
      process.kill(holder, 'SIGUSR2')
      return false
    }
    rmSync(lockFile, { force: true })
    symlinkSync(`${hostname()}-${process.pid}`, lockFile)
    process.on('SIGUSR2', () => {
      const given = JSON.parse(readFileSync(argumentFile, 'utf8'))
      // Electron inserts its own switches before the given ones.
      const argv = [given[0], '--allow-file-access-from-files', ...given.slice(1)]
      this.emit('second-instance', cancellable(), argv, process.cwd())
    })
    process.once('exit', () => rmSync(lockFile, { force: true }))
    return true
  }

  quit() {
    if (this.#quitting) return
    this.#quitting = true
    void this.#tryQuit().then((isQuitting) => {
      this.#quitting = isQuitting
    })
  }

  async #tryQuit() {
    const before = cancellable()
    this.emit('before-quit', before)
    if (before.defaultPrevented) return false
    for (const window of [...this.#windows]) {
      if (!(await window.tryClose())) return false
    }
    const will = cancellable()
    this.emit('will-quit', will)
    if (will.defaultPrevented) return false
    this.exit(0)
    return true
  }

  exit(code = 0) {
    if (this.#exiting) return
    this.#exiting = true
    this.#quitting = true
    this.emit('quit', cancellable(), code)
    void closeChromium().finally(() => process.exit(code))
  }

  /** Called by BrowserWindow when the last window is gone. */
  allWindowsClosed() {
    if (this.#quitting) return
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed')
    else this.quit()
  }
}

function lockHolder() {
  let pid
  try {
    pid = Number(readlinkSync(lockFile).split('-').at(-1))
    process.kill(pid, 0)
  } catch {
    // No lock, or one of a dead process.
    return undefined
  }
  return pid
}

/** All open BrowserWindows. */
export const windows = new Set()
export const app = new App(windows)
