import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { app } from 'electron'

import type { OpenedLink } from '../../src-shared/domain/state/opened-link'

const SCHEME = 'patchbay'
const LINK = /^patchbay:/iu

const BUNDLE = /^(?!-|file:\/\/[^/]).*\.(?:mcpb|dxt)$/isu

/** An address of this computer; one with a host can't be converted. */
const FILE = /^file:\/\/\//iu

type Opened = Pick<OpenedLink, 'kind' | 'text'>

/** The link or bundle in the arguments of a start in `folder`, as Windows and Linux pass it. */
function openedIn(argv: readonly string[], folder: string): Opened | undefined {
  const link = argv.find((argument) => LINK.test(argument))
  if (link !== undefined) return { kind: 'link', text: link }
  const bundle = argv.slice(1).find((argument) => BUNDLE.test(argument))
  if (bundle === undefined) return undefined
  // Linux desktops pass files as addresses to an app that also opens links.
  const path = FILE.test(bundle) ? fileURLToPath(bundle) : resolve(folder, bundle)
  return { kind: 'bundle', text: path }
}

/**
 * Receives links and bundles that the system opens the app with: as an event on macOS, else as an argument of this or a second start.
 * Create it before the app is ready; anything received before `follow` waits. Links and bundles are only passed on.
 */
export class DeepLinks {
  #open: ((opened: Opened) => void) | undefined
  #waiting: Opened | undefined

  constructor(argv: readonly string[]) {
    this.#waiting = openedIn(argv, process.cwd())
    app.on('open-url', (event, link) => {
      event.preventDefault()
      if (LINK.test(link)) this.#handle({ kind: 'link', text: link })
    })
    app.on('open-file', (event, path) => {
      event.preventDefault()
      if (BUNDLE.test(path)) this.#handle({ kind: 'bundle', text: path })
    })
    app.on('second-instance', (_event, others, folder) => {
      const opened = openedIn(others, folder)
      if (opened) this.#handle(opened)
    })
    // Unpackaged, the system would start only Electron.
    if (app.isPackaged && !app.isDefaultProtocolClient(SCHEME)) {
      app.setAsDefaultProtocolClient(SCHEME)
    }
  }

  /** Whether a link or bundle is waiting. */
  get hasWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Passes on waiting and later ones. */
  follow(open: (opened: Opened) => void): void {
    this.#open = open
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) open(waiting)
  }

  #handle(opened: Opened): void {
    if (this.#open) this.#open(opened)
    else this.#waiting = opened
  }
}
