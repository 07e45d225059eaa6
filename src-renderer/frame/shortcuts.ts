import { useRef } from 'react'

import type { ServerView } from '../../src-shared/domain/state/app-state'
import { runActions } from '../components/server/actions'
import { appStore } from '../stores/app-store'
import { type Overlay, showOverlay } from '../stores/palette-store'
import { isDialogOpen } from '../ui/focus/restore-focus'
import { useWindowKeys } from '../ui/focus/use-window-keys'
import {
  isMacKeyboard,
  isSingleKey,
  isTyping,
  PLACE_IDS,
  PLACES,
  type Shortcut,
  type ShortcutId,
  shortcutOf,
} from '../ui/marks/shortcuts'
import { navigate, parseHash } from './hash-route'

const TRIED_AT: Readonly<Record<string, string>> = {
  resource: 'resources',
  template: 'resources',
  prompt: 'prompts',
}

function listOfTried(path: string): string | null {
  const [, server, kind = ''] = /^(\/servers\/[^/]+)\/try\/(\w+)\/./.exec(path) ?? []
  return server === undefined ? null : `${server}/${TRIED_AT[kind] ?? 'tools'}`
}

/** Returns the parent of a path; none for the form of an existing server. A form with unsaved changes asks before it closes. */
export function placeAbove(path: string): string | null {
  if (/^\/servers\/[^/]+\/configure$/.test(path)) return null
  if (/^\/apps\/./.test(path)) return '/apps'
  if (/^\/(setup\/.|import$)/.test(path)) return '/catalog'
  const reviewed = /^(\/servers\/[^/]+)\/review$/.exec(path)?.[1]
  if (reviewed !== undefined) return `${reviewed}/tools`
  const list = listOfTried(path)
  if (list !== null) return list
  if (/^\/servers\/[^/]+(\/[^/]+)?$/.test(path)) return '/servers'
  return PLACE_IDS.some((id) => id !== 'home' && PLACES[id].to === path) ? '/' : null
}

/** How long G waits for the next key, in ms. */
const AFTER_G_MS = 1_500

function currentServer(): ServerView | undefined {
  const { path } = parseHash(window.location.hash)
  const id = /^\/servers\/([^/]+)/.exec(path)?.[1]
  return appStore.getState().app?.servers.find(({ installationId }) => installationId === id)
}

/** Focuses the page's own search if it has one, because a list renders only visible rows. */
export function searchPage(): boolean {
  const search = document.querySelector<HTMLInputElement>('[data-page-search]')
  search?.focus()
  search?.select()
  return search !== null
}

function goUp(): boolean {
  const above = placeAbove(parseHash(window.location.hash).path)
  if (above !== null) navigate(above)
  return above !== null
}

function runOnServer(id: ShortcutId): boolean {
  const server = currentServer()
  if (!server) return false
  if (id === 'log') navigate(`/servers/${server.installationId}/log`)
  else {
    const actions = runActions(server)
    const action = actions.findLast(({ shortcut }) => shortcut === id) ?? actions[0]
    action?.run({ navigate, onRemove: () => undefined })
  }
  return true
}

function show(overlay: Overlay): () => boolean {
  return () => {
    showOverlay(overlay)
    return true
  }
}

/** Action of each shortcut; returns false if it does not apply here. */
const ACTS: Readonly<Record<Exclude<ShortcutId, keyof typeof PLACES>, () => boolean>> = {
  palette: show('palette'),
  shortcuts: show('shortcuts'),
  search: searchPage,
  up: goUp,
  // The message list and the find bar have their own listeners.
  messages: () => false,
  find: () => false,
  back: () => {
    window.history.back()
    return true
  },
  forward: () => {
    window.history.forward()
    return true
  },
  run: () => runOnServer('run'),
  restart: () => runOnServer('restart'),
  log: () => runOnServer('log'),
}

function act(id: ShortcutId): boolean {
  if (!(id in PLACES)) return ACTS[id as keyof typeof ACTS]()
  navigate(PLACES[id as keyof typeof PLACES].to)
  return true
}

/** Whether to ignore a key: a dialog is open, single keys are disabled, or the key is part of typed text. */
function isBlocked({ target }: KeyboardEvent, shortcut: Shortcut): boolean {
  if (isDialogOpen()) return true
  if (isSingleKey(shortcut) && appStore.getState().app?.settings.singleKeys === false) return true
  return shortcut.press.mod === undefined && isTyping(target)
}

/** Handles the keys of the whole window; see `SHORTCUTS`. */
export function useShortcuts(): void {
  const gAt = useRef(-Infinity)
  useWindowKeys((event) => {
    if (event.defaultPrevented || event.isComposing) return
    const isMac = isMacKeyboard()
    const isAfterG = performance.now() - gAt.current < AFTER_G_MS
    gAt.current = -Infinity
    const shortcut =
      shortcutOf(event, { isAfterG, isMac }) ?? shortcutOf(event, { isAfterG: false, isMac })
    if (shortcut && !isBlocked(event, shortcut)) {
      if (act(shortcut.id)) event.preventDefault()
    } else if (isPlainG(event) && !isTyping(event.target)) gAt.current = performance.now()
  })
}

function isPlainG({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'g' && !ctrlKey && !metaKey && !altKey && !shiftKey
}
