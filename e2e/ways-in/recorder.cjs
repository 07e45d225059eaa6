// Runs in the main process before the app's first line, in Electron and in its double alike: what would leave the app is
// recorded instead of made, system dialogs are answered, and what the desktop shows is kept for a test to look at.
const { appendFileSync } = require('node:fs')
const processes = require('node:child_process')
const { syncBuiltinESMExports } = require('node:module')

const {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  Notification,
  shell,
  Tray,
} = require('electron')

const { PATCHBAY_RECORDED_CALLS: file, PATCHBAY_OWN_DIALOGS: ownDialogs } = process.env
delete process.env.PATCHBAY_RECORDED_CALLS
delete process.env.PATCHBAY_OWN_DIALOGS

const ANSWER_MS = 100

/** What a test looks at: the menu of the tray, the notifications that are shown, and the answers that dialogs get. */
const desktop = {
  trayMenu: undefined,
  notifications: [],
  badgeCount: 0,
  isFlashing: false,
  answers: {
    showOpenDialog: { canceled: true, filePaths: [] },
    showSaveDialog: { canceled: true, filePath: '' },
    showMessageBox: { response: 0, checkboxChecked: false },
    showErrorBox: undefined,
  },
}
globalThis.desktopRecord = desktop

function write(entry) {
  appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

function record(api, args) {
  write({ api, args })
}

process.on('exit', (exitCode) => write({ exitCode }))
for (const stream of [process.stdout, process.stderr])
  watch(stream, 'write', (chunk) => write({ text: String(chunk) }))

/** Puts a recording function in the place of one that leaves the app. */
function replace(target, name, member, answer) {
  target[member] = (...args) => {
    const plain = args.map((arg) => (arg instanceof BrowserWindow ? 'window' : arg))
    record(`${name}.${member}`, plain)
    return answer()
  }
}

/** Records the calls of a method, which does its work as before. */
function watch(target, member, see) {
  const original = target[member]
  target[member] = function (...args) {
    see.call(this, ...args)
    return original?.apply(this, args)
  }
}

for (const [member, answer] of Object.entries({ openExternal: undefined, openPath: '' }))
  replace(shell, 'shell', member, () => Promise.resolve(answer))
replace(shell, 'shell', 'showItemInFolder', () => undefined)
replace(clipboard, 'clipboard', 'writeText', () => Promise.resolve())
if (ownDialogs === undefined) {
  for (const member of Object.keys(desktop.answers))
    // Nobody answers at the moment at which a dialog opens, and Electron drops a close that is asked for then.
    replace(dialog, 'dialog', member, () =>
      member === 'showErrorBox'
        ? undefined
        : new Promise((done) => setTimeout(() => done(desktop.answers[member]), ANSWER_MS)),
    )
}

// On Linux a link goes past Electron, which hands on its own variables.
const { spawn } = processes
processes.spawn = (command, args, ...rest) => {
  if (command !== 'xdg-open') return spawn(command, args, ...rest)
  record('shell.openExternal', args)
  return spawn('true', [], ...rest)
}
syncBuiltinESMExports()

/** Calls `see` with each instance: its methods are its own in Electron, so that no prototype leads to them. */
function watchInstances({ prototype }, see) {
  const seen = new WeakSet()
  const { on } = prototype
  prototype.on = function (...args) {
    if (!seen.has(this)) see(this)
    seen.add(this)
    return on.apply(this, args)
  }
}

watchInstances(Tray, (tray) => {
  watch(tray, 'setContextMenu', (menu) => {
    desktop.trayMenu = menu
  })
})
watchInstances(Notification, (notification) => {
  const forget = () => {
    desktop.notifications = desktop.notifications.filter((one) => one !== notification)
  }
  watch(notification, 'show', () => {
    desktop.notifications.push(notification)
    record('notification.show', [notification.title, notification.body])
  })
  watch(notification, 'close', forget)
})
watch(BrowserWindow.prototype, 'flashFrame', (isOn) => {
  desktop.isFlashing = isOn
})
watch(app, 'setBadgeCount', (count) => {
  desktop.badgeCount = count
})
if (ownDialogs === undefined) {
  Menu.prototype.popup = function () {
    record('menu.popup', [this.items.map(({ role }) => role)])
  }
}
