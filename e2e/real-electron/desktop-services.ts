import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { expect } from '@playwright/test'

/** The used parts of dbus-next, which is installed next to Electron, not with the project. */
type Message = {
  readonly interface: string
  readonly member: string
  readonly path: string
  readonly sender: string
  readonly signature: string
  readonly body: readonly unknown[]
}
type Bus = {
  requestName(name: string, flags: number): Promise<number>
  releaseName(name: string): Promise<number>
  addMethodHandler(handler: (message: Message) => boolean): void
  call(message: unknown): Promise<Message>
  send(message: unknown): void
  disconnect(): void
}
type Variant = { readonly value: unknown }
type Library = {
  sessionBus(): Bus
  Variant: new (signature: string, value: unknown) => Variant
  Message: {
    new (fields: object): object
    newMethodReturn(to: Message, signature?: string, body?: unknown[]): object
    newError(to: Message, name: string, text: string): object
    newSignal(path: string, face: string, name: string, signature: string, body: unknown[]): object
  }
}

/** A menu item over D-Bus: its number, properties and items. */
type MenuLayout = [number, Record<string, Variant>, readonly { readonly value: MenuLayout }[]]

type Shown = { readonly id: number; readonly title: string; readonly body: string }

const NOTIFICATIONS = 'org.freedesktop.Notifications'
const WATCHER = 'org.kde.StatusNotifierWatcher'
const KEYCHAIN = 'org.freedesktop.secrets'
const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** Starts a desktop program; the returned function ends it. */
function started(program: string, args: readonly string[]): () => void {
  const child = spawn(program, args, { stdio: 'ignore' })
  child.once('error', (error) =>
    process.stderr.write(`${program} can’t be started: ${error.message}\n`),
  )
  return () => child.kill()
}

function textOf(variant: Variant | undefined): string {
  return typeof variant?.value === 'string' ? variant.value : ''
}

/** Desktop services on the session bus: tray items, notifications, and a keychain that never answers on request. */
export class DesktopServices {
  readonly notifications: Shown[] = []
  readonly #library: Library
  readonly #bus: Bus
  #items: string[] = []
  #lastId = 0

  private constructor(library: Library) {
    this.#library = library
    this.#bus = library.sessionBus()
    this.#bus.addMethodHandler((message) => this.#handle(message))
  }

  static async open(): Promise<DesktopServices> {
    const folder = process.env.PATCHBAY_REAL_ELECTRON ?? ''
    const require = createRequire(join(folder, 'packages/package.json'))
    const services = new DesktopServices(require('dbus-next') as Library)
    for (const name of [NOTIFICATIONS, WATCHER]) await services.#bus.requestName(name, 0)
    return services
  }

  /** Clicks the newest notification. */
  clickNotification(): void {
    const { id } = this.notifications.at(-1) ?? { id: 0 }
    const signal = this.#library.Message.newSignal.bind(this.#library.Message)
    const path = '/org/freedesktop/Notifications'
    this.#bus.send(signal(path, NOTIFICATIONS, 'ActionInvoked', 'us', [id, 'default']))
    this.#bus.send(signal(path, NOTIFICATIONS, 'NotificationClosed', 'uu', [id, 2]))
  }

  /** Labels of the newest tray item's menu, without submenus. */
  async trayLabels(): Promise<string[]> {
    const items = await this.#trayItems()
    return items.map(({ label }) => label).filter((label) => label !== '')
  }

