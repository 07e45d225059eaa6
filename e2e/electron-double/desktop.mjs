import { EventEmitter } from 'node:events'

import { strict } from './strict.mjs'

/** The roles of electron.d.ts that the app uses; any other throws, like a misspelled one in Electron. */
const ROLES = new Set(
  (
    'appMenu editMenu windowMenu about services hide hideOthers unhide quit undo redo cut copy paste pasteAndMatchStyle ' +
    'delete selectAll resetZoom zoomIn zoomOut togglefullscreen minimize close zoom front toggleDevTools reload forceReload help'
  ).split(' '),
)
const TYPES = new Set(['normal', 'separator', 'submenu', 'checkbox', 'radio'])

class MenuItem {
  constructor(options) {
    const { role, type, label, submenu } = options
    if (role !== undefined && !ROLES.has(role)) throw new Error(`electron double: no role ${role}`)
    if (type !== undefined && !TYPES.has(type)) throw new Error(`Unknown menu item type: ${type}`)
    if (role === undefined && type !== 'separator' && label === undefined) {
      throw new Error('A menu item needs a label, a role or a type')
    }
    Object.assign(this, { enabled: true, visible: true, ...options })
    if (submenu) this.submenu = Menu.buildFromTemplate(submenu)
  }
}

export class Menu extends EventEmitter {
  static #application = null

  static buildFromTemplate(template) {
    const menu = new Menu()
    menu.items = template.map((options) => new MenuItem(options))
    return menu
  }
  static setApplicationMenu(menu) {
    Menu.#application = menu
  }
  static getApplicationMenu() {
    return Menu.#application
  }

  items = []
  popup() {}
}

class NativeImage {
  isTemplate = false
  constructor(path = '') {
    this.path = path
  }
  isEmpty() {
    return this.path === ''
  }
  setTemplateImage(isTemplate) {
    this.isTemplate = isTemplate
  }
}

export const nativeImage = strict('nativeImage', {
  createEmpty: () => new NativeImage(),
  createFromPath: (path) => new NativeImage(path),
})

export class Tray extends EventEmitter {
  #isDestroyed = false

  constructor(image) {
    super()
    if (image.isEmpty()) throw new Error('electron double: a tray item without an image')
  }
  setToolTip() {}
  setTitle() {}
  setContextMenu() {}
  isDestroyed() {
    return this.#isDestroyed
  }
  destroy() {
    this.#isDestroyed = true
  }
}

/** Not shown anywhere. */
export class Notification extends EventEmitter {
  static isSupported() {
    return true
  }

  constructor({ title, body }) {
    super()
    Object.assign(this, { title, body })
  }
  show() {
    this.emit('show')
  }
  close() {
    this.emit('close')
  }
}

export const powerMonitor = new EventEmitter()

export const autoUpdater = new EventEmitter()
