import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

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

class App extends EventEmitter {
  name = manifest.productName ?? manifest.name
  isPackaged = false
  commandLine = strict('app.commandLine', {
    getSwitchValue: switchValue,
    hasSwitch: (name) => switchValue(name) !== '',
    appendSwitch() {},
  })
  #windows
  #ready = false
  #quitting = false
  #exiting = false
  #whenReady

  /** `windows` is the set of open windows, shared with BrowserWindow. */
  constructor(windows) {
    super()
    this.#windows = windows
    // As in Electron, ready comes only after the entry module has been evaluated.
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
    const known = { userData, sessionData: userData, temp: tmpdir(), home: homedir() }
    if (name in known) return known[name]
    throw new Error(`electron double: app.getPath('${name}') is not modelled`)
  }
  focus() {}
  setAsDefaultProtocolClient() {
    return true
  }
  setAppUserModelId() {}

  /** Modelled with a lock file that holds the pid; a second process knocks with a signal. */
  requestSingleInstanceLock() {
    const holder = lockHolder()
    if (holder !== undefined) {
      process.kill(holder, 'SIGUSR2')
      return false
    }
    writeFileSync(lockFile, String(process.pid))
    process.on('SIGUSR2', () => this.emit('second-instance', cancellable(), [], process.cwd()))
    process.once('exit', () => rmSync(lockFile, { force: true }))
    return true
  }

  quit() {
    if (this.#quitting) return
    this.#quitting = true
    this.#quitting = this.#tryQuit()
  }

  #tryQuit() {
    const before = cancellable()
    this.emit('before-quit', before)
    if (before.defaultPrevented) return false
    for (const window of [...this.#windows]) {
      window.close()
      if (!window.isDestroyed()) return false
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
    pid = Number(readFileSync(lockFile, 'utf8'))
    process.kill(pid, 0)
  } catch {
    // No lock, or one that a dead process left.
    return undefined
  }
  return pid
}

/** Every open BrowserWindow. */
export const windows = new Set()
export const app = new App(windows)
