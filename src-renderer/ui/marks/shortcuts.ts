import {
  Activity,
  AppWindow,
  House,
  Library,
  type LucideIcon,
  Server,
  Settings,
  Wrench,
} from 'lucide-react'

/** Action of a shortcut. */
export type ShortcutId =
  | PlaceId
  | 'palette'
  | 'shortcuts'
  | 'search'
  | 'find'
  | 'up'
  | 'messages'
  | 'back'
  | 'forward'
  | 'run'
  | 'restart'
  | 'log'

/** Keys of a shortcut. `mod` is Cmd on a Mac and Ctrl elsewhere; `after` is a key that is pressed before it. */
type Press = {
  readonly key: string
  readonly mod?: true
  readonly shift?: true
  readonly alt?: true
  readonly after?: 'g'
}

/** A row of the list of shortcuts. */
export type Shortcut = {
  readonly id: ShortcutId
  readonly title: string
  readonly group: 'Anywhere' | 'Go to' | 'On a server’s page'
  readonly press: Press
}

type PlaceId = 'home' | 'catalog' | 'servers' | 'tools' | 'apps' | 'activity' | 'settings'

/** A destination of the sidebar, the palette and a key. */
export type Place = {
  readonly title: string
  readonly to: string
  readonly icon: LucideIcon
  readonly press: Press
}

/** All destinations, in the order of the sidebar. */
export const PLACES: Readonly<Record<PlaceId, Place>> = {
  home: { title: 'Home', to: '/', icon: House, press: { key: 'h', after: 'g' } },
  catalog: { title: 'Catalog', to: '/catalog', icon: Library, press: { key: 'c', after: 'g' } },
  servers: { title: 'Servers', to: '/servers', icon: Server, press: { key: 's', after: 'g' } },
  tools: { title: 'Tools', to: '/tools', icon: Wrench, press: { key: 't', after: 'g' } },
  apps: { title: 'Apps', to: '/apps', icon: AppWindow, press: { key: 'a', after: 'g' } },
  activity: { title: 'Activity', to: '/activity', icon: Activity, press: { key: 'y', after: 'g' } },
  settings: { title: 'Settings', to: '/settings', icon: Settings, press: { key: ',', mod: true } },
}
/** Ids of the destinations. */
export const PLACE_IDS = Object.keys(PLACES) as PlaceId[]

/** Every shortcut of the app, in order. Keys of browsers are not used. */
export const SHORTCUTS: readonly Shortcut[] = [
  ...grouped('Anywhere', [
    { id: 'palette', title: 'Search or run a command', press: { key: 'k', mod: true } },
    { id: 'shortcuts', title: 'Show keyboard shortcuts', press: { key: '?' } },
    { id: 'search', title: 'Search this page', press: { key: '/' } },
    { id: 'find', title: 'Find on this page', press: { key: 'f', mod: true } },
    { id: 'up', title: 'Go up or close', press: { key: 'Escape' } },
    { id: 'messages', title: 'Go to newest notification', press: { key: 'F8' } },
    { id: 'back', title: 'Back', press: { key: 'ArrowLeft', alt: true } },
    { id: 'forward', title: 'Forward', press: { key: 'ArrowRight', alt: true } },
  ]),
  ...grouped(
    'Go to',
    PLACE_IDS.map((id) => ({ id, ...PLACES[id] })),
  ),
  ...grouped('On a server’s page', [
    { id: 'run', title: 'Start or stop server', press: { key: 's', shift: true } },
    { id: 'restart', title: 'Restart server', press: { key: 'r', shift: true } },
    { id: 'log', title: 'Open log', press: { key: 'l', after: 'g' } },
  ]),
]

function grouped(
  group: Shortcut['group'],
  all: readonly Omit<Shortcut, 'group'>[],
): readonly Shortcut[] {
  return all.map(({ id, title, press }) => ({ id, title, group, press }))
}

/** Whether a shortcut is a single letter or sign, which speech input or a slip can trigger by mistake (WCAG 2.1.4). */
export function isSingleKey({ press: { key, mod, alt } }: Shortcut): boolean {
  return mod === undefined && alt === undefined && key.length === 1
}

/** The part of a key event that identifies a shortcut. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

function isModified({ ctrlKey, metaKey }: KeyPress, isMac: boolean): boolean {
  return isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
}

function fits(press: Press, event: KeyPress, isAfterG: boolean, isMac: boolean): boolean {
  if (event.altKey !== (press.alt ?? false)) return false
  if (event.key.toLowerCase() !== press.key.toLowerCase()) return false
  if (press.mod) return isModified(event, isMac)
  if (event.ctrlKey || event.metaKey) return false
  // Signs such as ? need Shift on some keyboards only; for letters Shift matters.
  const isLetter = /^[a-z]$/iu.test(press.key)
  if (isLetter && event.shiftKey !== (press.shift ?? false)) return false
  return (press.after === 'g') === isAfterG
}

/** Returns the shortcut of a key event; `isAfterG`: G was pressed just before. */
export function shortcutOf(
  event: KeyPress,
  { isAfterG, isMac }: { readonly isAfterG: boolean; readonly isMac: boolean },
): Shortcut | undefined {
  return SHORTCUTS.find(({ press }) => fits(press, event, isAfterG, isMac))
}

/** Separates two keys that are pressed one after the other. */
export const THEN = 'then'

const CAP: Readonly<Record<string, string>> = { Escape: 'Esc', ArrowLeft: '←', ArrowRight: '→' }

/** Returns the keys of a shortcut as printed on a keyboard. */
export function capsOf({ key, mod, shift, alt, after }: Press, isMac: boolean): readonly string[] {
  const cap = CAP[key] ?? key.toUpperCase()
  return [
    ...(after ? [after.toUpperCase(), THEN] : []),
    ...(mod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [isMac ? '⌥' : 'Alt'] : []),
    ...(shift ? [isMac ? '⇧' : 'Shift'] : []),
    cap,
  ]
}

/** Returns the keys of one shortcut. */
export function capsFor(id: ShortcutId, isMac: boolean): readonly string[] {
  const found = SHORTCUTS.find((shortcut) => shortcut.id === id)
  return found ? capsOf(found.press, isMac) : []
}

/** Returns the value for `aria-keyshortcuts`. */
export function ariaKeys(id: ShortcutId, isMac: boolean): string | undefined {
  const press = SHORTCUTS.find((shortcut) => shortcut.id === id)?.press
  if (!press || press.after) return undefined
  const mod = press.mod ? [isMac ? 'Meta' : 'Control'] : []
  return [...mod, ...(press.shift ? ['Shift'] : []), press.key.toUpperCase()].join('+')
}

/** Whether the current keyboard is a Mac's. */
export function isMacKeyboard(): boolean {
  return /mac/iu.test(navigator.userAgent)
}

/** Inputs without text, on which letters and signs mean nothing. */
const TEXTLESS = '[type="checkbox"], [type="radio"], [type="button"], [type="range"]'

/** Whether an element accepts typed text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !target.matches(TEXTLESS)
}