  /** Clicks an item of the tray menu. */
  async chooseInTray(label: string): Promise<void> {
    const item = (await this.#trayItems()).find((one) => one.label === label)
    if (!item) throw new Error(`The tray has no item ${label}.`)
    const none = new this.#library.Variant('s', '')
    await this.#callMenu('Event', 'isvu', [item.id, 'clicked', none, 0])
  }

  /** Makes GTK draw the newest tray item's menu like a desktop, until the returned function is called. */
  async drawTrayMenu(): Promise<() => void> {
    const [name, path] = await this.#trayMenu()
    return started('/usr/bin/python3', [join(import.meta.dirname, 'draw-menu.py'), name, path])
  }

  /** Leaves notifications to a service that draws them, until the returned function is called. */
  async drawNotifications(): Promise<() => Promise<unknown>> {
    await this.#bus.releaseName(NOTIFICATIONS)
    const end = started('dunst', ['-conf', '/dev/null', '-geometry', '400x5-20+40'])
    // Notifications before the service runs are lost.
    const bus = 'org.freedesktop.DBus'
    const path = '/org/freedesktop/DBus'
    const isThere = async (): Promise<unknown> =>
      (await this.#call(bus, path, bus, 'NameHasOwner', 's', [NOTIFICATIONS])).body[0]
    await expect.poll(isThere).toBe(true)
    return () => {
      end()
      return this.#bus.requestName(NOTIFICATIONS, 0)
    }
  }

  /** Adds a keychain that accepts calls but never answers, until the returned function is called. */
  async holdKeychain(): Promise<() => Promise<unknown>> {
    await this.#bus.requestName(KEYCHAIN, 0)
    return () => this.#bus.releaseName(KEYCHAIN)
  }

  close(): void {
    this.#bus.disconnect()
  }

  async #trayItems(): Promise<{ id: number; label: string }[]> {
    const { body } = await this.#callMenu('GetLayout', 'iias', [0, -1, []])
    const [, , items] = body[1] as MenuLayout
    return items.map(({ value: [id, properties] }) => ({
      id,
      label: textOf(properties.label).replaceAll(/_(?!_)/gu, ''),
    }))
  }

  async #callMenu(member: string, signature: string, body: unknown[]): Promise<Message> {
    const [name, path] = await this.#trayMenu()
    return this.#call(name, path, 'com.canonical.dbusmenu', member, signature, body)
  }

  /** Name and path of the newest tray item's menu. */
  async #trayMenu(): Promise<[string, string]> {
    const item = this.#items.at(-1)
    if (item === undefined) throw new Error('There is no tray item.')
    const [name = '', path = ''] = item.split(' ')
    const request = ['org.kde.StatusNotifierItem', 'Menu']
    const { body } = await this.#call(name, path, PROPERTIES, 'Get', 'ss', request)
    return [name, String((body[0] as Variant).value)]
  }

  #call(
    destination: string,
    path: string,
    face: string,
    member: string,
    signature: string,
    body: unknown[],
  ): Promise<Message> {
    const fields = { destination, path, interface: face, member, signature, body }
    return this.#bus.call(new this.#library.Message(fields))
  }

  #handle(message: Message): boolean {
    const answer = (signature?: string, body?: unknown[]): boolean => {
      this.#bus.send(this.#library.Message.newMethodReturn(message, signature, body))
      return true
    }
    const { Variant } = this.#library
    switch (`${message.interface}.${message.member}`) {
      case `${NOTIFICATIONS}.GetCapabilities`:
        return answer('as', [['body', 'actions']])
      case `${NOTIFICATIONS}.GetServerInformation`:
        return answer('ssss', ['test', 'test', '1', '1.2'])
      case `${NOTIFICATIONS}.Notify`: {
        const [, , , title, body] = message.body
        this.#lastId += 1
        this.notifications.push({ id: this.#lastId, title: String(title), body: String(body) })
        return answer('u', [this.#lastId])
      }
      case `${NOTIFICATIONS}.CloseNotification`:
        return answer()
      case `${WATCHER}.RegisterStatusNotifierItem`: {
        const name = String(message.body[0])
        const isPath = name.startsWith('/')
        this.#items.push(
          `${isPath ? message.sender : name} ${isPath ? name : '/StatusNotifierItem'}`,
        )
        return answer()
      }
      case `${PROPERTIES}.Get`: {
        const isVersion = message.body[1] === 'ProtocolVersion'
        return answer('v', [isVersion ? new Variant('i', 0) : new Variant('b', true)])
      }
      default:
        // The keychain accepts the call, and never answers.
        return message.path.startsWith('/org/freedesktop/secrets')
    }
  }
}
